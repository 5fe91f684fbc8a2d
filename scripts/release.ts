/**
 * Makes everything that a release consists of in `dist-release/`; it publishes nothing. `npm run release [-- --dry-run]`:
 * without --dry-run the commit must be tagged and told in CHANGELOG.md. Exits 1 with a sentence when it cannot.
 */
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ToolMissing } from './outside-tools/tool-folder.ts'
import { makeRelease } from './release/make-release.ts'
import { ReleaseFailed } from './release/run-command.ts'
import { checkPublishable, readSource } from './release/source.ts'
import { CannotGenerate } from './sdk/cannot-generate.ts'

const project = fileURLToPath(new URL('..', import.meta.url))

try {
  const { values } = parseArgs({
    options: {
      'dry-run': { type: 'boolean', default: false },
      output: { type: 'string', default: 'dist-release' },
      platform: { type: 'string', default: 'linux-x64' },
    },
  })
  const source = readSource(project)
  if (!values['dry-run']) checkPublishable(project, source)
  const output = resolve(project, values.output)
  const say = (line: string) => console.log(`release: ${line}`)
  say(`thingsync ${source.version}, commit ${source.commit}${source.isCommitted ? '' : ' with changes on top'}`)
  await makeRelease(project, output, { source, platforms: values.platform, say })
  console.log(readdirSync(output).join('\n'))
  say(`all of it is in ${output}; docs/release.md says how it is published`)
} catch (error) {
  if (!(error instanceof ReleaseFailed || error instanceof ToolMissing || error instanceof CannotGenerate)) throw error
  console.error(`release: ${error.message}`)
  process.exitCode = 1
}
