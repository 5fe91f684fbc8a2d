import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { addUser } from '../../src/accounts/users.ts'
import { runCopy } from '../../src/cli/copy-commands.ts'
import { systemEnvironment } from '../../src/environment.ts'
import { openJsonFileStore } from '../../src/store/json-file-store.ts'
import type { Thing } from '../../src/store/model.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import type { Store } from '../../src/store/store.ts'
import { listChanges } from '../../src/things/list-changes.ts'
import { thingForm } from '../../src/things/thing.ts'
import { fillStore } from '../support/restore.ts'
import { openTestDatabase, withConnection } from './open-database.ts'

const createThing = (id: string, tags: string): Thing => ({
  ...{ id, title: `thing ${id}`, tags, date: 1, archived: false, todoStatus: true },
})

const fill = async (store: Store): Promise<void> => {
  for (const name of ['anna', 'bert']) {
    const { id } = await addUser(store, { name, password: 'correct horse' }, systemEnvironment)
    await store.write(id, 'session', async (draft) => {
      await draft.putTag('todo', { favorite: true, color: '#aabbcc', todo: 'strike' })
      for (let number = 0; number < 1500; number += 1)
        await draft.putThing(createThing(`${name}${number}`, number % 2 === 0 ? 'todo' : 'a\0b'))
      await draft.deleteThing(`${name}7`)
      await draft.putRecord('kind', 'group', 'k'.repeat(5000), { text: '\0' })
      await draft.putOutboxEntry('entry', 5)
    })
    await store.write(id, 'other', (draft) => draft.putTag('todo', { favorite: true, color: false, todo: false }))
  }
}

const openFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-copy-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

const openEmptyDatabase = async (): Promise<string> => {
  const { url, drop } = await openTestDatabase({ isBare: true })
  onTestFinished(drop)
  return url
}

const listAfter = async (store: Store, name: string, after: number) => {
  const user = await store.registry.findUserByName(name)
  const view = await store.read(String(user?.id))
  const listing = await view.list({ after })
  let changed = ''
  for await (const { json } of listing.changed()) changed += json
  const deleted: string[] = []
  for await (const id of listing.deleted()) deleted.push(id)
  return { position: view.position, changed: JSON.parse(`[${changed}]`), deleted }
}

test('everything goes to a database and back, and clients go on with their positions', async () => {
  const [from, back] = [join(await openFolder(), 'from'), join(await openFolder(), 'back')]
  const url = await openEmptyDatabase()
  const first = await openJsonFileStore({ folder: from, form: thingForm })
  await fill(first)
  const before = [await listAfter(first, 'anna', 0), await listAfter(first, 'bert', 1000)]
  await first.close()

  const there = await runCopy(from, url, () => undefined)
  const second = await openPostgres({ url, form: thingForm })
  const between = [await listAfter(second, 'anna', 0), await listAfter(second, 'bert', 1000)]
  await second.close()
  const andBack = await runCopy(url, back, () => undefined)
  const third = await openJsonFileStore({ folder: back, form: thingForm })
  onTestFinished(third.close)

  expect(between).toEqual(before)
  expect([await listAfter(third, 'anna', 0), await listAfter(third, 'bert', 1000)]).toEqual(before)
  expect(andBack).toEqual(there)
  expect(there.counts).toMatchObject({ user: 2, account: 2, thing: 2998, tombstone: 2, tag: 2, record: 2, entry: 2 })
})

test('nothing is copied into a database that holds something', async () => {
  const from = join(await openFolder(), 'from')
  const store = await openJsonFileStore({ folder: from, form: thingForm })
  await addUser(store, { name: 'anna', password: 'correct horse' }, systemEnvironment)
  await store.close()
  const url = await openEmptyDatabase()
  await runCopy(from, url, () => undefined)

  await expect(runCopy(from, url, () => undefined)).rejects.toThrow('the database is not empty')
})

/** Items that a restore rejects, each put into a store that was filled before. */
const wrongs: Readonly<Record<string, readonly [wrong: string, put: (store: Store) => Promise<unknown>]>> = {
  'a redirect URI that no form accepts': [
    'the app has a field redirectUris, which has an entry that a form of this program rejects',
    (store) =>
      store.registry.change(async (registry) => {
        const app = (await registry.listApps()).find(({ name }) => name === 'reader')
        if (app !== undefined) await registry.put('apps', { ...app, redirectUris: ['javascript:alert(1)'] })
      }),
  ],
  'a hash that takes gigabytes to check': [
    'the user has a field passwordHash, which must be the argon2id hash of a password',
    (store) =>
      store.registry.change(async (registry) => {
        const user = await registry.findUserByName('anna')
        const passwordHash = `${user?.passwordHash}`.replace(/m=\d+,t=\d+/, 'm=4194304,t=1000')
        if (user !== undefined) await registry.put('users', { ...user, passwordHash })
      }),
  ],
  'a webhook with another scheme': [
    'the record of kind webhook has a field targetUrl, which must be an absolute http or https URL',
    async (store) => {
      const user = await store.registry.findUserByName('anna')
      return store.write(`${user?.id}`, 'phone', async (draft) => {
        const [hook] = (await draft.listRecords('webhook', 'all')).values()
        await draft.putRecord('webhook', 'all', 'key', { ...(hook as object), targetUrl: 'ftp://hook.example/' })
      })
    },
  ],
}

