import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { contractForm, createThing, putThings } from '../../../test/store/fixtures.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import { type FoundJournal, inspectAccount, inspectRegistry, readFolder, readJournal } from './inspect.ts'

/** A journal whose segments the server removes at the moment of the first read of a line. */
const removeBefore = (journal: FoundJournal, checkpoint: () => Promise<void>): FoundJournal => ({
  ...journal,
  async *read(...args) {
    await checkpoint()
    yield* journal.read(...args)
  },
})

test('when the server removes a segment meanwhile, accounts and users are read again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-removed-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const store = await openJsonFileStore({ folder, form: contractForm })
  await store.registry.change((draft) => draft.put('users', { id: 'ann', name: 'ann', passwordHash: '', createdAt: 1 }))
  await putThings(store, 'ann', createThing('a'), createThing('b'))
  const ofRegistry = removeBefore(await readJournal(folder, async () => []), store.checkpoint)

  const { found: kept } = await inspectRegistry(folder, ofRegistry)
  await putThings(store, 'ann', createThing('c'))
  const ofAccount = removeBefore(await readJournal(folder, async () => []), store.checkpoint)
  const { found } = await inspectAccount(folder, 'ann', { journal: ofAccount, raises: [], known: new Map() })

  expect(kept?.document.users.map(({ id }) => id)).toEqual(['ann'])
  expect(found).toEqual({ position: 3, things: 3, deletions: 0, isEmpty: false })
  await store.close()
})

test('an account that the server removes meanwhile, with its only file, is not listed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-removed-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const store = await openJsonFileStore({ folder, form: contractForm })
  onTestFinished(store.close)
  await putThings(store, 'ann', createThing('a'))
  await putThings(store, 'bob', createThing('b'))
  let journals = 0

  const read = await readFolder(folder, async (...args) => {
    const journal = await readJournal(folder, args[1])
    journals += 1
    if (journals > 1) return journal
    await store.removeAccount('ann')
    await store.checkpoint()
    return journal
  })

  expect(read.accounts.map(({ userId, found }) => [userId, found?.things])).toEqual([['bob', 1]])
})
