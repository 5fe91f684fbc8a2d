import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { tourFiles } from '../sdk/code-samples.ts'
import { profilePath } from '../sdk/write-profile.ts'
import { openLiveServer } from './live-server.ts'
import { tours } from './tours.ts'

const user = { username: 'anna', password: 'correct horse' }
const expected = [
  'signed in as anna',
  'added Call Bert https://example.com/',
  'changed Buy oat milk',
  'listed Call Bert',
  'tags phone',
  'things 2',
  'paged 2',
  'deleted true',
  'hook true',
  'hooks 1',
  'key 87',
  'devices 1',
  'refreshed as anna',
  'sessions 2',
  'left 1',
]
/** What is not of the SDK that is packed: what was built, and what only the tests need. */
const besides = /^(build|dist|target|vendor|tour|\.venv|Cargo\.lock|.*\.egg-info)$/

function runStep(command: readonly string[], folder: string, env: Readonly<Record<string, string>> = {}): string {
  const [program = '', ...args] = command
  const ran = spawnSync(program, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } })
  if (ran.status === 0) return ran.stdout
  throw new Error(`${command.join(' ')} failed\n${ran.stdout}${ran.stderr}${ran.error ?? ''}`)
}

/**
 * Packs the SDK of a language, installs it into an empty project and runs its tour there, with the addresses and secrets of
 * a live server in the place of those in the code.
 * @throws with what failed, or with what the tour printed instead of what it has to print
 */
export async function takeTour(language: string): Promise<void> {
  const tour = tours[language]
  const file = tourFiles[language]?.file
  if (tour === undefined || file === undefined) throw new Error(`${language}: no tour`)
  const { version } = parse(readFileSync(profilePath, 'utf8')).info
  const work = realpathSync(mkdtempSync(join(tmpdir(), `thingsync-tour-${language}-`)))
  const server = await openLiveServer(user)
  try {
    const folder = join('sdk', language)
    cpSync(join(folder, 'tour'), work, { recursive: true })
    cpSync(folder, join(work, 'sdk'), { recursive: true, filter: (path) => !besides.test(basename(path)) })
    const code = readFileSync(join(work, file), 'utf8')
      .replaceAll('http://127.0.0.1:8484/v1', server.baseUrl.replace(/\/$/, ''))
      .replaceAll('app1', server.clientId)
      .replaceAll('s3cret', server.clientSecret)
    writeFileSync(join(work, file), code)
    for (const step of tour.prepare(work, version)) runStep(step.command, join(work, step.in ?? ''), step.env)
    const printed = runStep(tour.run, work).toLowerCase().trim()
    if (printed !== expected.join('\n').toLowerCase()) throw new Error(`the tour printed\n${printed}`)
  } finally {
    await server.close()
    rmSync(work, { recursive: true, force: true })
  }
}
