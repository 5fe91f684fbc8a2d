import { showValue } from '../encoding.ts'
import { expect, expectSame } from '../expect.ts'
import type { Lab } from '../lab.ts'
import type { Replica } from '../replica.ts'
import { NoResponse, Skipped } from '../result.ts'
import { coreRulesOf } from '../rule.ts'
import { isSyncResponse, readSyncResponse, type SyncParameters, type SyncResponse } from '../sync-messages.ts'

/** Numbers of things to try at once; a server may reject that many (interface 8), and then gets fewer. */
const ladder = [1_100, 300, 120, 45] as const

const small = { favorite: false, color: false, todo: false } as const

/** Returns the response to the largest upload that the server accepts. */
const uploadMaximum = async (
  phone: Replica,
  what: string,
  write: (count: number) => SyncParameters,
): Promise<{ count: number; response: SyncResponse }> => {
  for (const count of ladder) {
    const parameters = write(count)
    try {
      const reply = await phone.trySync(parameters)
      if (isSyncResponse(reply)) return { count, response: readSyncResponse(reply, `an upload of ${count} ${what}`) }
      if (reply.error === undefined && reply.status < 400) readSyncResponse(reply, `an upload of ${count} ${what}`)
    } catch (error) {
      // A server may close the connection of an upload that is too large.
      if (!(error instanceof NoResponse) || error.isSilence) throw error
    }
  }
  throw new Skipped(`the server rejects ${ladder.at(-1)} ${what} in one request`)
}

const removeAll = async (phone: Replica, ids: readonly string[]): Promise<void> => {
  for (let start = 0; start < ids.length; start += 100) {
    const reply = await phone.trySync({ from: await phone.position(), deleted_thing: ids.slice(start, start + 100) })
    if (!isSyncResponse(reply)) return
  }
}

/** Creates as many things in one upload as the server accepts; returns IDs in the order submitted. */
const createMaximum = async (lab: Lab, form: 'array' | 'repeated') => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const from = await laptop.position()
  const { count, response } = await uploadMaximum(phone, `new things (${form})`, (many) => ({
    from,
    form,
    new_thing: Array.from({ length: many }, (_, index) => ({ local_id: index + 1, title: `${lab.mark} ${index + 1}` })),
  }))
  const ids = Array.from(
    { length: count },
    (_, index) => response.created.get(`${index + 1}`) ?? `none for ${index + 1}`,
  )
  return { phone, laptop, from, count, response, ids }
}

const expectAll = (
  response: SyncResponse,
  ids: readonly string[],
  notified: Iterable<string>,
  expected: string,
): void => {
  const listed = new Set(notified)
  const missing = ids.filter((id) => !listed.has(id))
  const came = `${missing.length} are missing: ${showValue(missing.slice(0, 3))}`
  expect(missing.length === 0, expected, came, response)
}

