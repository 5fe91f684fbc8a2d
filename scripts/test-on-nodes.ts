/**
 * Runs the commands of the packed and installed server, and the suite against it, on every supported line of Node except
 * the current one. The oldest and the newest line also run its acceptance tests, and the newest the tests of the sources.
 * `npm run test:nodes [-- VERSION …]` runs everything on each named version. Exits 1 when anything failed.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installNode, ToolMissing } from './outside-tools/install-tools.ts'

/** The oldest supported version, and the newest version of each later line. */
const supported = ['20.19.0', '22.23.3', '24.21.0', '26.10.0']

const project = fileURLToPath(new URL('..', import.meta.url))
const majorOf = (version: string): string => version.split('.', 1)[0] ?? version

/** Runs a command with the given Node first in its PATH. Returns whether the command succeeded. */
const runWith = (program: string, command: string, args: readonly string[]): boolean => {
  const env = { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env.PATH}` }
  return spawnSync(command, args, { cwd: project, env, stdio: 'inherit' }).status === 0
}

/** Reads vitest's report of a run: `PASSED FAILED SKIPPED`, and the failed tests with the start of their messages. */
const readReport = (folder: string): string => {
  const list = join(folder, 'failed')
  const report = join(folder, 'report.json')
  if (!existsSync(report)) return 'vitest ended without a report (above)'
  const { stdout } = spawnSync('node', ['scripts/count-tests.mjs', report, list], { cwd: project, encoding: 'utf8' })
  return `${stdout}${readFileSync(list, 'utf8')}`
}

/** The arguments of vitest. */
const sourceTests = ['src', 'client', 'test/store']
const installedTests = ['--config', 'test/configs/installed.config.ts']
const commandTests = [...installedTests, 'test/processes/commands']

/** Runs tests and returns a report of the failures, or an empty text. */
const runTests = (program: string, suite: readonly string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'thingsync-nodes-'))
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${join(folder, 'report.json')}`]
    const hasPassed = runWith(program, 'node', ['node_modules/vitest/vitest.mjs', 'run', ...suite, ...reporters])
    return hasPassed ? '' : readReport(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What runs on a version besides the commands and the suite. */
interface Extent {
  readonly hasAcceptance: boolean
  readonly hasSources: boolean
}

/** Tests one version and returns a paragraph for each failure, so that the end of the long log can repeat them. */
const testOn = (version: string, { hasAcceptance, hasSources }: Extent): string[] => {
  const program = installNode(version)
  const failed: string[] = []
  const run = (name: string, args: readonly string[]): void => {
    console.log(`--- Node ${version}: ${name}`)
    const failures = runTests(program, args)
    if (failures !== '') failed.push(`Node ${version}, ${name}: ${failures}`)
  }
  if (hasSources) run('the tests of the sources', sourceTests)
  if (hasAcceptance) run('the installed package', installedTests)
  else run('the commands of the installed package', commandTests)
  console.log(`--- Node ${version}: the suite against the server`)
  const hasPassed = runWith(program, 'bash', ['scripts/run-suite.sh', 'memory'])
  if (!hasPassed) failed.push(`Node ${version}, the suite against the server (above)`)
  return failed
}

try {
  const named = process.argv.slice(2)
  const versions = named.length > 0 ? named : supported.filter((one) => majorOf(one) !== majorOf(process.versions.node))
  const findExtent = (version: string): Extent => ({
    hasAcceptance: named.length > 0 || version === supported[0] || version === supported.at(-1),
    hasSources: named.length > 0 || version === versions.at(-1),
  })
  const failed = versions.flatMap((version) => testOn(version, findExtent(version)))
  console.log(failed.length === 0 ? `all passed on Node ${versions.join(', ')}` : `FAILED:\n${failed.join('\n')}`)
  process.exitCode = failed.length === 0 ? 0 : 1
} catch (error) {
  if (!(error instanceof ToolMissing)) throw error
  console.error(`test:nodes: ${error.message}`)
  process.exitCode = 1
}
