import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addApp } from '../../src/accounts/apps.ts'
import { createLink } from '../../src/accounts/links.ts'
import { addPersonalToken } from '../../src/accounts/token-grants.ts'
import { addUser } from '../../src/accounts/users.ts'
import { systemEnvironment } from '../../src/environment.ts'
import { inspectDatabase } from '../../src/store/postgres/inspect/inspect-database.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import type { Store } from '../../src/store/store.ts'
import { thingForm } from '../../src/things/thing.ts'
import { createThing } from '../store/fixtures.ts'
import { createTemporaryFolder, runCli } from '../support/run-cli.ts'
import { openTestDatabase, type TestDatabase, withConnection } from './open-database.ts'

let database: TestDatabase
let store: Store
let anna = ''

const run = (sql: string, values: readonly unknown[] = []) =>
  withConnection(database.url, (connection) => connection.query(sql, [...values]))

beforeAll(async () => {
  database = await openTestDatabase()
  store = await openPostgres({ url: database.url, form: thingForm })
  anna = (await addUser(store, { name: 'anna', password: 'correct horse' }, systemEnvironment)).id
  await addApp(store, 'an app', systemEnvironment)
  await createLink(store, { kind: 'first-sign-in', userId: anna }, systemEnvironment)
  await addPersonalToken(store, { userId: anna, name: 'a token', isReadOnly: false }, systemEnvironment)
  await store.write(anna, 'session', async (draft) => {
    await draft.putTag('todo', { favorite: true, color: '#aabbcc', todo: 'strike' })
    // More than a page of them.
    for (let number = 1; number <= 1100; number += 1) await draft.putThing(createThing(`a${number}`, { tags: 'todo' }))
    await draft.putThing(createThing('é'.repeat(128)))
    await draft.deleteThing('a7')
    await draft.putRecord('kind', 'group', 'k'.repeat(500), { text: '\0' })
    await draft.putOutboxEntry('\0 entry', 5)
  })
  const { position } = await store.read(anna)
  await store.rememberListing(anna, 'session', 'listing', {
    ...{ position, after: 0, omit: new Set(['a1']), missingIds: new Set() },
  })
  await store.write(anna, 'session', (draft) => draft.putThing(createThing('a8', { title: 'another' })))
  await store.write('nobody', 'session', (draft) => draft.putThing(createThing('left')))
})

afterAll(async () => {
  await store.close()
  await database.drop()
})

// Each damage is planted in a copy of all rows, which are put back.
const tables = [
  'account',
  'item',
  'earlier',
  'record',
  'delivery',
  'open_listing',
  'session',
  'session_hash',
  'users',
  'app',
  'link',
]

beforeEach(async () => {
  for (const table of tables) await run(`create table if not exists "kept_${table}" as table ${table}`)
  for (const table of tables) await run(`delete from ${table}`)
  for (const table of tables) {
    const { rows } = await run(
      `select string_agg(attname, ', ') as columns from pg_attribute
       where attrelid = '${table}'::regclass and attnum > 0 and attgenerated = ''`,
    )
    await run(`insert into ${table} (${rows[0].columns}) select ${rows[0].columns} from "kept_${table}"`)
  }
})

const findDamage = async () => {
  const { files } = await inspectDatabase(database.url)
  return files.flatMap(({ file, state, says }) => (state === 'damaged' ? [[file, says]] : []))
}

test('a database that is whole is, and its rows of nobody are noted', async () => {
  const { checked, files } = await inspectDatabase(database.url)

  expect(files.filter(({ state }) => state !== 'whole')).toEqual([
    {
      file: 'account/nobody',
      state: 'note',
      bytes: expect.any(Number),
      says: 'the account of no user; no user can read it',
    },
  ])
  expect(checked).toBe(10)
  expect((await run('select from earlier')).rowCount).toBe(1)
})

const ofAnna = () => `account/${anna}`
const first = (assignment: string) => () =>
  `update item set ${assignment} where account = '${anna}' and key = 'thing=a1'`
