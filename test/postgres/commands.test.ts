import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder, runCli, startCliServer } from '../support/run-cli.ts'
import { openTestDatabase, withConnection } from './open-database.ts'

const openDatabase = async ({ isBare = false } = {}) => {
  const { url, drop } = await openTestDatabase({ isBare })
  onTestFinished(drop)
  const query = (text: string) => withConnection(url, (connection) => connection.query(text))
  const run = (args: readonly string[], input = '') => runCli(args, input, { THINGSYNC_STORE: url })
  const runAsJson = async (...args: readonly string[]) => {
    const { stdout, stderr, exitCode } = await run([...args, '--format', 'json'])
    if (exitCode !== 0) throw new Error(stderr)
    return JSON.parse(stdout)
  }
  return { url, query, run, runAsJson }
}

const title = 'a thing from elsewhere'

test('the commands about users, apps, sessions and things work on a database', async () => {
  const { run, runAsJson } = await openDatabase({ isBare: true })
  const folder = await createTemporaryFolder()
  const bookmarks = join(folder, 'bookmarks.json')
  await writeFile(
    bookmarks,
    JSON.stringify([{ href: 'https://x.example/', description: title, time: '2026-01-01T00:00:00Z' }]),
  )

  expect((await run(['user', 'add', 'anna', '--password-stdin'], 'correct horse\n')).exitCode).toBe(0)
  expect((await run(['app', 'add', 'an app'])).exitCode).toBe(0)
  expect((await run(['token', 'add', 'a token', '--user', 'anna'])).exitCode).toBe(0)
  const imported = await run(['import', bookmarks, '--user', 'anna'])
  const exported = await run(['export', '--user', 'anna', '--format', 'csv'])
  const status = await runAsJson('status')

  expect([imported.exitCode, imported.stderr]).toEqual([0, expect.any(String)])
  expect(exported.stdout).toContain(title)
  expect(await runAsJson('user', 'list')).toMatchObject([{ name: 'anna' }])
  expect(await runAsJson('app', 'list')).toMatchObject([{ name: 'an app' }])
  expect(await runAsJson('session', 'list', '--user', 'anna')).toHaveLength(1)
  expect(status).toMatchObject({ users: { all: 1, admins: 1 }, by_user: [{ user: 'anna', sessions: 1, things: 1 }] })
})

test('a backup of a database is restored to a folder, and that is copied to another database', async () => {
  const { run } = await openDatabase()
  const [folder, target] = [await createTemporaryFolder(), await openDatabase({ isBare: true })]
  const [file, data] = [join(folder, 'things.ndjson.gz'), join(folder, 'data')]
  await run(['user', 'add', 'anna', '--password-stdin'], 'correct horse\n')

  const backup = await run(['backup', file])
  const restored = await runCli(['restore', file, '--data', data])
  const copied = await runCli(['copy', data, target.url])

  expect(backup.stderr).toBe('')
  expect(backup).toMatchObject({ exitCode: 0, stdout: `backup written to ${file}: 1 users, 0 things\n` })
  expect(restored.exitCode).toBe(0)
  expect(copied).toMatchObject({ exitCode: 0, stdout: 'copied and compared: 1 users, 0 things\n' })
  expect(await target.runAsJson('user', 'list')).toMatchObject([{ name: 'anna' }])
})

test('a server on a database that creates backups says at its start that each server creates its own', async () => {
  const { url } = await openDatabase()
  const folder = await createTemporaryFolder()
  const schedule = ['--backup-every', '1h', '--backup-folder', join(folder, 'backups')]
  const serve = (name: string, args: readonly string[]) =>
    startCliServer(join(folder, name), args, { THINGSYNC_STORE: url })

  const servers = await Promise.all([serve('one', schedule), serve('two', [])])
  const [making, other] = await Promise.all(servers.map(({ stop }) => stop()))

  const sentence = 'backups: this server backs up the whole database; set backup_every on one server only'
  expect([making?.stdout.includes(sentence), other?.stdout.includes(sentence)]).toEqual([true, false])
})

