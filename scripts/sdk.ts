/**
 * Generates the SDKs below `sdk/` from `openapi.sdk.yaml`, which `npm run generate` writes, see
 * `contributing/sdk-generation.md`. `npm run sdk` generates all, `npm run sdk -- go rust` only these; `--jar FILE` uses a
 * local JAR of openapi-generator.
 */
import { parseArgs } from 'node:util'
import { languages } from './sdk/languages.ts'
import { CannotGenerate, createSdks } from './sdk/make-sdks.ts'

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { jar: { type: 'string' } } })
  const names = positionals.length > 0 ? positionals : Object.keys(languages)
  await createSdks(names, { jar: values.jar, report: console.log })
} catch (error) {
  if (!(error instanceof CannotGenerate)) throw error
  console.error(`sdk: ${error.message}`)
  process.exitCode = 1
}