test.each(Object.entries(wrongs))('%s is copied neither to a database nor from one', async (_, [wrong, put]) => {
  const [from, back] = [join(await openFolder(), 'from'), join(await openFolder(), 'back')]
  const [url, target] = [await openEmptyDatabase(), await openEmptyDatabase()]
  const folder = await openJsonFileStore({ folder: from, form: thingForm })
  await fillStore(folder)
  await folder.close()
  // Of a whole store everything is copied.
  await runCopy(from, url, () => undefined)
  for (const location of [from, url]) {
    const store = await openAt(location)
    await put(store)
    await store.close()
  }

  const outcomes = await Promise.allSettled([
    runCopy(from, target, () => undefined),
    runCopy(url, back, () => undefined),
  ])

  for (const outcome of outcomes)
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: { name: 'CommandFailed', message: expect.stringContaining(wrong) },
    })
  const { rows } = await withConnection(target, (connection) =>
    connection.query(`select 1 from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`),
  )
  expect(rows).toEqual([])
  await expect(readdir(back)).rejects.toThrow('ENOENT')
})

/** Lists the changes after a position: the IDs of things, and the position then. */
const query = async (location: string, name: string, from: number) => {
  const store = await openAt(location)
  const user = await store.registry.findUserByName(name)
  const { listing, position } = await listChanges(store, { userId: String(user?.id), session: 'laptop', from })
  const ids: string[] = []
  for await (const { json } of listing.changed())
    ids.push(...[...String(json).matchAll(/"_id":"([^"]*)"/g)].map(([, id = '']) => id))
  await store.close()
  return { ids, position }
}

const openAt = (location: string): Promise<Store> =>
  location.startsWith('postgres:')
    ? openPostgres({ url: location, form: thingForm })
    : openJsonFileStore({ folder: location, form: thingForm })

const put = async (location: string, name: string, ids: readonly string[]): Promise<void> => {
  const store = await openAt(location)
  const user = await store.registry.findUserByName(name)
  for (const id of ids) await store.write(String(user?.id), 'phone', (draft) => draft.putThing(createThing(id, '')))
  await store.close()
}

test('positions that were lost in a failover stay lost wherever an account is copied to', async () => {
  const url = await openEmptyDatabase()
  const first = await openPostgres({ url, form: thingForm })
  for (const name of ['anna', 'bert', 'carol'])
    await addUser(first, { name, password: 'correct horse' }, systemEnvironment)
  await first.close()
  await put(url, 'anna', ['kept'])
  await put(url, 'bert', ['kept'])
  // From here on another database goes on. It lacks what was acknowledged to anna, bert and carol at 2, 2 and 1.
  await withConnection(url, (connection) => connection.query(`update incarnation set name = 'the one that was lost'`))
  // Of bert and carol nothing is written before the copy.
  await put(url, 'anna', ['new'])
  const anna = await query(url, 'anna', 1)

  const locations = [join(await openFolder(), 'a'), await openEmptyDatabase(), join(await openFolder(), 'b')]
  let from = url
  for (const to of locations) {
    await runCopy(from, to, () => undefined)
    from = to
  }
  const responses = []
  for (const location of locations) {
    for (const name of ['bert', 'carol']) await put(location, name, ['later', 'last'])
    responses.push(
      await query(location, 'anna', 2),
      await query(location, 'anna', 1),
      await query(location, 'anna', anna.position),
    )
    for (const name of ['bert', 'carol']) responses.push(await query(location, name, 2), await query(location, name, 1))
  }

  const raised = anna.position
  expect(raised).toBeGreaterThan(1_000_000)
  const expected = [
    { ids: ['kept', 'new'], position: raised },
    { ids: ['new'], position: raised },
    { ids: [], position: raised },
    { ids: ['kept', 'later', 'last'], position: raised + 1 },
    { ids: ['later', 'last'], position: raised + 1 },
    { ids: ['later', 'last'], position: raised },
    { ids: ['later', 'last'], position: raised },
  ]
  expect(responses).toEqual([...expected, ...expected, ...expected])
})
