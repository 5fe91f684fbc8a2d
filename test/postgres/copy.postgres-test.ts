import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { addUser } from '../../src/accounts/users.ts'
import { runCopy } from '../../src/cli/run-copy.ts'
import { openJsonFileStore } from '../../src/store/json-file-store.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import type { Store, Thing } from '../../src/store/store.ts'
import { thingForm } from '../../src/things/thing-form.ts'
import { systemWorld } from '../../src/world.ts'
import { openTestDatabase } from './open-database.ts'

const makeThing = (id: string, tags: string): Thing => ({
  ...{ id, title: `thing ${id}`, tags, date: 1, archived: false, todoStatus: true },
})

const fill = async (store: Store): Promise<void> => {
  for (const name of ['anna', 'bert']) {
    const { id } = await addUser(store, { name, password: 'correct horse' }, systemWorld)
    await store.write(id, 'session', async (draft) => {
      await draft.putTag('todo', { favorite: true, color: '#aabbcc', todo: 'strike' })
      for (let number = 0; number < 1500; number += 1)
        await draft.putThing(makeThing(`${name}${number}`, number % 2 === 0 ? 'todo' : 'a\0b'))
      await draft.deleteThing(`${name}7`)
      await draft.putRecord('kind', 'group', 'k'.repeat(5000), { text: '\0' })
      await draft.putErrand('errand', 5)
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
  expect(there.counts).toMatchObject({ user: 2, account: 2, thing: 2998, tombstone: 2, tag: 2, record: 2, errand: 2 })
})

test('nothing is copied into a database that holds something', async () => {
  const from = join(await openFolder(), 'from')
  const store = await openJsonFileStore({ folder: from, form: thingForm })
  await addUser(store, { name: 'anna', password: 'correct horse' }, systemWorld)
  await store.close()
  const url = await openEmptyDatabase()
  await runCopy(from, url, () => undefined)

  await expect(runCopy(from, url, () => undefined)).rejects.toThrow('the database is not empty')
})
