/**
 * Generates SDKs, see `contributing/sdk-generation.md`. `npm run sdk` generates all SDKs below `sdk/` from
 * `openapi.sdk.yaml`, which `npm run generate` writes, `npm run sdk -- go rust` only these; `--jar FILE` uses a local JAR
 * of openapi-generator. `npm run openapi-generator -- generate -g ruby -i openapi.sdk.yaml -o ../my-client` runs the
 * generator itself, at the release that `openapitools.json` pins, after a check of its JAR.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { languages } from './sdk/languages.ts'
import { CannotGenerate, createSdks, generatorCommand, prepareGenerator } from './sdk/make-sdks.ts'

const runGenerator = async (given: readonly string[]): Promise<void> => {
  await prepareGenerator(undefined)
  const [program = '', ...args] = generatorCommand(given)
  process.exitCode = spawnSync(program, args, { stdio: 'inherit' }).status ?? 1
}

const generateSdks = async (args: string[]): Promise<void> => {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { jar: { type: 'string' } } })
  const names = positionals.length > 0 ? positionals : Object.keys(languages)
  await createSdks(names, { jar: values.jar, report: console.log })
}

try {
  const [first, ...others] = process.argv.slice(2)
  await (first === 'openapi-generator' ? runGenerator(others) : generateSdks(process.argv.slice(2)))
} catch (error) {
  if (!(error instanceof CannotGenerate)) throw error
  console.error(error.message)
  process.exitCode = 1
}