/** Sizes (interface 4.3, 8): an accepted upload is accepted as a whole, and a listing is complete. */
export const sizeRules = coreRulesOf('4.3', [
  {
    id: 'SIZE-NEW-01',
    title: 'MUST create and map every thing of a large array that it takes',
    basis: 'implied',
    requirements: ['C-4.3-15', 'C-4.3-22', 'C-4.3-5'],
    faults: [
      'new-hundred-at-most',
      'new-250-at-most',
      'new-1000-at-most',
      'new-fifty-at-most',
      'new-map-hundred-at-most',
      'many-things-returned-empty',
    ],
    alone: true,
    check: async (lab) => {
      const { phone, laptop, from, count, ids } = await createMaximum(lab, 'array')
      const incremental = await laptop.sync({ from })
      await removeAll(phone, ids)
      expectAll(
        incremental,
        ids,
        incremental.changed,
        `${count} things in an incremental sync, which phone created in one array`,
      )
    },
  },
  {
    // Some languages read at most a thousand parameters, and silently drop the others.
    id: 'SIZE-NEW-02',
    title: 'MUST create every one of very many repeated new_thing[] that it takes',
    basis: 'implied',
    requirements: ['C-4.3-16', 'C-4.3-22'],
    faults: ['parameters-thousand-at-most', 'parameters-hundred-at-most', 'parameters-fifty-at-most'],
    alone: true,
    check: async (lab) => {
      const { phone, laptop, from, count, ids } = await createMaximum(lab, 'repeated')
      const incremental = await laptop.sync({ from })
      await removeAll(phone, ids)
      expectAll(
        incremental,
        ids,
        incremental.changed,
        `${count} things in an incremental sync, which phone created as new_thing[]`,
      )
    },
  },
  {
    // Batches end somewhere inside a server; things at the edge of a batch are lost most easily.
    id: 'SIZE-NEW-03',
    title: 'MUST create and map every thing of an array of as many as batches often have',
    basis: 'implied',
    requirements: ['C-4.3-15', 'C-4.3-22'],
    faults: [
      'new-last-of-hundred-lost',
      'new-last-of-250-lost',
      'new-last-of-hundred-unlisted',
      'new-last-of-twenty-lost',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const count of [10, 20, 25, 50, 100, 128, 200, 250, 256]) {
        const from = await phone.position()
        const localIds = Array.from({ length: count }, () => lab.unique())
        const reply = await phone.trySync({
          from,
          new_thing: localIds.map((localId) => ({ local_id: localId, title: localId })),
        })
        if (!isSyncResponse(reply)) return
        const response = readSyncResponse(reply, `an upload of ${count} things`)
        const incremental = await phone.sync({ from, method: 'POST' })
        const ids = localIds.flatMap((localId) => response.created.get(localId) ?? [])
        expectSame(ids.length, count, `entries of things.new, because ${count} things were submitted`, response)
        await removeAll(phone, ids)
        expectAll(
          incremental,
          ids,
          incremental.changed,
          `${count} things in an incremental sync, which phone created in one array`,
        )
      }
    },
  },
  {
    id: 'SIZE-LIST-01',
    title: 'MUST list and count every one of very many things, in an incremental and a full sync, whole and by pages',
    requirements: ['C-4.3-4', 'C-4.3-5', 'C-4.3-19', 'C-4.3-9'],
    faults: [
      'incremental-capped-at-100',
      'incremental-capped-at-1000',
      'full-capped-at-200',
      'full-capped-at-1000',
      'page-capped-at-50',
      'page-capped-at-500',
      'thing-count-capped',
      'page-skip-capped',
      'incremental-cut-at-700-counted-whole',
    ],
    alone: true,
    check: async (lab) => {
      const { phone, laptop, from, count, ids } = await createMaximum(lab, 'array')
      try {
        const incremental = await laptop.sync({ from })
        expectAll(incremental, ids, incremental.changed, `${count} things in an incremental sync`)
        expectSame(incremental.json.thingCount, count, 'thingCount, because phone created as many', incremental)
        const full = await laptop.listAll()
        expectAll(full, ids, full.changed, `${count} things of phone in a full sync`)
        const limit = Math.ceil(count * 0.6)
        const first = await laptop.sync({ from, skip: 0, limit })
        const second = await laptop.sync({ from, skip: limit, limit })
        const paged = [...first.changed, ...second.changed]
        expectSame(
          [paged.length, new Set(paged).size],
          [count, count],
          `how many things, and how many different ones, come on two pages of ${limit}`,
          second,
        )
      } finally {
        await removeAll(phone, ids)
      }
    },
  },
  {
    id: 'SIZE-CHANGE-01',
    title: 'MUST apply every change of a large array that it takes',
    basis: 'implied',
    requirements: ['C-4.3-15', 'C-4.3-11'],
    faults: ['changed-hundred-at-most', 'changed-1000-at-most', 'changed-fifty-at-most'],
    alone: true,
    check: async (lab) => {
      const { phone, laptop, ids } = await createMaximum(lab, 'array')
      const from = await laptop.position()
      const { count } = await uploadMaximum(phone, 'changes', (many) => ({
        from,
        changed_thing: ids.slice(0, many).map((id) => ({ _id: id, title: `${lab.mark} changed` })),
      }))
      const incremental = await laptop.sync({ from })
      await removeAll(phone, ids)
      const changed = [...incremental.things].flatMap(([id, { title }]) =>
        title === `${lab.mark} changed` ? [id] : [],
      )
      expectAll(
        incremental,
        ids.slice(0, count),
        changed,
        `${Math.min(count, ids.length)} changed things with their new title`,
      )
    },
  },
  {
    id: 'SIZE-DELETE-01',
    title: 'MUST delete every thing of a large array that it takes, and list and count every deletion',
    basis: 'implied',
    requirements: ['C-4.3-15', 'C-4.3-12', 'C-4.3-24', 'C-4.3-19'],
    faults: [
      'deleted-hundred-at-most',
      'deleted-1000-at-most',
      'deletions-listed-100',
      'deletions-listed-1000',
      'deletions-remembered-100',
      'thing-count-deletions-capped',
      'deleted-fifty-at-most',
      'deletions-cut-at-300-counted-whole',
      'full-lists-some-deleted',
    ],
    alone: true,
    check: async (lab) => {
      const { phone, laptop, ids } = await createMaximum(lab, 'array')
      const from = await laptop.position()
      const { count } = await uploadMaximum(phone, 'deletions', (many) => ({ from, deleted_thing: ids.slice(0, many) }))
      const [incremental, full] = [await laptop.sync({ from }), await laptop.listAll()]
      await removeAll(phone, ids.slice(count))
      const removed = ids.slice(0, count)
      expectAll(incremental, removed, incremental.deleted, `${removed.length} ids in things.deleted`)
      expectSame(incremental.json.thingCount, removed.length, 'thingCount, because phone deleted as many', incremental)
      const left = removed.filter((id) => full.things.has(id))
      expect(left.length === 0, 'none of them in a full sync', `${left.length} are`, full)
    },
  },
  {
    id: 'SIZE-SKIPID-01',
    title: 'MUST leave out every one of very many ids given as skip_id that it takes',
    basis: 'implied',
    requirements: ['C-4.3-14', 'C-4.3-15'],
    faults: ['skip-id-twenty-at-most', 'skip-id-hundred-at-most'],
    alone: true,
    check: async (lab) => {
      const { phone, laptop, from, count, ids } = await createMaximum(lab, 'array')
      const came = []
      for (const form of ['array', 'repeated'] as const) {
        const reply = await laptop.trySync({ from, skip_id: ids.slice(1), form, method: 'POST' })
        if (isSyncResponse(reply)) came.push(readSyncResponse(reply, 'an incremental sync with skip_id'))
      }
      await removeAll(phone, ids)
      if (came.length === 0) throw new Skipped(`the server rejects ${count - 1} IDs as skip_id`)
      const minCount = came.sort((a, b) => a.changed.length - b.changed.length)[0]
      const expected = `one of ${count} things, the others being given as skip_id in an array or as skip_id[]`
      expectSame(minCount?.changed, ids.slice(0, 1), expected, minCount ?? ({} as SyncResponse))
    },
  },
  {
    id: 'SIZE-TAG-01',
    title: 'MUST set every one of many tags that come in one request, and list them all',
    basis: 'implied',
    requirements: ['C-4.3-13', 'C-4.3-25', 'C-2.2-4'],
    faults: ['tags-twenty-at-most', 'tags-thirty-at-most', 'incremental-tags-capped', 'full-tags-capped'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const names = Array.from({ length: 45 }, (_, index) => `${lab.mark}n${index}`)
      const some = (favorite: boolean) => Object.fromEntries(names.map((name) => [name, { ...small, favorite }]))
      const reply = await phone.trySync({ from, tag: some(true) })
      if (reply.error !== undefined) throw new Skipped(`the server rejects ${names.length} tags in one request`)
      const [incremental, full] = [await laptop.sync({ from }), await laptop.listAll()]
      await phone.trySync({ from, tag: some(false) })
      expectAll(incremental, names, incremental.tags.keys(), `settings of ${names.length} tags in an incremental sync`)
      expectAll(full, names, full.tags.keys(), `settings of ${names.length} favorite tags in a full sync`)
    },
  },
])