test('migrate says what it would do, does it once, and says then that there is nothing to do', async () => {
  const { run, query } = await openDatabase({ isBare: true })
  const tables = async () => (await query(`select 1 from pg_class where relname = 'thingsync_schema'`)).rowCount

  const tried = await run(['migrate', '--dry-run'])
  expect(tried).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^would be applied: 1 \(begin\)/) })
  expect(await tables()).toBe(0)
  expect(await run(['migrate'])).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^applied: 1/) })
  expect(await tables()).toBe(1)
  expect(await run(['migrate'])).toMatchObject({ exitCode: 0, stdout: 'nothing to do: the schema is up to date\n' })
})

const secret = 'S3cretOfTheDatabase'

/** A role that has to know a password, on the database of an address. */
const withPassword = (url: string, password: string): string => {
  const address = new URL(url)
  address.username = 'with_password'
  address.password = password
  return address.href
}

let closedPort = ''
beforeAll(async () => {
  const { findFreePort } = await import('../free-port.ts')
  closedPort = String(await findFreePort())
})

test.each([
  ['another port', { port: () => closedPort }, /^thingsync: database: .*ECONNREFUSED/],
  [
    'no such database',
    { pathname: () => '/nosuch', username: () => 'thingsync' },
    /^thingsync: database: database "nosuch" does not exist/,
  ],
  ['a wrong password', {}, /^thingsync: database: password authentication failed for user "with_password"/],
  ['another host', { hostname: () => 'no.such.host.invalid' }, /^thingsync: database: .*(ENOTFOUND|EAI_AGAIN)/],
])('%s is said in one sentence, without the password', async (_what, parts, sentence) => {
  const { url, query } = await openDatabase()
  await query(`do $$ begin
    if not exists (select 1 from pg_roles where rolname = 'with_password') then
      create role with_password login password 'another one';
    end if;
  end $$`)
  const wrong = new URL(withPassword(url, secret))
  for (const [part, value] of Object.entries(parts)) Object.assign(wrong, { [part]: value() })

  const runs = await Promise.all([
    runCli(['serve', '--port', '0', '--store', wrong.href]),
    runCli(['user', 'list', '--store', wrong.href]),
    runCli(['migrate', '--store', wrong.href]),
  ])

  for (const { exitCode, stdout, stderr } of runs) {
    expect(stderr).toMatch(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(`${stdout}${stderr}`).not.toContain(secret)
    expect(exitCode).toBe(1)
  }
})

test('a command that reads creates no tables in an empty database', async () => {
  const { run, query } = await openDatabase({ isBare: true })

  const runs = await Promise.all([run(['status']), run(['user', 'list'])])

  for (const { exitCode, stderr } of runs)
    expect([exitCode, stderr]).toEqual([
      1,
      'thingsync: the database has no tables of thingsync: run thingsync migrate, or start a server on it\n',
    ])
  expect((await query(`select 1 from pg_class where relname = 'thingsync_schema'`)).rowCount).toBe(0)
})

test('a role without rights gets an error of one sentence', async () => {
  const { url, query } = await openDatabase()
  await query(`do $$ begin
    if not exists (select 1 from pg_roles where rolname = 'without_rights') then create role without_rights login; end if;
  end $$`)
  const address = new URL(url)
  address.username = 'without_rights'

  const runs = await Promise.all([
    runCli(['user', 'list', '--store', address.href]),
    runCli(['serve', '--port', '0', '--store', address.href]),
    runCli(['migrate', '--store', address.href]),
  ])

  for (const { exitCode, stderr } of runs) {
    expect(stderr).toMatch(/^thingsync: database: permission denied for table \w+ \(42501\)\n$/)
    expect(exitCode).toBe(1)
  }
})

test('a schema of a later or an earlier program is rejected in one sentence', async () => {
  const { run, query } = await openDatabase()

  await query(`insert into thingsync_schema (version, serves, name, program) values (99, 99, 'later', 'later')`)
  const later = await Promise.all([run(['serve', '--port', '0']), run(['user', 'list']), run(['migrate'])])
  await query('delete from thingsync_schema')
  const none = await run(['migrate'])

  for (const { exitCode, stderr } of later) {
    expect(stderr).toMatch(
      /^thingsync: the database has schema 99, and this program knows \d+: it was created by a later version of thingsync; use that version\n$/,
    )
    expect(exitCode).toBe(1)
  }
  expect([none.exitCode, none.stderr]).toEqual([
    1,
    'thingsync: the database contains tables of another program (relation "account" already exists): use an empty one\n',
  ])
})

test('of three servers that begin at once on an empty database, one creates an admin and a link', async () => {
  const { url, runAsJson } = await openDatabase({ isBare: true })
  const folders = [await createTemporaryFolder(), await createTemporaryFolder(), await createTemporaryFolder()]

  const servers = await Promise.all(folders.map((folder) => startCliServer(folder, [], { THINGSYNC_STORE: url })))
  const files = await Promise.all(folders.map((folder) => readdir(folder)))
  const [folder = ''] = folders.filter((_folder, index) => files[index]?.includes('first-run.txt'))
  const secrets = Object.fromEntries(
    [...(await readFile(join(folder, 'first-run.txt'), 'utf8')).matchAll(/^THINGSYNC_(\w+)='(.*)'$/gm)].map(
      ([, name, value]) => [name, value],
    ),
  )
  const granted = await Promise.all(
    servers.map(({ baseUrl }) =>
      fetch(`${baseUrl}token`, {
        method: 'POST',
        body: new URLSearchParams({
          ...{ grant_type: 'password', client_id: secrets.CLIENT_ID, client_secret: secrets.CLIENT_SECRET },
          ...{ username: secrets.OWNER, password: secrets.OWNER_PASSWORD },
        }),
      }),
    ),
  )
  // The link names the server that created it; behind a balancer any other one knows it, too.
  const link = new URL(secrets.SIGN_IN_LINK)
  const [other] = servers.filter(({ baseUrl }) => new URL(baseUrl).origin !== link.origin)
  const page = await fetch(new URL(`${link.pathname}${link.search}`, other?.baseUrl))
  const runs = await Promise.all(servers.map(({ stop }) => stop()))

  expect(files.filter((names) => names.includes('first-run.txt'))).toHaveLength(1)
  expect(granted.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(page.status).toBe(200)
  expect(await runAsJson('user', 'list')).toMatchObject([{ name: 'owner', admin: true }])
  // Beside that of the pages.
  const apps: { readonly name: string }[] = await runAsJson('app', 'list')
  expect(apps.filter(({ name }) => name === 'first app')).toHaveLength(1)
  const announcements = runs.filter(({ stdout }) =>
    stdout.includes('This database was empty, so the server created a user'),
  )
  expect(announcements).toHaveLength(1)
  for (const { stdout, stderr } of runs) expect(`${stdout}${stderr}`).not.toContain(secrets.OWNER_PASSWORD)
})

test('a server on an empty database without a folder for secrets says how to create a user, and runs', async () => {
  const { url, runAsJson } = await openDatabase({ isBare: true })
  const file = join(await createTemporaryFolder(), 'file')
  await writeFile(file, '')

  const server = await startCliServer(join(file, 'data'), [], { THINGSYNC_STORE: url })
  const first = await server.stop()
  await runCli(['user', 'add', 'anna', '--password-stdin'], 'correct horse', { THINGSYNC_STORE: url })
  const again = await startCliServer(join(file, 'data'), [], { THINGSYNC_STORE: url })
  const second = await again.stop()

  const sentence = 'there are no users yet'
  expect(`${first.stdout}${first.stderr}`).toContain(sentence)
  expect(`${second.stdout}${second.stderr}`).not.toContain(sentence)
  expect(await runAsJson('user', 'list')).toMatchObject([{ name: 'anna', admin: true }])
})

test('a folder and a database on one command line are one too many', async () => {
  const { url } = await openDatabase()
  const data = await createTemporaryFolder()

  for (const command of [
    ['serve', '--port', '0'],
    ['user', 'list'],
    ['backup', join(data, 'file')],
  ])
    expect(await runCli([...command, '--data', data, '--store', url])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'thingsync: --data: a server stores everything in a folder or in a database; leave out --data or --store\n',
    })
  await rm(data, { recursive: true })
})
