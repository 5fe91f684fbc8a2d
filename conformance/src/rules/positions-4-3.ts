import { isObject, type JsonObject, showValue } from '../encoding.ts'
import { expect, expectDeleted, expectField, expectNoThing, expectSame, expectTag, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import type { Replica } from '../replica.ts'
import { Skipped } from '../result.ts'
import { coreRulesOf, extensionRule, type Rule } from '../rule.ts'
import { readSyncResponse, type SyncResponse } from '../sync-messages.ts'

/** Positions (interface 2.3; 4.3, rules 2 and 5). */
export const positionRules = coreRulesOf('4.3', [
  {
    // Rule 5: an upload of new things gives a new position. It may be a count or a time, and it may jump.
    id: 'SYNC-POS-01',
    title: 'MUST give a new pos after new things were uploaded',
    requirements: ['C-4.3-29'],
    faults: ['upload-returns-old-pos', 'pos-zero-always'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const response = await phone.sync({ from, new_thing: [{ local_id: lab.unique(), title: lab.unique() }] })
      expect(
        response.pos !== from,
        `a pos other than ${from}, because a thing was uploaded from there`,
        'the same came',
        response,
      )
    },
  },
  {
    // "Since" needs an order: a later position is never before an earlier one, also after deletions.
    id: 'SYNC-POS-02',
    title: 'MUST NOT let pos go back',
    section: '2.3',
    basis: 'implied',
    requirements: ['C-2.3-1', 'C-4.3-31'],
    faults: ['pos-from-living-things', 'pos-thing-count'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const ids = await phone.createMany([{}, {}, {}])
      let before = await phone.position()
      for (const id of ids.reverse()) {
        await phone.remove(id)
        const response = await phone.sync({ from: before })
        expect(
          response.pos >= before,
          `a pos of at least ${before}, which was given before`,
          `${response.pos} came`,
          response,
        )
        before = response.pos
      }
    },
  },
  {
    // Changes follow each other faster than any clock ticks; each comes after the position assigned just before it.
    id: 'SYNC-POS-03',
    title: 'MUST list every change from the position that was given just before it, however quickly they follow',
    basis: 'implied',
    requirements: ['C-4.3-31'],
    faults: ['pos-second-granularity', 'pos-ahead', 'incremental-skips-one'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      let from = await laptop.position()
      for (let round = 0; round < 5; round += 1) {
        const id = await phone.create()
        const response = await laptop.sync({ from })
        expectThing(response, id, `phone created it after laptop was given ${from}`)
        from = response.pos
      }
    },
  },
  {
    id: 'SYNC-POS-04',
    title: 'MUST list a quick change, deletion and tag setting from the position that was given just before it',
    basis: 'implied',
    requirements: ['C-4.3-31'],
    faults: [
      'pos-second-granularity',
      'change-takes-no-position',
      'deletion-takes-no-position',
      'tag-takes-no-position',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const id = await phone.create()
      const created = await laptop.position()
      await phone.change(id)
      const changed = await laptop.sync({ from: created })
      expectThing(changed, id, `phone changed it after laptop was given ${created}`)
      await phone.setTag(lab.mark, { favorite: true, color: false, todo: false })
      const set = await laptop.sync({ from: changed.pos })
      expectTag(set, lab.mark, `phone changed them after laptop was given ${changed.pos}`)
      await phone.remove(id)
      expectDeleted(await laptop.sync({ from: set.pos }), id, `phone deleted it after laptop was given ${set.pos}`)
    },
  },
  {
    // The pos of a full sync is a correct start: the full sync has older changes, the incremental sync newer ones.
    id: 'SYNC-POS-05',
    title: 'MUST give with a full sync a pos from which only later changes are listed',
    requirements: ['C-2.3-1', 'C-4.3-5'],
    faults: ['incremental-lists-all', 'pos-zero-always', 'incremental-omits-created'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const before = await phone.create()
      const full = await laptop.listAll()
      const after = await phone.create()
      const incremental = await laptop.sync({ from: full.pos })
      expectThing(incremental, after, `phone created it after the full sync, which gave ${full.pos}`)
      expectNoThing(incremental, before, `phone created it before the full sync, which gave ${full.pos}`)
    },
  },
  {
    // Harmless, since the client knows the thing, but a cost: the response's pos is current, with the upload.
    id: 'SYNC-POS-06',
    title: 'SHOULD NOT list an own upload in the next incremental sync',
    basis: 'implied',
    requirements: ['C-4.3-5', 'C-4.3-29'],
    faults: ['upload-returns-old-pos'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const localId = lab.unique()
      const upload = await phone.sync({ from, new_thing: [{ local_id: localId, title: localId }] })
      const next = await phone.sync({ from: upload.pos })
      expectNoThing(
        next,
        upload.created.get(localId) ?? '',
        `phone uploaded it itself and was given ${upload.pos} with it`,
      )
    },
  },
  {
    // A client stores the position of each response, for every kind of request.
    id: 'SYNC-POS-07',
    title: 'MUST give with the response to a change, a deletion and tag settings a pos that works as from',
    requirements: ['C-4.3-18', 'C-2.3-1'],
    faults: ['pos-missing-after-deletion', 'pos-of-change-from-the-future'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [changed = '', removed = ''] = await phone.createMany([{}, {}])
      const from = await phone.position()
      const off = { favorite: false, color: false, todo: false } as const
      const uploads = [
        { changed_thing: [{ _id: changed, title: lab.unique() }] },
        { deleted_thing: [removed] },
        { tag: { [lab.mark]: { ...off, favorite: true } } },
      ]
      for (const upload of uploads) {
        const { pos } = await phone.sync({ from, ...upload })
        const id = await laptop.create()
        const because = `laptop created it after phone was given ${pos} with its upload of ${Object.keys(upload).join()}`
        expectThing(await phone.sync({ from: pos }), id, because)
      }
    },
  },
])

/**
 * Lets phone change a thing with tags that only laptop knows: phone must know the whole thing afterwards. The server
 * may list the thing in the response or in the next incremental sync, or clear omitted fields.
 */
const changeUnseen = async (lab: Lab, phone: Replica, id: string, from: number): Promise<void> => {
  const own: JsonObject = { _id: id, title: lab.unique(), url: 'https://example.org/phone' }
  const response = await phone.sync({ from, changed_thing: [own] })
  const next = await phone.sync({ from: response.pos })
  const known = next.things.get(id) ?? response.things.get(id) ?? { ...own, tags: '' }
  const seen = next.things.has(id) ? next : response
  const laptop = await lab.replica('laptop')
  const whole = expectThing(await laptop.listAll(), id, 'nobody deleted it')
  for (const field of ['title', 'url', 'tags']) {
    const why = `phone to know the ${field} of thing ${id} after its upload from ${from} and an incremental sync, as a full sync lists it`
    expectField(known, field, whole[field], why, seen)
  }
}

/** Things and tags that an upload and another client both changed (interface 4.3, rule 2). */
export const mergedThingRules = coreRulesOf('4.3', [
  {
    id: 'SYNC-MERGE-01',
    title: 'MUST list what others changed of a thing after from also when the same request changes it',
    basis: 'implied',
    requirements: ['C-4.3-38'],
    faults: ['hideown'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const id = await phone.create()
      const from = await phone.position()
      await laptop.change(id, { tags: lab.mark })
      await changeUnseen(lab, phone, id, from)
    },
  },
  {
    id: 'SYNC-MERGE-02',
    title: 'MUST list in full what others made also when a request with from=0 changes it',
    basis: 'implied',
    requirements: ['C-4.3-38', 'C-4.3-4'],
    faults: ['fullhide'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const id = await laptop.create({ tags: lab.mark })
      await changeUnseen(lab, phone, id, 0)
    },
  },
  {
    // The server may keep or reset omitted settings; phone must know which.
    id: 'SYNC-MERGE-03',
    title: 'MUST list what others set of a tag after from also when the same request sets something else of it',
    basis: 'implied',
    requirements: ['C-4.3-31', 'C-4.3-5'],
    faults: ['submitted-tags-not-returned'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await phone.position()
      await laptop.setTag(lab.mark, { favorite: true, color: '#112233', todo: false })
      const reply = await phone.trySync({ from, tag: { [lab.mark]: { todo: true } } })
      if (reply.error !== undefined) throw new Skipped('the server rejects an upload of only some settings of a tag')
      const response = readSyncResponse(reply, 'the response to an upload of one setting of a tag')
      const next = await phone.sync({ from: response.pos })
      const own: JsonObject = { favorite: false, color: false }
      const known = next.tags.get(lab.mark) ?? response.tags.get(lab.mark) ?? own
      const whole = expectTag(await laptop.listAll(), lab.mark, 'phone made it a todo tag')
      for (const field of ['favorite', 'color']) {
        const why = `phone to know ${field} of the tag, which laptop set after ${from}, by its own upload from there and an incremental sync`
        expectSame(known[field], whole[field], why, next.tags.has(lab.mark) ? next : response)
      }
    },
  },
])

const expectCount = (response: SyncResponse): void => {
  const listed = response.changed.length + response.deleted.length
  expectSame(
    response.json.thingCount,
    listed,
    'thingCount as the number of things listed as changed or deleted',
    response,
  )
}

/** Whether `skip_id` with both IDs leaves both out, in one of the forms for several values. */
const skipsBoth = async (replica: Replica, from: number, ids: readonly string[]): Promise<boolean> => {
  for (const form of ['array', 'repeated'] as const) {
    const reply = await replica.trySync({ from, skip_id: ids, form, method: 'POST' })
    const things = isObject(reply.json?.things) ? reply.json.things : {}
    const listed = JSON.stringify([things.changed, things.deleted])
    if (reply.error === undefined && !ids.some((id) => listed.includes(JSON.stringify(id)))) return true
  }
  return false
}

/** thingCount and skip_id (interface 4.3). */
export const countRules = coreRulesOf('4.3', [
  {
    id: 'SYNC-COUNT-01',
    title: 'MUST give thingCount as the number of things listed in a full sync',
    requirements: ['C-4.3-19'],
    faults: ['thing-count-missing', 'thing-count-text'],
    check: async (lab) => {
      const laptop = await lab.replica('laptop')
      await laptop.create()
      expectCount(await laptop.listAll())
    },
  },
  {
    id: 'SYNC-COUNT-02',
    title: 'MUST give thingCount as the number of things listed in an incremental sync, deletions included',
    requirements: ['C-4.3-19'],
    faults: [
      'thing-count-without-deleted',
      'thing-count-total',
      'incremental-omits-deleted',
      'deletion-takes-no-position',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [removed = ''] = await phone.createMany([{}, {}])
      const from = await laptop.position()
      await phone.createMany([{}, {}])
      await phone.remove(removed)
      const response = await laptop.sync({ from })
      expectDeleted(response, removed, `phone deleted it after ${from}`)
      expectCount(response)
    },
  },
  {
    id: 'SYNC-SKIPID-01',
    title: 'MUST leave out of things.changed the thing given as skip_id, and no other',
    requirements: ['C-4.3-14'],
    faults: ['skip-id-ignored', 'incremental-omits-created'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const [skipped = '', other = ''] = await phone.createMany([{}, {}])
      const response = await laptop.sync({ from, skip_id: [skipped], method: 'POST' })
      expectNoThing(response, skipped, 'it was given as skip_id')
      expectThing(response, other, 'phone created it and it is not given as skip_id')
    },
  },
  {
    id: 'SYNC-SKIPID-02',
    title: 'MUST leave out of things.deleted the id given as skip_id, and no other',
    requirements: ['C-4.3-14'],
    faults: ['skip-id-not-deleted', 'incremental-omits-deleted', 'deleted-array-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [skipped = '', other = ''] = await phone.createMany([{}, {}])
      const from = await laptop.position()
      await phone.remove(skipped, other)
      const response = await laptop.sync({ from, skip_id: [skipped], method: 'POST' })
      expectDeleted(response, other, 'phone deleted it and it is not given as skip_id')
      const listed = response.deleted.includes(skipped)
      expect(
        !listed,
        `${skipped} not in things.deleted, because it was given as skip_id`,
        showValue(response.deleted),
        response,
      )
    },
  },
  {
    // The interface shows no form of several IDs for skip_id; one of the two upload forms must work.
    id: 'SYNC-SKIPID-03',
    title: 'MUST leave out several things given as skip_id',
    requirements: ['C-4.3-14', 'C-4.3-15'],
    basis: 'implied',
    faults: ['skip-id-first-only'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const ids = await phone.createMany([{}, {}])
      const skipped = await skipsBoth(laptop, from, ids)
      const expected = `neither of ${ids.join(', ')}, given as one JSON array or as skip_id[]`
      expect(skipped, expected, 'at least one of them is listed with both forms')
    },
  },
])

/** Rules of section 4.3: contents of the response to an upload (contract, sync 4). */
export const ownUploadRules: readonly Rule[] = [
  extensionRule({
    id: 'SYNC-ECHO-01',
    title: 'MUST NOT list own uploads in things.changed of the same response',
    section: '4.3',
    requirements: ['K-sync-4'],
    faults: ['own-uploads-echoed', 'upload-hides-others'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const mine = await phone.create()
      const from = await phone.position()
      const theirs = await (await lab.replica('laptop')).create()
      for (const start of [from, 0]) {
        const upload = {
          new_thing: [{ local_id: lab.unique(), title: lab.mark }],
          changed_thing: [{ _id: mine, title: lab.unique() }],
        }
        const response = await phone.sync({ from: start, ...upload })
        for (const id of [mine, ...response.created.values()]) expectNoThing(response, id, 'this request uploaded it')
        expectThing(response, theirs, 'laptop created it after from')
      }
    },
  }),
  extensionRule({
    id: 'SYNC-ECHO-02',
    title: 'MUST NOT list own deletions in things.deleted of the same response',
    section: '4.3',
    requirements: ['K-sync-4'],
    faults: ['own-deletions-echoed', 'upload-hides-others'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const [mine = '', theirs = ''] = await phone.createMany([{}, {}])
      const from = await phone.position()
      await (await lab.replica('laptop')).remove(theirs)
      const response = await phone.sync({ from, deleted_thing: [mine] })
      expect(
        !response.deleted.includes(mine),
        `no ${mine} in things.deleted, because this request deleted it`,
        showValue(response.deleted),
        response,
      )
      expectDeleted(response, theirs, 'laptop deleted it after from')
    },
  }),
  extensionRule({
    id: 'SYNC-ECHO-03',
    title: 'MUST return submitted tag settings in full, also when nothing about them changed',
    section: '4.3',
    requirements: ['K-sync-4'],
    faults: ['submitted-tags-not-returned', 'tag-todo-missing', 'tag-absent-resets'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      await phone.sync({ from, tag: { [lab.mark]: { favorite: true, color: '#abcdef', todo: false } } })
      const response = await phone.sync({ from: await phone.position(), tag: { [lab.mark]: { favorite: true } } })
      const { favorite, color, todo } = expectTag(response, lab.mark, 'this request submitted settings of it')
      expectSame([favorite, color, todo], [true, '#abcdef', false], 'favorite, color and todo', response)
    },
  }),
]