const account = (assignment: string) => () => `update account set ${assignment} where id = '${anna}'`
const all = (sql: string) => () => sql

test.each<readonly [what: string, sql: () => string, file: () => string, says: RegExp]>([
  ['a step that is cut', first('step = left(step, -3)'), ofAnna, /thing=a1: its step is not valid for/],
  ['a step without a title', first(`step = replace(step, '"title"', '"titel"')`), ofAnna, /thing=a1: its step is not/],
  [
    'a step of another thing',
    first(`step = replace(step, '"a1"', '"a2"')`),
    ofAnna,
    /thing=a1: its step is of thing=a2/,
  ],
  [
    'a position that is not that of the step',
    first('position = 900000'),
    ofAnna,
    /thing=a1: the row says position 900000, its step 2/,
  ],
  [
    'a creation after the change',
    first(`step = replace(step, '[2,2,', '[2,3,')`),
    ofAnna,
    /thing=a1: .* created at 3, after its last change at 2/,
  ],
  [
    'an account that is behind',
    account('position = 1000'),
    ofAnna,
    /thing=a1000: its position is 1001, above the account's, 1000; .* and \d+ more/,
  ],
  [
    'a lost position that is there',
    account(`gaps = '[[5, 9]]'`),
    ofAnna,
    /thing=a5: its position is 6, but positions 6 to 9 were lost/,
  ],
  ['lost positions that are none', account(`gaps = '[[9, 5]]'`), ofAnna, /its lost positions are not pairs/],
  [
    'a raise that nobody knows',
    account('raised = 7'),
    ofAnna,
    /raised by 7, but the database raises positions by 0 only/,
  ],
  [
    'an account without its row',
    () => `delete from account where id = '${anna}'`,
    ofAnna,
    /^tag=todo: it belongs to an account that does not exist/,
  ],
  [
    'an earlier version of something else',
    all(`update earlier set step = replace(step, '"a8"', '"a9"')`),
    ofAnna,
    /earlier thing=a8 at 9: its step is of thing=a9/,
  ],
  [
    'a record of another key',
    all(`update record set step = replace(step, 'kkk', 'k')`),
    ofAnna,
    /record .*: its step is of =4 kindgroup #/,
  ],
  ['a record from the future', all('update record set revision = 99'), ofAnna, /its revision is 99, the account's \d/],
  [
    'an outbox entry of another name',
    all(`update delivery set name = '"other"'`),
    ofAnna,
    /delivery #.*: its name is of =other/,
  ],
  [
    'an outbox entry that is never due',
    all('update delivery set available_at = null'),
    ofAnna,
    /it is both due and settled/,
  ],
  [
    'an open listing that cannot be read',
    all(`update open_listing set listing = '{}'`),
    ofAnna,
    /open listing session =listing: it is not valid/,
  ],
  [
    'a user of another name',
    all(`update users set name = '"bert"'`),
    all('users'),
    /the row says the name "bert", its item "anna"/,
  ],
  ['a user that is not found', all(`update users set folded_name = '"x"'`), all('users'), /is found by "x"/],
  ['a user who cannot be read', all(`update users set item = 'x'`), all('users'), /its item is not a valid user/],
  ['an app of another id', all(`update app set client_id = '"x"'`), all('app'), /its item is of "/],
  ['a token that is not found', all('delete from session_hash'), all('session'), /1 of its tokens cannot be found/],
  [
    'a hash of no token',
    all(`insert into session_hash select '"x"', 'access', account, id from session`),
    all('session'),
    /1 hashes belong to it that are not of its tokens/,
  ],
  [
    'a hash of no session',
    all(`insert into session_hash values ('"x"', 'access', '"nobody"', '"none"')`),
    all('session_hash'),
    /"x" access: it belongs to a session that does not exist/,
  ],
  ['a session that cannot be read', all(`update session set item = '{}'`), all('session'), /not a valid session/],
  [
    'a link of nobody',
    all(`update link set item = replace(item, '"userId":"', '"userId":"x')`),
    all('link'),
    /it belongs to the user "x.*, who does not exist/,
  ],
])('%s is found, named, and the only damage', async (_what, sql, file, says) => {
  const planted = await run(sql())

  expect(planted.rowCount).toBe(1)
  expect(await findDamage()).toEqual([[file(), expect.stringMatching(says)]])
})

test('sessions of a user who is gone are damage, and the account is noted', async () => {
  await run('delete from users')

  expect(await findDamage()).toEqual([
    ['session', expect.stringContaining('who does not exist')],
    ['link', expect.stringContaining('who does not exist')],
  ])
})

test('verify and stats print the same as for a folder, while a server works on the database', async () => {
  const runOnStore = (...args: readonly string[]) => runCli([...args, '--store', database.url])

  const whole = await runOnStore('verify')
  const stats = await runOnStore('stats', '--format', 'json')
  const table = await runOnStore('stats')
  const repair = await runOnStore('verify', '--repair')
  await run(`update item set step = 'x' where key = 'thing=a1'`)
  const damaged = await runOnStore('verify')
  const asJson = await runOnStore('verify', '--format', 'json')
  await store.write(anna, 'session', (draft) => draft.putThing(createThing('meanwhile')))

  expect(whole).toMatchObject({ exitCode: 0, stderr: '' })
  expect(whole.stdout).toBe(
    `note    account/nobody: the account of no user; no user can read it\n${database.url}: 10 accounts and tables checked, 0 damaged\n`,
  )
  expect(JSON.parse(stats.stdout)).toEqual({
    ...{ users: 1, apps: 1, sessions: 1, accounts: 2, things: 1101, deletions: 1, outbox_entries: 1 },
    ...{ bytes: expect.any(Number), account_bytes: expect.any(Number) },
    ...{ journal_bytes: null, journal_segments: null, journal_writes: null, last_checkpoint: null },
  })
  expect(table.stdout).toMatch(/things +1,101\n/)
  expect([repair.exitCode, repair.stderr]).toEqual([
    1,
    'thingsync: --repair works on data folders only; restore the database from its own backup, or change the rows that "verify" names\n',
  ])
  expect(damaged.exitCode).toBe(3)
  expect(damaged.stdout).toContain(
    `DAMAGED account/${anna}: thing=a1: its step is not valid for a thing, deletion or tag; the account of anna\n`,
  )
  expect(damaged.stderr).toMatch(/^thingsync: database .*: 1 account or table is damaged; .*\n$/)
  expect(asJson.exitCode).toBe(3)
  expect(JSON.parse(asJson.stdout)).toMatchObject({ data: database.url, checked: 10, damaged: 1, kept_in: null })
})

test('a database without tables of ours cannot be checked, and stays without', async () => {
  const { url, drop } = await openTestDatabase({ isBare: true })
  try {
    await expect(inspectDatabase(url)).rejects.toThrow('the database contains no tables of thingsync')
    const { rows } = await withConnection(url, (connection) =>
      connection.query(`select relname from pg_class where relnamespace = 'public'::regnamespace`),
    )
    expect(rows).toEqual([])
  } finally {
    await drop()
  }
})

test('a backup of a database is rehearsed, and restore says where it goes instead', async () => {
  const file = join(await createTemporaryFolder(), 'things.ndjson.gz')
  const backup = await runCli(['backup', file, '--store', database.url])

  const rehearsed = await runCli(['rehearse-restore', file], '', { THINGSYNC_STORE: database.url })
  const restored = await runCli(['restore', file, '--store', database.url])

  expect(backup.exitCode).toBe(0)
  expect([rehearsed.exitCode, rehearsed.stderr]).toEqual([0, ''])
  expect(rehearsed.stdout).toContain('everything was restored')
  expect([restored.exitCode, restored.stderr]).toEqual([
    1,
    'thingsync: restore: cannot write to a database; restore to a data folder, then use "thingsync copy"\n',
  ])
})
