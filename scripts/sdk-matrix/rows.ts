import type { Row } from './row.ts'
import { typescriptAxios } from './rows/typescript-axios.ts'

/** Every generator of the matrix, in the order of the table. */
export const rows: readonly Row[] = [typescriptAxios]
