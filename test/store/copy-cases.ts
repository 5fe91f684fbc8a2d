import assert from 'node:assert/strict'
import type { StoreItem } from '../../src/store/record/backup-format.ts'
import type { Store } from '../../src/store/store.ts'
import { acrossRestart, type ContractCase } from './contract-case.ts'
import { createSettings, createThing, putThings } from './fixtures.ts'

const collect = async (items: AsyncIterable<StoreItem>): Promise<readonly StoreItem[]> => {
  const list: StoreItem[] = []
  for await (const item of items) list.push(item)
  return list
}

const key = { name: 'vapid', publicKey: 'public', privateKey: 'private', createdAt: 1 }

const addUsers = (store: Store): Promise<void> =>
  store.registry.change(async (draft) => {
    for (const id of ['ann', 'bob'])
      await draft.put('users', { id, name: `${id}'s name`, passwordHash: 'x', createdAt: 1 })
  })

/** A copy of everything, for a backup: `listItems`. */
export const copyCases: readonly ContractCase[] = [
  {
    name: 'a copy of everything holds the registry and each account, with deletions, settings, records and outbox',
    run: async (opened) => {
      await addUsers(opened.store)
      await putThings(opened.store, 'ann', createThing('a'), createThing('b'))
      await opened.store.write('ann', 'phone', async (draft) => {
        await draft.deleteThing('a')
        await draft.putTag('red', createSettings('strike'))
        await draft.putRecord('kind', 'group', 'key', 1)
        await draft.putOutboxEntry('hook', 5)
      })
      await opened.store.registry.change((draft) => draft.put('keys', key))
      for await (const store of acrossRestart(opened))
        assert.deepEqual(await collect(store.listItems()), [
          { user: { id: 'ann', name: "ann's name", passwordHash: 'x', createdAt: 1 } },
          { user: { id: 'bob', name: "bob's name", passwordHash: 'x', createdAt: 1 } },
          { key },
          { account: 'ann', position: 4 },
          { tag: { name: 'red', position: 4, settings: createSettings('strike') } },
          {
            thing: { ...createThing('b'), position: 2, createdPosition: 2, writer: 'writer', othersPosition: 0 },
          },
          { tombstone: { id: 'a', position: 3, createdPosition: 1 } },
          { record: { kind: 'kind', group: 'group', key: 'key', value: 1 } },
          { entry: { key: 'hook', dueAt: 5 } },
          { account: 'bob', position: 0 },
        ])
    },
  },
  {
    name: 'an account in a copy is as it was at one moment, also while it is being written',
    run: async ({ store }) => {
      await addUsers(store)
      await putThings(store, 'ann', createThing('a'), createThing('b'), createThing('c'))
      const items = store.listItems()
      const begun: StoreItem[] = []
      for (let n = 0; n < 4; n += 1) begun.push(...[await items.next()].flatMap(({ value }) => value ?? []))

      await putThings(store, 'ann', createThing('b', { title: 'changed' }), createThing('d'))

      const rest = await collect(items)
      const ofAnn = [...begun, ...rest].flatMap((item) =>
        'thing' in item ? [[item.thing.id, item.thing.position]] : [],
      )
      assert.deepEqual(begun.at(2), { account: 'ann', position: 3 })
      assert.deepEqual(ofAnn, [
        ['a', 1],
        ['b', 2],
        ['c', 3],
      ])
    },
  },
]
