/**
 * Keeps a data folder as an earlier state of the program wrote it, for the test that opens them all with the present one:
 * `npx tsx scripts/keep-data-folder.ts COMMIT NAME` checks the commit out, installs what it needs, lets its server do the
 * same things as every other one, and writes `test/data-folders/NAME/`. Once a release.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fillAccount } from './data-folders/fill-account.ts'
import { type Kept, type Person, signIn, untilReady } from './data-folders/use-server.ts'

const project = fileURLToPath(new URL('..', import.meta.url))
const [commit, name] = process.argv.slice(2)
if (commit === undefined || name === undefined) throw new Error('which COMMIT, and which NAME?')

const run = (command: string, args: readonly string[], cwd: string, input = ''): string => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, input, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

const folder = mkdtempSync(join(tmpdir(), 'thingsync-earlier-'))
const program = join(folder, 'program')
const data = join(folder, 'data')
const readyFile = join(folder, 'ready.json')
run('git', ['worktree', 'add', '--detach', program, commit], project)
try {
  run('npm', ['ci', '--ignore-scripts'], program)
  const main = ['--import', 'tsx', join(program, 'src/cli/main.ts')]
  const command = (args: readonly string[], input?: string) =>
    run(process.execPath, [...main, ...args, '--data', data, '--format', 'json'], program, input)
  const serve = async () => {
    await rm(readyFile, { force: true })
    const options = ['--data', data, '--port', '0', '--ready-file', readyFile, '--no-first-run', '--log-level', 'warn']
    // The web app is not built; versions before it warn of a name that they do not know.
    const env = { ...process.env, THINGSYNC_WEB: 'false' }
    const server = spawn(process.execPath, [...main, 'serve', ...options], { cwd: program, stdio: 'inherit', env })
    const baseUrl = await untilReady(
      () => readFile(readyFile, 'utf8'),
      () => server.exitCode !== null,
    )
    const end = async (signal: NodeJS.Signals) => {
      server.kill(signal)
      await once(server, 'exit')
    }
    return { baseUrl, end }
  }
  const target = join(project, 'test/data-folders', name)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const keep = (state: string, people: readonly { person: Person; kept: Kept }[]) => {
    run('tar', ['-czf', join(target, `${state}.tar.gz`), '--owner=0', '--group=0', '-C', folder, 'data'], project)
    writeFileSync(join(target, `${state}.json`), `${JSON.stringify(people, null, 2)}\n`)
  }

  let server = await serve()
  for (const user of ['anna', 'bert']) command(['user', 'add', user, '--password-stdin'], 'correct horse')
  const { client_id, client_secret } = JSON.parse(command(['app', 'add', 'kept']))
  const people = ['anna', 'bert'].map((username) => ({ client_id, client_secret, username, password: 'correct horse' }))
  const listAll = () =>
    Promise.all(people.map(async (person) => ({ person, kept: await (await signIn(server.baseUrl, person)).list() })))
  for (const person of people) await fillAccount(await signIn(server.baseUrl, person))
  const atTheEnd = await listAll()
  await server.end('SIGTERM')
  keep('stopped', atTheEnd)

  server = await serve()
  const [anna] = people
  if (anna !== undefined) await fillAccount(await signIn(server.baseUrl, anna))
  const atTheKill = await listAll()
  await server.end('SIGKILL')
  keep('killed', atTheKill)
} finally {
  run('git', ['worktree', 'remove', '--force', program], project)
  rmSync(folder, { recursive: true, force: true })
}
