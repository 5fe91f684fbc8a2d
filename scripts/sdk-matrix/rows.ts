import type { Row } from './row.ts'
import { csharp } from './rows/csharp.ts'
import { dart } from './rows/dart.ts'
import { go } from './rows/go.ts'
import { heyApi } from './rows/hey-api.ts'
import { java } from './rows/java.ts'
import { kotlin } from './rows/kotlin.ts'
import { oapiCodegen } from './rows/oapi-codegen.ts'
import { oazapfts } from './rows/oazapfts.ts'
import { ogen } from './rows/ogen.ts'
import { openapiPythonClient } from './rows/openapi-python-client.ts'
import { openapiTypescript } from './rows/openapi-typescript.ts'
import { openapiZodClient } from './rows/openapi-zod-client.ts'
import { orval } from './rows/orval.ts'
import { php } from './rows/php.ts'
import { progenitor } from './rows/progenitor.ts'
import { python } from './rows/python.ts'
import { ruby } from './rows/ruby.ts'
import { rust } from './rows/rust.ts'
import { swaggerTypescriptApi } from './rows/swagger-typescript-api.ts'
import { swift } from './rows/swift.ts'
import { typescriptAxios } from './rows/typescript-axios.ts'
import { typescriptFetch } from './rows/typescript-fetch.ts'

/** Every generator of the matrix, in the order of the table. */
export const rows: readonly Row[] = [
  typescriptAxios,
  typescriptFetch,
  openapiTypescript,
  heyApi,
  orval,
  openapiZodClient,
  swaggerTypescriptApi,
  oazapfts,
  python,
  openapiPythonClient,
  kotlin,
  go,
  oapiCodegen,
  ogen,
  java,
  rust,
  progenitor,
  php,
  ruby,
  csharp,
  dart,
  swift,
]
