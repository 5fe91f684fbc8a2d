/**
 * Generates the SDKs below `sdk/` from `openapi.sdk.yaml`, which `npm run generate` makes (docs/sdk.md).
 * `npm run sdk` generates all, `npm run sdk -- go rust` these; `--jar FILE` takes a JAR of openapi-generator that is
 * already there.
 */
import { parseArgs } from 'node:util'
import { languages } from './sdk/languages.ts'
import { CannotGenerate, createSdks } from './sdk/make-sdks.ts'

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { jar: { type: 'string' } } })
  const asked = positionals.length > 0 ? positionals : Object.keys(languages)
  await createSdks(asked, { jar: values.jar, report: console.log })
} catch (error) {
  if (!(error instanceof CannotGenerate)) throw error
  console.error(`sdk: ${error.message}`)
  process.exitCode = 1
}
