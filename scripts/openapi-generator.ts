/**
 * Runs openapi-generator at the release that `openapitools.json` pins, after a check of its JAR:
 * `npm run openapi-generator -- generate -g ruby -i openapi.sdk.yaml -o client`.
 */
import { spawnSync } from 'node:child_process'
import { CannotGenerate, generatorCommand, prepareGenerator } from './sdk/make-sdks.ts'

try {
  await prepareGenerator(undefined)
  const [program = '', ...args] = generatorCommand(process.argv.slice(2))
  process.exitCode = spawnSync(program, args, { stdio: 'inherit' }).status ?? 1
} catch (error) {
  if (!(error instanceof CannotGenerate)) throw error
  console.error(error.message)
  process.exitCode = 1
}
