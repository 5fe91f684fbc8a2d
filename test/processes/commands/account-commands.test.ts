import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { prepareApp, prepareToken, prepareUsers } from '../../support/prepare-accounts.ts'
import { createTemporaryFolder, runCli, startCli, startCliServer } from '../../support/run-cli.ts'

const password = 'correct horse'

async function grantToken(baseUrl: string, app: { client_id: string; client_secret: string }, secret = password) {
  const body = new URLSearchParams({
    grant_type: 'password',
    client_id: app.client_id,
    client_secret: app.client_secret,
    username: 'anna',
    password: secret,
  })
  const response = await fetch(`${baseUrl}token`, { method: 'POST', body })
  return response.status
}

test('a user and an app that were made while the server was stopped may enter when it runs', async () => {
  const data = join(await createTemporaryFolder(), 'data')
  const user = await runCli(['user', 'add', 'anna', '--password-stdin', '--data', data], `${password}\n`)
  const app = await runCli(['app', 'add', 'my client', '--format', 'json', '--data', data])

  const server = await startCliServer(data)

  expect(user).toEqual({ exitCode: 0, stdout: 'user anna added\n', stderr: '' })
  expect(app).toMatchObject({ exitCode: 0, stderr: '' })
  expect(JSON.parse(app.stdout)).toEqual({
    client_id: expect.stringMatching(/^\w+$/),
    client_secret: expect.stringMatching(/^[\w-]{43}$/),
    name: 'my client',
  })
  expect(await grantToken(server.baseUrl, JSON.parse(app.stdout))).toBe(200)
})

test('every command works while the server runs, and at once', async () => {
  const data = await createTemporaryFolder()
  const server = await startCliServer(data, ['--no-first-run', '--no-web', '--no-extension'])
  const command = (...args: string[]) => runCli([...args, '--data', data], password)

  const added = await command('user', 'add', 'anna', '--password-stdin')
  const app = JSON.parse((await command('app', 'add', 'x', '--format', 'json')).stdout)
  const granted = await grantToken(server.baseUrl, app)
  const reset = await command('user', 'reset-password', 'anna', '--generate-password', '--format', 'json')
  const rejected = await grantToken(server.baseUrl, app)
  const again = await grantToken(server.baseUrl, app, JSON.parse(reset.stdout).password)
  const users = await command('user', 'list', '--format', 'json')
  const apps = await command('app', 'list')
  const removedApp = await command('app', 'remove', app.client_id)
  const removedUser = await command('user', 'remove', 'anna', '--yes')
  const none = await command('user', 'list')

  expect([granted, rejected, again]).toEqual([200, 400, 200])
  expect(added.stdout).toBe('user anna added\n')
  expect(JSON.parse(users.stdout)).toEqual([{ name: 'anna', date: expect.any(Number), admin: true, disabled: null }])
  expect(apps.stdout).toMatch(
    new RegExp(
      `^client id +name +created +type +standard +owner +redirect uris\n${app.client_id} +x +\\d{4}-.*Z +confidential +no +- +-\n$`,
    ),
  )
  expect(removedApp.stdout).toBe(`app ${app.client_id} removed\n`)
  expect(removedUser.stdout).toBe('user anna removed\n')
  expect(none).toEqual({ exitCode: 0, stdout: '', stderr: 'no users; add a user with: thingsync user add NAME\n' })
})

test('commands that start together on a stopped folder are all carried out', async () => {
  const data = await createTemporaryFolder()
  const names = ['a', 'b', 'c', 'd', 'e', 'f']

  const runs = await Promise.all(names.map((name) => runCli(['app', 'add', name, '--data', data])))
  const list = await runCli(['app', 'list', '--data', data, '--format', 'json'])

  expect(runs.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
    names.map(() => ({ exitCode: 0, stderr: '' })),
  )
  const listed: { name: string }[] = JSON.parse(list.stdout)
  expect(listed.map((app) => app.name).sort()).toEqual(names)
})

