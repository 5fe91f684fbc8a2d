import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder, program, readWhenThere, runCli, startCliServer } from '../../support/run-cli.ts'
import { createTestBrowser } from '../../support/test-browser.ts'

const run = promisify(execFile)

/** The lines that a user pastes: what stands between two empty lines behind the sentence that says so. */
const findCommands = (text: string): string => text.split(/^Paste these lines.*$/m)[1]?.split('\n\n')[1] ?? ''

/** What the lines print: the responses to the upload and to the listing. */
const paste = async (shell: string, commands: string) => {
  const { stdout, stderr } = await run(shell, ['-c', commands])
  expect(stderr).toBe('')
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const firstThing = (_id: unknown) => ({ _id, title: 'My first thing', tags: '', date: expect.any(Number) })

/** A server whose standard output is a terminal; gives what the terminal shows. */
const startOnTerminal = async (data: string, args: readonly string[] = []) => {
  const readyFile = join(await createTemporaryFolder(), 'ready.json')
  const options = ['--data', data, '--port', '0', '--ready-file', readyFile, ...args]
  const command = [process.execPath, program, 'serve', ...options].join(' ')
  const env = { PATH: process.env.PATH ?? '', HOME: tmpdir(), TERM: 'xterm' }
  const script = spawn('script', ['-qfec', command, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(script, 'close')
  onTestFinished(() => void script.kill('SIGKILL'))
  let shown = ''
  script.stdout.on('data', (chunk) => {
    shown += chunk
  })
  const isEnded = () => script.exitCode !== null
  const { base_url, pid } = await readWhenThere<{ base_url: string; pid: number }>(readyFile, isEnded)
  // Without its terminal the server would go on for a while, and write into a folder that is being removed.
  onTestFinished(async () => {
    if (!isEnded()) process.kill(pid, 'SIGKILL')
    await ended
  })
  // What it has written has a terminal to pass; this comes last.
  await expect.poll(() => shown).toContain('listening on')
  return { baseUrl: base_url, shown: () => shown.replaceAll('\r', '') }
}

const findFacts = (text: string, ...names: readonly string[]) =>
  names.map((name) => new RegExp(`^  ${name} +(\\S.*)$`, 'm').exec(text)?.[1])

test.each(['sh', 'bash'])('the lines that a first run prints without a terminal work in %s', async (shell) => {
  const server = await startCliServer(join(await createTemporaryFolder(), 'data'))

  const [created, listed] = await paste(shell, findCommands(server.stdout()))
  const [retried] = await paste(shell, findCommands(server.stdout()))

  expect(created.things.new).toEqual({ '1': expect.stringMatching(/^[0-9A-Za-z]+$/) })
  expect(listed.things.changed).toEqual([firstThing(created.things.new['1'])])
  expect(retried.things.new).toEqual({ '1': expect.any(String) })
})

test('on a terminal a first run shows its secrets, and lines that work', async () => {
  const data = join(await createTemporaryFolder(), 'data')

  const server = await startOnTerminal(data)

  const home = server.baseUrl.replace(/v1\/$/, '')
  const [first = '', , , link] = server.shown().trimStart().split('\n')
  expect(first).toContain(`Open your list at ${home} with this link`)
  expect(link).toMatch(new RegExp(`^  ${home}link\\?key=[\\w-]{43}$`))
  const facts = findFacts(server.shown(), 'base URL', 'data folder', 'user', 'password', 'client ID', 'client secret')
  expect(facts).toEqual([server.baseUrl, data, 'owner', ...Array(3).fill(expect.stringMatching(/^[\w-]{20,}$/))])
  expect((await readdir(data)).filter((name) => name.startsWith('first-run'))).toEqual([])
  const [created, listed] = await paste('sh', findCommands(server.shown()))
  expect(listed.things.changed).toEqual([firstThing(created.things.new['1'])])
})

test('on a terminal a later start shows the URL of the app first', async () => {
  const data = join(await createTemporaryFolder(), 'data')
  await (await startCliServer(data)).stop()

  const server = await startOnTerminal(data)

  expect(server.shown().split('\n')[0]).toBe(`Open your list at ${server.baseUrl.replace(/v1\/$/, '')}`)
})

test('the lines send an upload that is safe to retry after a lost response', async () => {
  const server = await startCliServer(await createTemporaryFolder())
  const [toFile, toToken, upload] = findCommands(server.stdout()).split('\n')

  const responses = await paste('sh', [toFile, toToken, upload, upload].join('\n'))

  expect(responses[1].things.new).toEqual(responses[0].things.new)
})

test('without a terminal no secret is printed: they are in a file for the owner only, and a second start makes none', async () => {
  const data = join(await createTemporaryFolder(), 'data')
  const first = await startCliServer(data)
  const printed = await first.stop()
  const second = await startCliServer(data)
  const { stdout } = await second.stop()

  const file = join(data, 'first-run.txt')
  const secrets = [...(await readFile(file, 'utf8')).matchAll(/^THINGSYNC_(\w+)='([^']+)'$/gm)]
  expect(findFacts(printed.stdout, 'base URL', 'user', 'secrets')).toEqual([first.baseUrl, 'owner', file])
  expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600')
  expect(secrets.map(([, name]) => name)).toEqual([
    'OWNER',
    'OWNER_PASSWORD',
    'CLIENT_ID',
    'CLIENT_SECRET',
    'SIGN_IN_LINK',
  ])
  for (const [, , secret] of secrets.slice(1)) expect(printed.stdout + printed.stderr).not.toContain(secret)
  expect(stdout).not.toContain('first-run')
})

test('the link of a first run signs the owner in as admin, once', async () => {
  const data = join(await createTemporaryFolder(), 'data')
  const server = await startCliServer(data)
  const file = await readFile(join(data, 'first-run.txt'), 'utf8')
  const link = /^THINGSYNC_SIGN_IN_LINK='(.*)'$/m.exec(file)?.[1] ?? ''
  const path = link.replace(server.baseUrl.replace('/v1/', ''), '')
  const [browser, other] = [createTestBrowser(server), createTestBrowser(server)]

  const [page, late] = [await browser.open(path), await other.open(path)]
  const signedIn = await browser.send(page, '/link')

  expect([signedIn.status, signedIn.location]).toEqual([303, '/#signed-in'])
  expect((await browser.open('/admin')).status).toBe(200)
  expect((await other.send(late, '/link')).status).toBe(404)
})

test('a file of an earlier first run is not written over', async () => {
  const data = await createTemporaryFolder()
  await writeFile(join(data, 'first-run.txt'), 'kept')

  const server = await startCliServer(data, ['--store', 'memory'])

  expect(await readFile(join(data, 'first-run.txt'), 'utf8')).toBe('kept')
  expect(findFacts(server.stdout(), 'secrets')).toEqual([join(data, 'first-run-2.txt')])
  const [created, listed] = await paste('sh', findCommands(server.stdout()))
  expect(listed.things.changed).toEqual([firstThing(created.things.new['1'])])
})

test('a server that keeps nothing leaves no secrets behind when it ends', async () => {
  const data = await createTemporaryFolder()

  const server = await startCliServer(data, ['--store', 'memory'])
  const [created] = await paste('sh', findCommands(server.stdout()))
  await server.stop()

  expect(created.pos).toBe(1)
  expect((await readdir(data)).sort()).toEqual(['control.json', 'owner'])
})

test.each(['the environment', 'a file'])(
  'name and password of the first user come from %s, and are shown nowhere',
  async (source) => {
    const folder = await createTemporaryFolder()
    const password = "it's a $ecret & more"
    const passwordFile = join(folder, "the owner's password")
    await writeFile(passwordFile, `${password}\n`)
    const given: Record<string, string> =
      source === 'a file' ? { THINGSYNC_OWNER_PASSWORD_FILE: passwordFile } : { THINGSYNC_OWNER_PASSWORD: password }

    const data = join(folder, "anna's data")
    const server = await startCliServer(data, [], { THINGSYNC_OWNER: "Anna O'Hara", ...given })

    const kept = await readFile(join(data, 'first-run.txt'), 'utf8')
    expect(kept + server.stdout()).not.toContain('ecret & more')
    const commands = findCommands(server.stdout()).replace('the password that you set', password.replace("'", "'\\''"))
    const [created, listed] = await paste('sh', commands)
    expect(listed.things.changed).toEqual([firstThing(created.things.new['1'])])
    const users = await runCli(['user', 'list', '--data', data, '--format', 'json'])
    expect(JSON.parse(users.stdout)).toMatchObject([{ name: "Anna O'Hara", date: expect.any(Number), admin: true }])
  },
)

test.each<[string, Record<string, string>, number, string]>([
  ['short', { THINGSYNC_OWNER_PASSWORD: 'short' }, 1, 'the password must have at least 8 characters'],
  [
    'given twice',
    { THINGSYNC_OWNER_PASSWORD: 'correct horse', THINGSYNC_OWNER_PASSWORD_FILE: '/x' },
    2,
    'THINGSYNC_OWNER_PASSWORD and THINGSYNC_OWNER_PASSWORD_FILE are both set; set only one of them',
  ],
  [
    'in a file that is not there',
    { THINGSYNC_OWNER_PASSWORD_FILE: '/not/there' },
    1,
    'owner_password_file: /not/there cannot be read (ENOENT); check its path and permissions',
  ],
])('a first password that is %s is an error, and nothing is made', async (_name, environment, exitCode, sentence) => {
  const data = await createTemporaryFolder()

  const rejected = await runCli(['serve', '--data', data, '--port', '0', '--log-level', 'silent'], '', environment)
  const users = await runCli(['user', 'list', '--data', data, '--format', 'json'])

  expect(rejected).toEqual({ exitCode, stdout: '', stderr: `thingsync: ${sentence}\n` })
  expect(users.stdout).toBe('[]\n')
  expect((await readdir(data)).filter((name) => name.startsWith('first-run'))).toEqual([])
})

test('where passwords are switched off for apps, nothing is shown that needs one', async () => {
  const server = await startCliServer(join(await createTemporaryFolder(), 'data'), ['--no-password-grant'])

  const shown = server.stdout()

  expect(shown).toContain('password_grant is off')
  expect(shown).toContain(server.baseUrl.replace('/v1/', '/account/tokens'))
  expect(shown).not.toContain('grant_type=password')
})
