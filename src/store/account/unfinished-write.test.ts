import { expect, test } from 'vitest'
import {
  applyAll,
  contractForm,
  createSettings,
  createThing,
  noOutboxEntries,
  noReaders,
  readEverything,
} from '../../../test/store/fixtures.ts'
import type { Draft } from '../store.ts'
import { createPendingWrites, stageChanges } from '../transaction.ts'
import { type Account, beginAccount, documentOf } from './account.ts'
import { viewAccount } from './view.ts'

const ids = Array.from({ length: 200 }, (_, index) => `id${index}`)

const fill = async (draft: Draft): Promise<void> => {
  for (const [index, id] of ids.slice(0, 120).entries()) {
    const tags = ['red', 'blue red', 'blue', ''][index % 4] as string
    await draft.putThing(createThing(id, { tags, url: `u${index % 7}`, archived: index % 3 === 0, todoStatus: true }))
  }
  for (const id of ids.slice(100, 110)) await draft.deleteThing(id)
  await draft.putTag('blue', createSettings('strike'))
  await draft.putRecord('kind', 'group', 'key', 1)
}

const changeALot = async (draft: Draft): Promise<void> => {
  for (const id of ids.slice(0, 40)) await draft.putThing(createThing(id, { title: 'changed', tags: 'red green' }))
  await draft.putTag('red', createSettings('strike'))
  for (const id of ids.slice(20, 60)) await draft.deleteThing(id)
  await draft.putTag('blue', createSettings())
  for (const id of ids.slice(90, 200)) await draft.putThing(createThing(id, { tags: 'blue', url: 'u1' }))
  for (const id of ids.slice(0, 90)) await draft.putThing(createThing(id, { title: 'once more', archived: true }))
  await draft.deleteRecord('kind', 'group', 'key')
}

const stage = async (account: Account, work: (draft: Draft) => Promise<void>) => {
  const staging = stageChanges(
    createPendingWrites(account, () => noOutboxEntries),
    'phone',
  )
  await work(staging.draft)
  return staging.finish()
}

/** Reads the complete visible state of an account. */
const readAll = async (account: Account) => {
  const view = viewAccount(account, account.position(), noOutboxEntries)
  const { position, things, tombstones, tags, records } = documentOf(account)
  return {
    ...(await readEverything(view, ids)),
    own: [...(await view.listOwnIds(new Set(ids), 50))],
    records: await view.listRecords('kind', 'group'),
    document: { position, things: [...things], tombstones: [...tombstones], tags: [...tags], records: [...records] },
  }
}

test('readers see an account before or after a write, wherever its work is interrupted', async () => {
  const [account, atOnce] = [1, 2].map(() => beginAccount(contractForm, noReaders, 0).finish()) as [Account, Account]
  for (const one of [account, atOnce]) applyAll(one, await stage(one, fill))
  const before = await readAll(account)
  const changes = await stage(account, changeALot)
  applyAll(atOnce, changes)

  const seen: number[] = []
  for (const _ of account.applySteps(changes)) {
    seen.push(account.position())
    if (account.position() === before.position) expect(await readAll(account)).toEqual(before)
  }

  expect(seen.filter((position) => position === before.position).length).toBeGreaterThan(10)
  expect(new Set(seen).size).toBe(2)
  expect(await readAll(account)).toEqual(await readAll(atOnce))
  expect(await readEverything(viewAccount(account, before.position, noOutboxEntries), ids)).toMatchObject({
    full: before.full,
  })
})