test.each([true, false])('an error is one sentence and exit code 1 (server runs: %s)', async (isRunning) => {
  const data = await createTemporaryFolder()
  if (isRunning) await startCliServer(data)

  const removed = await runCli(['user', 'remove', 'nobody', '--yes', '--data', data])
  const short = await runCli(['user', 'add', 'anna', '--password-stdin', '--data', data], 'short\n')

  const long = await runCli(['user', 'add', 'anna', '--password-stdin', '--data', data], 'x'.repeat(2_000_000))

  const sentence = 'thingsync: there is no user "nobody"; "user list" shows all users\n'
  expect(removed).toEqual({ exitCode: 1, stdout: '', stderr: sentence })
  const tooShort = 'thingsync: the password must have at least 8 characters\n'
  expect(short).toEqual({ exitCode: 1, stdout: '', stderr: tooShort })
  const tooLong = 'thingsync: the password on standard input is longer than 1000 characters; give a shorter password\n'
  expect(long).toEqual({ exitCode: 1, stdout: '', stderr: tooLong })
})

test('a list of a folder that is not there makes no folder and says what to do', async () => {
  const data = join(await createTemporaryFolder(), 'typo')

  const first = await runCli(['user', 'list', '--data', data])
  const second = await runCli(['app', 'list'], '', { THINGSYNC_DATA: data })

  const stderr = `thingsync: data folder: ${data} does not exist; check the path, or choose another folder with --data or THINGSYNC_DATA\n`
  expect([first, second]).toEqual(Array(2).fill({ exitCode: 1, stdout: '', stderr }))
})

