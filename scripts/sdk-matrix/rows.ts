import type { Row } from './row.ts'
import { go } from './rows/go.ts'
import { heyApi } from './rows/hey-api.ts'
import { kotlin } from './rows/kotlin.ts'
import { oapiCodegen } from './rows/oapi-codegen.ts'
import { python } from './rows/python.ts'
import { typescriptAxios } from './rows/typescript-axios.ts'

/** Every generator of the matrix, in the order of the table. */
export const rows: readonly Row[] = [typescriptAxios, python, kotlin, go, heyApi, oapiCodegen]
