import { expect, test } from 'vitest'
import { createAccount } from './account.ts'
import { documentAfter, emptyAccount } from './account-document.ts'
import { contractForm, makeSettings, makeThing } from './contract/fixtures.ts'
import { stageChanges } from './staging.ts'
import { type Draft, pagedDownloadSeconds, StoreFailed } from './store.ts'
import { viewAccount } from './view.ts'

const openAccount = () => {
  let milliseconds = 0
  const account = createAccount(contractForm, () => milliseconds, emptyAccount)
  const write = async (work: (draft: Draft) => Promise<unknown>): Promise<void> => {
    const { draft, finish } = stageChanges(account, 'phone')
    await work(draft)
    account.apply(finish())
  }
  const passTime = (passed: number): void => {
    milliseconds += passed
  }
  return { account, write, passTime }
}

const changeOften = async (draft: Draft): Promise<void> => {
  for (let n = 0; n < 2000; n += 1) await draft.putThing(makeThing('often', { title: `${n}`, tags: `tag${n}` }))
  for (let n = 0; n < 2000; n += 1) await draft.putTag('red', makeSettings(n % 2 === 0 ? 'strike' : false))
}

const countVersions = (entry: { readonly previous: unknown } | undefined): number => {
  let count = 0
  for (let version: unknown = entry; typeof version === 'object' && version !== null && 'previous' in version; ) {
    count += 1
    version = version.previous
  }
  return count
}

test('replaced versions are dropped when no paged download can need them', async () => {
  const { account, write, passTime } = openAccount()
  await write(changeOften)
  const view = viewAccount(account, account.position())
  passTime(2000)
  await write(changeOften)
  expect(account.readableFrom()).toBe(0)
  passTime(pagedDownloadSeconds * 1000)

  await write(changeOften)

  expect(account.readableFrom()).toBe(4000)
  expect(countVersions(account.findEntry('often', account.position()))).toBe(4001)
  expect(countVersions(account.findTag('red', account.position()))).toBe(4001)
  expect(await view.findThing('often')).toMatchObject({ title: '1999' })
  passTime(pagedDownloadSeconds * 1000)
  await write(changeOften)
  expect(account.readableFrom()).toBe(8000)
  await expect(view.findThing('often')).rejects.toThrow(StoreFailed)
  await expect(view.list({ after: 0 })).rejects.toThrow('position 4000 is no longer known')
  expect(account.tagged.size).toBe(2000)
})

test('the document of a write is what the account is after it', async () => {
  const { account, write } = openAccount()
  await write(async (draft) => {
    for (const id of ['a', 'b', 'c', 'd']) await draft.putThing(makeThing(id))
    await draft.putTag('red', makeSettings())
    await draft.putTag('blue', makeSettings())
    await draft.putRecord('kind', 'group', 'key', 1)
    await draft.deleteThing('d')
  })
  const before = documentAfter(account, [])
  const staging = stageChanges(account, 'laptop')
  await staging.draft.putThing(makeThing('e'))
  await staging.draft.putThing(makeThing('a', { title: 'one' }))
  await staging.draft.putThing(makeThing('e', { title: 'two' }))
  await staging.draft.deleteThing('b')
  await staging.draft.putThing(makeThing('d'))
  await staging.draft.deleteThing('d')
  await staging.draft.putTag('red', makeSettings('strike'))
  await staging.draft.putRecord('kind', 'group', 'other', 2)
  await staging.draft.deleteRecord('kind', 'group', 'key')
  const changes = staging.finish()

  const next = documentAfter(account, changes)

  expect(documentAfter(account, [])).toEqual(before)
  account.apply(changes)
  expect(documentAfter(account, [])).toEqual(next)
  expect(next.things.map(({ id }) => id)).toEqual(['c', 'a', 'e'])
  expect(next.tombstones.map(({ id }) => id)).toEqual(['b', 'd'])
  expect(
    documentAfter(
      createAccount(contractForm, () => 0, next),
      [],
    ),
  ).toEqual(next)
})
