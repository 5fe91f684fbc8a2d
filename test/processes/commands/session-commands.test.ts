import { expect, test } from 'vitest'
import { prepareApp, prepareUsers } from '../../support/prepare-accounts.ts'
import { createTemporaryFolder, runCli, startCliServer } from '../../support/run-cli.ts'

/** A running server with the users anna and bob, and commands on its folder. */
const openFixture = async () => {
  const data = await createTemporaryFolder()
  const server = await startCliServer(data, ['--no-first-run', '--no-web', '--no-extension'])
  const command = (...args: string[]) => runCli([...args, '--data', data], 'correct horse')
  const commandJson = async (...args: string[]) => JSON.parse((await command(...args, '--format', 'json')).stdout)
  await prepareUsers(data, 'anna', 'bob')
  const app = await prepareApp(data, 'my client')
  const grant = (username: string) =>
    fetch(`${server.baseUrl}token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', username, password: 'correct horse', ...appOf(app) }),
    })
  const send = async (token: string) =>
    (await fetch(`${server.baseUrl}test`, { headers: { authorization: `Bearer ${token}` } })).status
  return { data, server, app, command, commandJson, grant, send: send }
}

const appOf = ({ client_id, client_secret }: { client_id: string; client_secret: string }) => ({
  client_id,
  client_secret,
})

const date = expect.any(Number)

test('a personal token is made, listed without itself, used and revoked', async () => {
  const { command, commandJson, send } = await openFixture()

  const created = await commandJson('token', 'add', 'backup', '--user', 'anna', '--read-only', '--expires', '90d')
  const text = await command('token', 'add', 'plain', '--user', 'anna')
  const before = await send(created.token)
  const listed = await commandJson('token', 'list', '--user', 'anna')
  const ofBob = await command('token', 'list', '--user', 'bob')
  const revoked = await command('token', 'revoke', created.id)
  const after = await send(created.token)
  const again = await command('token', 'revoke', created.id)

  expect(created).toEqual({
    id: expect.stringMatching(/^\w{20}$/),
    token: expect.stringMatching(/^[\w-]{43}$/),
    name: 'backup',
    user: 'anna',
    read_only: true,
    expires: date,
  })
  expect(text.stdout).toMatch(/^token plain of user anna created\ntoken: [\w-]{43}\n$/)
  const common = { id: expect.any(String), user: 'anna', date }
  const byName = [...listed].sort((a, b) => (a.name < b.name ? -1 : 1))
  expect(byName).toEqual([
    { ...common, name: 'backup', read_only: true, last_used: date, expires: created.expires },
    { ...common, name: 'plain', read_only: false, last_used: null, expires: null },
  ])
  expect(created.expires - byName[0].date).toBe(90 * 24 * 3600)
  expect(JSON.stringify(listed)).not.toContain(created.token)
  expect(ofBob).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'no tokens; create a token with: thingsync token add NAME --user USER\n',
  })
  expect([before, revoked.stdout, after]).toEqual([200, `token ${created.id} of user anna revoked\n`, 401])
  const sentence = `thingsync: there is no token with the ID "${created.id}"; "token list" shows all tokens\n`
  expect(again).toEqual({ exitCode: 1, stdout: '', stderr: sentence })
})

test('sessions of all users are listed with where they were, and each can be ended', async () => {
  const { app, command, commandJson, grant, send } = await openFixture()
  const { access_token: token } = (await (await grant('anna')).json()) as { access_token: string }
  await grant('bob')

  const listed = await commandJson('session', 'list')
  const [anna] = await commandJson('session', 'list', '--user', 'anna')
  const table = await command('session', 'list', '--user', 'anna')
  const revoked = await command('session', 'revoke', anna.id)

  expect(listed.map(({ user }: { user: string }) => user)).toEqual(['anna', 'bob'])
  expect(anna).toEqual({
    id: expect.any(String),
    user: 'anna',
    kind: 'app',
    name: 'my client',
    date,
    last_used: date,
    expires: date,
    address: '127.0.0.1',
    user_agent: expect.stringMatching(/./),
  })
  expect(table.stdout).toMatch(/^id +user +kind +name +created +last used +expires +address +user agent\n/)
  expect(table.stdout).not.toContain(app.client_secret)
  expect([revoked.stdout, await send(token)]).toEqual([`session ${anna.id} of user anna ended\n`, 401])
  expect((await command('session', 'revoke', anna.id)).stderr).toContain('there is no session with the ID')
})

test('a disabled user gets no token and no token works; enabling gives all back', async () => {
  const { command, commandJson, grant, send } = await openFixture()
  const { token } = await commandJson('token', 'add', 'script', '--user', 'bob')

  const disabled = await command('user', 'disable', 'bob')
  const during = [await send(token), (await grant('bob')).status]
  const link = await command('user', 'link', 'bob')
  const users = await commandJson('user', 'list')
  const enabled = await command('user', 'enable', 'bob')
  const after = [await send(token), (await grant('bob')).status]
  const lastAdmin = await command('user', 'disable', 'anna')

  expect([disabled.stdout, enabled.stdout]).toEqual(['user bob is disabled\n', 'user bob is enabled\n'])
  expect([during, after]).toEqual([
    [401, 400],
    [200, 200],
  ])
  expect(link.stderr).toBe('thingsync: user "bob" is disabled; enable the user first\n')
  expect(users).toEqual([
    { name: 'anna', date, admin: true, disabled: null },
    { name: 'bob', date, admin: false, disabled: date },
  ])
  expect(lastAdmin.stderr).toBe(
    'thingsync: user "anna" is the only administrator and cannot be disabled; promote another user first with "user promote NAME"\n',
  )
})

test('a user is made admin, so that the first one can go', async () => {
  const { command, commandJson } = await openFixture()

  const tooEarly = await command('user', 'remove', 'anna', '--yes')
  const promoted = await commandJson('user', 'promote', 'bob')
  const demoted = await command('user', 'demote', 'anna')
  const onlyOne = await command('user', 'demote', 'bob')
  const removed = await command('user', 'remove', 'anna', '--yes')

  expect(tooEarly.stderr).toContain(
    'user "anna" is the only administrator and cannot be removed; promote another user first with',
  )
  expect(promoted).toEqual({ name: 'bob' })
  expect(demoted.stdout).toBe('user anna is no longer an administrator\n')
  expect(onlyOne).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('cannot be demoted') })
  expect(removed.stdout).toBe('user anna removed\n')
  expect(await commandJson('user', 'list')).toEqual([{ name: 'bob', date, admin: true, disabled: null }])
})

test('open invitations are listed and withdrawn', async () => {
  const { command, commandJson } = await openFixture()
  const { expires } = await commandJson('user', 'invite', 'carla')

  const open = await commandJson('user', 'invitations')
  const withdrawn = await command('user', 'withdraw', open[0].id)
  const again = await command('user', 'withdraw', open[0].id)

  expect(open).toEqual([{ id: expect.stringMatching(/^[\w-]{43}$/), name: 'carla', date, expires }])
  expect(withdrawn.stdout).toBe('the invitation is withdrawn\n')
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('there is no invitation with the ID') })
  expect(await commandJson('user', 'invitations')).toEqual([])
})

test('an id that begins with a dash is no option', async () => {
  const { command } = await openFixture()
  const id = `-h${'x'.repeat(41)}`

  const { stderr } = await command('user', 'withdraw', id)

  expect(stderr).toContain('there is no invitation with the ID')
})

test('links are addresses of this server, also when it is stopped', async () => {
  const { data, server, command, commandJson } = await openFixture()

  const [link, invitation] = [await commandJson('user', 'link', 'anna'), await commandJson('user', 'invite', 'carla')]
  const text = await command('user', 'invite')
  const taken = await command('user', 'invite', 'ANNA')
  await server.stop()
  const stopped = await runCli(['user', 'link', 'anna', '--data', data], '', {
    THINGSYNC_BASE_URL: 'https://things.example/sub/v1/',
  })

  const origin = server.baseUrl.replace('v1/', '')
  expect(link).toEqual({ name: 'anna', link: expect.any(String), expires: date })
  expect(invitation).toEqual({ name: 'carla', link: expect.any(String), expires: date })
  for (const address of [link.link, invitation.link, text.stdout.trim()]) {
    expect(address.startsWith(origin)).toBe(true)
    expect(address.slice(origin.length)).toMatch(/^link\?key=[\w-]{43}$/)
  }
  expect(taken.stderr).toBe('thingsync: user "anna" exists already; choose another name\n')
  expect(stopped.stdout).toMatch(/^https:\/\/things\.example\/sub\/link\?key=[\w-]{43}\n$/)
})

test('apps are registered for the authorization code flow, listed, and given new secrets', async () => {
  const { app, command, commandJson, grant } = await openFixture()
  const back = ['--redirect-uri', 'https://app.example/back', '--redirect-uri', 'http://127.0.0.1/back']

  const web = await commandJson('app', 'add', 'web', ...back, '--standard')
  const phone = await commandJson('app', 'add', 'phone', '--public', '--redirect-uri', 'com.example.app:/back')
  const apps = await commandJson('app', 'list')
  const rotated = await commandJson('app', 'rotate-secret', app.client_id)
  const withOldSecret = (await grant('anna')).status
  const bare = await command('app', 'add', 'phone', '--public')
  const evil = await command('app', 'add', 'web', '--redirect-uri', 'http://app.example/')
  const secretless = await command('app', 'rotate-secret', phone.client_id)

  expect(web).toEqual({ client_id: expect.any(String), client_secret: expect.any(String), name: 'web' })
  expect(phone).toEqual({ client_id: expect.any(String), name: 'phone' })
  const common = { date, owner: null }
  expect(apps.slice(1)).toEqual([
    {
      ...common,
      client_id: web.client_id,
      name: 'web',
      type: 'confidential',
      standard: true,
      redirect_uris: ['https://app.example/back', 'http://127.0.0.1/back'],
    },
    {
      ...common,
      client_id: phone.client_id,
      name: 'phone',
      type: 'public',
      standard: false,
      redirect_uris: ['com.example.app:/back'],
    },
  ])
  expect(rotated).toEqual({ ...app, name: 'my client', client_secret: expect.stringMatching(/^[\w-]{43}$/) })
  expect([rotated.client_secret === app.client_secret, withOldSecret]).toEqual([false, 401])
  expect(bare.stderr).toContain('a public client needs a redirect URI')
  expect(evil.stderr).toContain('the redirect URI "http://app.example/" uses http, which only')
  expect(secretless.stderr).toBe(`thingsync: the app "${phone.client_id}" is a public client and has no secret\n`)
})

test('a wrong use ends with 2 and says what is wrong', async () => {
  const data = await createTemporaryFolder()
  const add = (...args: string[]) => runCli(['token', 'add', 'x', '--data', data, ...args])

  const runs = [
    await add(),
    await add('--user', 'anna', '--expires', '90'),
    await add('--user', 'anna', '--expires', '0d'),
    await add('--user', 'anna', '--expires', '36501d'),
    await add('--user', 'anna', '--expires', '999999999999d'),
  ]

  expect(runs.map(({ exitCode, stderr }) => [exitCode, stderr.split('\n')[0]])).toEqual([
    [2, "thingsync: required option '--user <NAME>' not specified"],
    [2, 'thingsync: --expires: "90" is not a duration; give days, hours or minutes, such as 90d, 12h or 30m'],
    [2, 'thingsync: --expires: "0d" is not a duration; give days, hours or minutes, such as 90d, 12h or 30m'],
    [
      2,
      'thingsync: --expires: "36501d" is longer than the maximum, 36500d; leave out --expires for a token that does not expire',
    ],
    [
      2,
      'thingsync: --expires: "999999999999d" is longer than the maximum, 36500d; leave out --expires for a token that does not expire',
    ],
  ])
})