test('what is used in a wrong way ends with 2 and says how it is used', async () => {
  const data = await createTemporaryFolder()

  const noYes = await runCli(['user', 'remove', 'anna', '--data', data])
  const noPassword = await runCli(['user', 'add', 'anna', '--data', data])
  const noName = await runCli(['user', 'add', '--data', data])
  const unknown = await runCli(['user', 'ad', 'anna'])
  const extra = await runCli(['app', 'add', 'my', 'client', '--data', data])
  const nothing = await runCli([])

  const runs = [noYes, noPassword, noName, unknown, extra, nothing]
  expect(runs.map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual(Array(6).fill([2, '']))
  expect(runs.map(({ stderr }) => stderr.split('\n')[0])).toEqual([
    'thingsync: user anna and all things of the user will be removed permanently; give --yes to confirm',
    'thingsync: no terminal to ask for a password; give --password-stdin or --generate-password',
    "thingsync: missing required argument 'NAME'",
    "thingsync: unknown command 'ad'",
    'thingsync: client: this command takes no such argument; --help shows its arguments',
    'Usage: thingsync [options] [command]',
  ])
})

test('a misspelt command or option gets a suggestion, and every line has the prefix of the program', async () => {
  const command = await runCli(['usr', 'list'])
  const inside = await runCli(['user', 'ad', 'anna'])
  const choice = await runCli(['user', 'list', '--format', 'yaml'])

  expect([command, inside].map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual(Array(2).fill([2, '']))
  expect(command.stderr).toBe("thingsync: unknown command 'usr'\nthingsync: (Did you mean user?)\n")
  expect(inside.stderr).toBe("thingsync: unknown command 'ad'\nthingsync: (Did you mean add?)\n")
  const error = "option '--format <FORM>' argument 'yaml' is invalid. Allowed choices are text, json."
  expect(choice).toEqual({ exitCode: 2, stdout: '', stderr: `thingsync: ${error}\n` })
})

test('config shows every setting with its value and where it comes from', async () => {
  const data = await createTemporaryFolder()

  const text = await runCli(['config', '--data', data], '', { THINGSYNC_PORT: '8000' })
  const json = await runCli(['config', '--format', 'json', '--no-first-run'])

  expect(text.stdout).toMatch(/^setting +value +from +flag +environment +meaning$/m)
  expect(text.stdout).toMatch(/^port +8000 +THINGSYNC_PORT +--port +THINGSYNC_PORT +Port to listen on/m)
  expect(text.stdout).toMatch(new RegExp(`^data +${data} +--data `, 'm'))
  expect(JSON.parse(json.stdout)).toContainEqual({
    name: 'first_run',
    value: false,
    from: '--no-first-run',
    flag: '--no-first-run',
    environment: 'THINGSYNC_FIRST_RUN',
    key: 'first_run',
    type: 'true or false',
    default: true,
    unit: null,
    sentence:
      'Create a user and an app in an empty data folder or database. Show their secrets once, or write them to a file.',
  })
})

test('config never shows the password of the first user, which has no flag', async () => {
  const environment = { THINGSYNC_OWNER_PASSWORD: 'correct horse' }

  const text = await runCli(['config'], '', environment)
  const json = await runCli(['config', '--format', 'json'], '', environment)
  const flag = await runCli(['serve', '--owner-password', 'correct horse'])

  expect(text.stdout).toMatch(/^owner_password +\(not shown\) +THINGSYNC_OWNER_PASSWORD +- +/m)
  expect(text.stdout + json.stdout).not.toContain('correct horse')
  const row = { name: 'owner_password', value: '(not shown)', flag: null }
  expect(JSON.parse(json.stdout)).toContainEqual(expect.objectContaining(row))
  expect([flag.exitCode, flag.stderr.split('\n')[0]]).toEqual([2, 'thingsync: --owner-password: is not known'])
})

test.each([['--help'], ['config']])('%s ends quietly when nobody reads what it writes', async (...args) => {
  const { child, stderr } = startCli(args)

  child.stdout?.destroy()
  const [exitCode] = await once(child, 'exit')

  expect([exitCode, stderr()]).toEqual([0, ''])
})

test.each([
  [[]],
  [['serve']],
  [['user']],
  [['user', 'add']],
  [['app', 'remove']],
  [['token', 'add']],
  [['session']],
  [['config']],
])('help shows examples: %s', async (command) => {
  const { exitCode, stdout } = await runCli([...command, '--help'])

  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^Examples?:$/m)
})

test('--version says the version of the package', async () => {
  const { exitCode, stdout } = await runCli(['--version'])

  expect([exitCode, stdout]).toEqual([0, '1.0.0\n'])
})

test('an app is changed by what is given, whether the server runs or not; secret and sessions stay', async () => {
  const data = await createTemporaryFolder()
  const command = (...args: string[]) => runCli([...args, '--data', data], password)
  const list = async () => JSON.parse((await command('app', 'list', '--format', 'json')).stdout)
  await prepareUsers(data, 'anna')
  const app = await prepareApp(data, 'x')
  const [before] = await list()

  const stopped = await command(
    'app',
    'change',
    app.client_id,
    '--redirect-uri',
    'https://a.example/back',
    '--standard',
  )
  const server = await startCliServer(data, ['--no-web', '--no-extension'])
  const renamed = await command('app', 'change', app.client_id, '--name', ' A better x ', '--format', 'json')
  const after = { ...before, name: 'A better x', standard: true, redirect_uris: ['https://a.example/back'] }
  const granted = await grantToken(server.baseUrl, app)
  const plain = await command('app', 'change', app.client_id, '--no-standard')

  expect(stopped).toEqual({ exitCode: 0, stdout: 'app x changed\n', stderr: '' })
  expect(JSON.parse(renamed.stdout)).toEqual(after)
  expect(granted).toBe(200)
  expect(plain.stdout).toBe('app A better x changed\n')
  expect(await list()).toEqual([{ ...after, standard: false }])
})

test('an app is not changed by nothing, to nothing good, and not when there is none', async () => {
  const data = await createTemporaryFolder()
  const command = (...args: string[]) => runCli([...args, '--data', data])
  const app = await prepareApp(data, 'x')

  const nothing = await command('app', 'change', app.client_id)
  const bad = await command('app', 'change', app.client_id, '--redirect-uri', 'http://a.example/')
  const none = await command('app', 'change', 'nobody', '--name', 'y')
  const left = await command('app', 'list', '--format', 'json')

  expect([nothing, bad, none].map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual([
    [2, ''],
    [1, ''],
    [1, ''],
  ])
  expect(nothing.stderr).toContain('nothing to change; give --name')
  expect(bad.stderr).toContain('http://a.example/')
  expect(none.stderr).toContain('there is no app with the client ID "nobody"')
  expect(JSON.parse(left.stdout)).toMatchObject([{ name: 'x', redirect_uris: [] }])
})

test('a user is renamed and given limits by command, and the running server keeps to both at once', async () => {
  const data = await createTemporaryFolder()
  const server = await startCliServer(data, [
    '--no-first-run',
    '--no-web',
    '--quota-things',
    '5',
    '--log-format',
    'json',
  ])
  const command = (...args: string[]) => runCli([...args, '--data', data], password)
  await prepareUsers(data, 'anna', 'bob')
  const token = await prepareToken(data, 'anna')
  const upload = (count: number) =>
    fetch(`${server.baseUrl}sync`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        new_thing: Array.from({ length: count }, (_, index) => ({ local_id: index, title: 'a' })),
      }),
    })

  const taken = await command('user', 'rename', 'anna', 'BOB')
  const renamed = await command('user', 'rename', 'anna', ' Anne ')
  const limited = await command('user', 'quota', 'anne', '--things', '2', '--bytes', 'none', '--format', 'json')
  const rejected = await upload(3)
  const asDefault = await command('user', 'quota', 'anne', '--things', 'default')
  const accepted = await upload(3)
  const status = await command('status', '--format', 'json')
  const wrong = await command('user', 'quota', 'anne', '--things', 'many')
  const tooMany = await command('user', 'quota', 'anne', '--hooks', '21')
  const { stdout: log } = await server.stop()
  const unlimited = await command('user', 'quota', 'anne', '--hooks', 'none')
  const stopped = await runCli(['user', 'quota', 'anne', '--data', data], '', { THINGSYNC_QUOTA_THINGS: '7' })

  expect(taken).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('user "bob" exists already') })
  expect(renamed).toEqual({ exitCode: 0, stdout: 'user anna is now called Anne\n', stderr: '' })
  expect(JSON.parse(limited.stdout)).toEqual({
    ...{ name: 'Anne', things: 0, bytes: 0, tags: 0, cleared_tags: 0, hooks: 0 },
    ...{ quota_things: 2, quota_bytes: null, quota_tags: 'default', quota_hooks: 'default' },
    ...{ max_things: 2, max_bytes: null, max_tags: 10_000, max_hooks: 20 },
  })
  expect([rejected.status, accepted.status]).toEqual([413, 200])
  expect(log).toContain('"command":"user rename","user":"anna","to":" Anne "')
  expect(log).not.toContain('"command":"user list"')
  expect(log).not.toContain(password)
  expect(asDefault.stdout).toBe(
    'things: 0, of 5 (from the settings)\nbytes: 0, no limit\ntags: 0, of 10,000 (from the settings)\nhooks: 0, of 20 (from the settings)\n',
  )
  expect(unlimited.stdout).toMatch(/^hooks: 0, of 20$/m)
  expect(stopped.stdout).toMatch(/^things: 3, of 7 \(from the settings\)$/m)
  expect(JSON.parse(status.stdout).by_user).toContainEqual(
    expect.objectContaining({ user: 'Anne', things: 3, bytes: expect.any(Number) }),
  )
  expect(wrong.exitCode).toBe(2)
  expect([tooMany.exitCode, tooMany.stderr]).toEqual([
    2,
    expect.stringContaining('It must be a whole number up to 20, "none" or "default".'),
  ])
})
