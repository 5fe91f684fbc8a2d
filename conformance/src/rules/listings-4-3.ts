import { isObject, showValue } from '../encoding.ts'
import { expect, expectDeleted, expectNoThing, expectSame, expectTag, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import { coreRulesOf, extensionRule, type Rule } from '../rule.ts'
import type { SyncResponse } from '../sync-messages.ts'

/** Counts how often things.changed lists the ID. */
const countListed = (response: SyncResponse, id: string): number =>
  response.changed.filter((listed) => listed === id).length

const createElsewhere = async (lab: Lab): Promise<string> => (await lab.replica('phone')).create()

/** Full sync (interface 4.3, rule 1). */
export const fullSyncRules = coreRulesOf('4.3', [
  {
    // sync responds to GET with a JSON object that has pos, in UTF-8.
    id: 'SYNC-METHOD-01',
    title: 'MUST respond to sync by GET with a JSON object that has a numeric pos',
    requirements: ['C-4.3-1', 'C-4.3-18', 'C-1-1', 'C-2.3-1'],
    faults: ['sync-get-rejected', 'sync-not-json', 'full-pos-missing', 'pos-text'],
    check: async (lab) => {
      const laptop = await lab.replica('laptop')
      await laptop.sync({ method: 'GET' })
    },
  },
  {
    // Every parameter may also be sent by POST, even without an upload.
    id: 'SYNC-METHOD-02',
    title: 'MUST respond to sync by POST with a form body as it does by GET',
    requirements: ['C-4.3-2', 'C-4.3-18'],
    faults: ['sync-post-rejected', 'full-from-omitted-empty'],
    check: async (lab) => {
      const laptop = await lab.replica('laptop')
      await laptop.sync({ method: 'POST' })
      const id = await createElsewhere(lab)
      expectThing(await laptop.sync({ method: 'POST' }), id, 'phone created it and this is a full sync by POST')
    },
  },
  {
    id: 'SYNC-FULL-01',
    title: 'MUST list every thing when from is omitted, also one that another client created',
    requirements: ['C-4.3-4', 'C-4.3-28'],
    faults: ['full-from-omitted-empty', 'full-omits-others'],
    check: async (lab) => {
      const laptop = await lab.replica('laptop')
      const ids = [await createElsewhere(lab), await laptop.create()]
      const response = await laptop.listAll()
      for (const id of ids) expectThing(response, id, 'phone or laptop created it and this is a full sync')
    },
  },
  {
    id: 'SYNC-FULL-02',
    title: 'MUST list every thing when from is 0',
    requirements: ['C-4.3-4'],
    faults: ['full-from-zero-empty'],
    check: async (lab) => {
      const laptop = await lab.replica('laptop')
      const id = await createElsewhere(lab)
      expectThing(await laptop.sync({ from: 0 }), id, 'phone created it and from=0 asks for all things')
    },
  },
  {
    // All things include the archive.
    id: 'SYNC-FULL-03',
    title: 'MUST list archived things in a full sync',
    requirements: ['C-4.3-4'],
    faults: ['full-omits-archived'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const id = await phone.create({ archived: true })
      expectThing(await laptop.listAll(), id, 'phone created it, archived, and this is a full sync')
    },
  },
  {
    id: 'SYNC-FULL-04',
    title: 'MUST list a thing once in a full sync, in its latest state',
    requirements: ['C-4.3-28'],
    basis: 'implied',
    faults: ['full-lists-twice', 'full-first-state'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const id = await phone.create()
      const title = lab.unique()
      await phone.change(id, { title })
      const response = await laptop.listAll()
      expectSame(
        expectThing(response, id, 'phone created it').title,
        title,
        'the title that phone changed it to',
        response,
      )
      expect(
        countListed(response, id) === 1,
        `thing ${id} listed once`,
        `it is listed ${countListed(response, id)} times`,
        response,
      )
    },
  },
  {
    id: 'SYNC-FULL-05',
    title: 'MUST NOT list a deleted thing as changed in a full sync',
    requirements: ['C-4.3-30'],
    basis: 'implied',
    faults: ['full-keeps-deleted', 'deletion-ignored', 'deletion-archives', 'full-omits-others'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [id = '', existing = ''] = await phone.createMany([{}, {}])
      await phone.remove(id)
      const response = await laptop.listAll()
      expectThing(response, existing, 'phone created it and did not delete it')
      expectNoThing(response, id, 'phone deleted it')
    },
  },
  {
    // No upper bound: the client set no limit.
    id: 'SYNC-FULL-06',
    title: 'MUST list all things however many there are',
    requirements: ['C-4.3-4'],
    faults: ['full-capped-at-100'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const ids = await phone.createMany(Array.from({ length: 130 }, () => ({})))
      const response = await laptop.listAll()
      const missing = ids.filter((id) => !response.things.has(id))
      expect(
        missing.length === 0,
        'all 130 things that phone created',
        `${missing.length} are missing: ${showValue(missing.slice(0, 5))}`,
        response,
      )
    },
  },
  {
    id: 'SYNC-FULL-07',
    title: 'MUST list the settings of favorite tags in a full sync',
    requirements: ['C-4.3-25'],
    faults: ['full-tags-absent', 'full-tags-no-favorites', 'tag-favorite-number'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      await phone.setTag(lab.mark, { favorite: true, color: false, todo: false })
      const response = await laptop.listAll()
      const settings = expectTag(response, lab.mark, 'phone made it a favorite and this is a full sync')
      expectSame(settings.favorite, true, 'favorite as phone set it', response)
    },
  },
  {
    // A tag that makes things todos is special (interface 2.1); without it a new client could not show a checkbox.
    id: 'SYNC-FULL-08',
    title: 'MUST list the settings of todo tags in a full sync',
    requirements: ['C-4.3-25'],
    faults: ['full-tags-no-todo', 'tag-todo-boolean'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      await phone.setTag(lab.mark, { favorite: false, color: false, todo: true })
      const response = await laptop.listAll()
      const { todo } = expectTag(response, lab.mark, 'phone made it a todo tag and this is a full sync')
      expect(
        todo === 'strike' || todo === 'dont-strike',
        'todo "strike" or "dont-strike"',
        `${showValue(todo)} came`,
        response,
      )
    },
  },
  {
    id: 'SYNC-FULL-09',
    title: 'MUST give things as an object and things.changed as an array of things',
    requirements: ['C-4.3-23'],
    faults: ['full-changed-is-map', 'full-list-is-array'],
    check: async (lab) => {
      const laptop = await lab.replica('laptop')
      await laptop.listAll()
      await createElsewhere(lab)
      const response = await laptop.listAll()
      const { things } = response.json
      const changed = isObject(things) ? things.changed : undefined
      const expected = 'things as an object with changed as an array, because phone created a thing'
      expect(Array.isArray(changed), expected, showValue(things, 200), response)
    },
  },
])

/** Incremental sync: things that changed since a position (interface 4.3, rules 2 and 4). */
export const incrementalSyncRules = coreRulesOf('4.3', [
  {
    id: 'SYNC-INCREMENTAL-01',
    title: 'MUST list in an incremental sync what another client created since',
    requirements: ['C-4.3-5', 'C-4.3-28'],
    faults: ['incremental-omits-created', 'incremental-own-session-only'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const id = await phone.create()
      expectThing(await laptop.sync({ from }), id, `phone created it after laptop was given ${from}`)
    },
  },
  {
    id: 'SYNC-INCREMENTAL-02',
    title: 'MUST list in an incremental sync what another client changed since, in its new state',
    requirements: ['C-4.3-5', 'C-4.3-28'],
    faults: ['incremental-omits-changed', 'change-takes-no-position', 'change-title-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const id = await phone.create()
      const from = await laptop.position()
      const title = lab.unique()
      await phone.change(id, { title })
      const response = await laptop.sync({ from })
      const thing = expectThing(response, id, `phone changed it after laptop was given ${from}`)
      expectSame(thing.title, title, 'the title that phone changed it to', response)
    },
  },
  {
    id: 'SYNC-INCREMENTAL-03',
    title: 'MUST list in things.deleted of an incremental sync what another client deleted since',
    requirements: ['C-4.3-24', 'C-4.3-30'],
    faults: ['incremental-omits-deleted', 'deletion-takes-no-position', 'incremental-deleted-as-objects'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const id = await phone.create()
      const from = await laptop.position()
      await phone.remove(id)
      expectDeleted(await laptop.sync({ from }), id, `phone deleted it after laptop was given ${from}`)
    },
  },
  {
    // Only changes since the position: neither older things nor older deletions.
    id: 'SYNC-INCREMENTAL-04',
    title: 'MUST NOT list in an incremental sync what did not change since',
    requirements: ['C-4.3-5'],
    faults: [
      'incremental-lists-all',
      'incremental-lists-all-and-deleted',
      'deletion-keeps-in-incremental',
      'incremental-omits-created',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [kept = '', removed = ''] = await phone.createMany([{}, {}])
      await phone.remove(removed)
      await phone.create()
      const from = await laptop.position()
      const later = await phone.create()
      const response = await laptop.sync({ from })
      expectThing(response, later, `phone created it after laptop was given ${from}`)
      expectNoThing(response, kept, `phone created it before laptop was given ${from} and nobody changed it`)
      const notified = response.things.has(removed) || response.deleted.includes(removed)
      expect(!notified, `nothing about ${removed}, deleted before laptop was given ${from}`, 'it is listed', response)
    },
  },
  {
    // The response's own position comes after everything that it lists.
    id: 'SYNC-INCREMENTAL-05',
    title: 'MUST NOT list a change again from the position that came with it',
    requirements: ['C-4.3-5', 'C-4.3-31'],
    faults: [
      'incremental-repeats-boundary',
      'incremental-repeats-last-change',
      'incremental-repeats-last-deletion',
      'incremental-omits-created',
      'incremental-omits-deleted',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const removed = await phone.create()
      const from = await laptop.position()
      const id = await phone.create()
      const first = await laptop.sync({ from })
      expectThing(first, id, `phone created it after laptop was given ${from}`)
      const second = await laptop.sync({ from: first.pos })
      expectNoThing(second, id, `laptop got it with position ${first.pos} and nobody changed it since`)
      await phone.remove(removed)
      const third = await laptop.sync({ from: second.pos })
      expectDeleted(third, removed, `phone deleted it after laptop was given ${second.pos}`)
      const fourth = await laptop.sync({ from: third.pos })
      const again = fourth.deleted.includes(removed)
      expect(!again, `${removed} not in things.deleted again from ${third.pos}`, 'it is listed again', fourth)
    },
  },
  {
    id: 'SYNC-INCREMENTAL-06',
    title: 'MUST list a thing once in an incremental sync, in its latest state, however often it changed',
    requirements: ['C-4.3-28'],
    basis: 'implied',
    faults: ['incremental-lists-twice', 'incremental-first-state'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const id = await phone.create()
      await phone.change(id)
      const title = lab.unique()
      await phone.change(id, { title })
      const response = await laptop.sync({ from })
      expectSame(expectThing(response, id, 'phone changed it').title, title, 'the title of the last change', response)
      const times = response.changed.filter((listed) => listed === id).length
      expect(times === 1, `thing ${id} listed once`, `it is listed ${times} times`, response)
    },
  },
  {
    id: 'SYNC-INCREMENTAL-07',
    title: 'MUST list archived things in an incremental sync',
    requirements: ['C-4.3-5'],
    faults: ['incremental-omits-archived'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const title = lab.unique()
      const id = await phone.create({ title })
      const from = await laptop.position()
      await phone.change(id, { title, archived: true })
      expectThing(await laptop.sync({ from }), id, `phone archived it after laptop was given ${from}`)
    },
  },
  {
    // The position is all that the server knows of a client: a repeated request, from any device, has the same result.
    id: 'SYNC-INCREMENTAL-08',
    title: 'MUST give the same response for the same position to every session, and again',
    requirements: ['C-2.3-1', 'C-4.3-5'],
    basis: 'implied',
    faults: ['incremental-consumed-by-first-reader', 'incremental-session-cursor', 'pos-per-session'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const id = await phone.create()
      for (const reader of [laptop, laptop, await lab.replica('tablet'), await lab.replica('desktop')]) {
        const because = `phone created it after position ${from}, even if other clients have already read it`
        expectThing(await reader.sync({ from }), id, because)
      }
    },
  },
  {
    id: 'SYNC-INCREMENTAL-09',
    title: 'MUST list everything that changed since, also from a position that is many changes old',
    requirements: ['C-4.3-5'],
    faults: ['incremental-log-keeps-ten'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const ids = await phone.createMany(Array.from({ length: 15 }, () => ({})))
      for (let count = 0; count < 15; count += 1) ids.push(await phone.create())
      const response = await laptop.sync({ from })
      const missing = ids.filter((id) => !response.things.has(id))
      const expected = `all 30 things that phone created after laptop was given ${from}`
      expect(
        missing.length === 0,
        expected,
        `${missing.length} are missing: ${showValue(missing.slice(0, 5))}`,
        response,
      )
    },
  },
  {
    id: 'SYNC-INCREMENTAL-10',
    title: 'MUST list a thing that was changed and then deleted as deleted only, and once',
    requirements: ['C-4.3-30'],
    basis: 'implied',
    faults: ['incremental-deleted-also-changed', 'incremental-deleted-twice', 'incremental-omits-deleted'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const id = await phone.create()
      const from = await laptop.position()
      await phone.change(id)
      await phone.remove(id)
      const response = await laptop.sync({ from })
      expectNoThing(response, id, 'phone deleted it after changing it')
      const times = response.deleted.filter((listed) => listed === id).length
      expect(
        times === 1,
        `${id} once in things.deleted, because phone deleted it after laptop was given ${from}`,
        `it is there ${times} times`,
        response,
      )
    },
  },
])

/** Incremental sync: tag settings, omitted fields, POST, and uploads (interface 4.3, rule 2). */
export const incrementalSyncResponseRules = coreRulesOf('4.3', [
  {
    id: 'SYNC-INCREMENTAL-11',
    title: 'MUST list in an incremental sync the tag settings that another client changed since',
    requirements: ['C-4.3-5', 'C-4.3-26'],
    faults: ['incremental-omits-tags', 'tag-takes-no-position', 'tag-favorite-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      await phone.setTag(lab.mark, { favorite: true, color: false, todo: false })
      const response = await laptop.sync({ from })
      const settings = expectTag(response, lab.mark, `phone changed them after laptop was given ${from}`)
      expectSame(settings.favorite, true, 'favorite as phone set it', response)
    },
  },
  {
    id: 'SYNC-INCREMENTAL-12',
    title: 'MUST NOT list tag settings again from the position that came with them',
    requirements: ['C-4.3-5'],
    faults: ['incremental-repeats-tags', 'incremental-omits-tags'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      await phone.setTag(lab.mark, { favorite: true, color: false, todo: false })
      const first = await laptop.sync({ from })
      expectTag(first, lab.mark, `phone changed them after laptop was given ${from}`)
      const second = await laptop.sync({ from: first.pos })
      const expected = `no settings of tag ${lab.mark}, because laptop got them with position ${first.pos}`
      expect(!second.tags.has(lab.mark), expected, 'they are listed again', second)
    },
  },
  {
    // Without changes, pos is the only field: the other fields are omitted, not empty.
    id: 'SYNC-INCREMENTAL-13',
    title: 'MUST leave out things, thingCount and tags when nothing changed since',
    requirements: ['C-4.3-18', 'C-4.3-19', 'C-4.3-20', 'C-4.3-21'],
    faults: [
      'incremental-empty-things',
      'incremental-empty-thing-count',
      'incremental-empty-tags',
      'pos-missing-on-empty',
    ],
    alone: true,
    check: async (lab) => {
      const laptop = await lab.replica('laptop')
      const upload = { local_id: lab.unique(), title: lab.unique() }
      const from = (await laptop.sync({ new_thing: [upload] })).pos
      const response = await laptop.sync({ from })
      const { things, thingCount, tags } = response.json
      const came = showValue({ things, thingCount, tags })
      const isEmpty = things === undefined && thingCount === undefined && tags === undefined
      expect(isEmpty, `no things, thingCount or tags, because nothing changed since ${from}`, `${came} came`, response)
    },
  },
  {
    id: 'SYNC-INCREMENTAL-14',
    title: 'MUST respond to a change of tag settings alone with pos and tags, without things and thingCount',
    requirements: ['C-4.3-26'],
    faults: ['incremental-tags-alone-things', 'incremental-tags-alone-thing-count', 'incremental-omits-tags'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      await phone.setTag(lab.mark, { favorite: true, color: false, todo: false })
      const response = await laptop.sync({ from })
      expectTag(response, lab.mark, `phone changed them after laptop was given ${from}`)
      const { things, thingCount } = response.json
      const isEmpty = things === undefined && thingCount === undefined
      const came = `${showValue({ things, thingCount })} came`
      expect(isEmpty, 'no things and no thingCount, because only tag settings changed', came, response)
    },
  },
  {
    id: 'SYNC-INCREMENTAL-15',
    title: 'MUST read from in a POST as in a GET',
    requirements: ['C-4.3-5', 'C-4.3-2'],
    faults: ['post-from-ignored', 'incremental-omits-created'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const old = await phone.create()
      const from = await laptop.position()
      const id = await phone.create()
      const response = await laptop.sync({ from, method: 'POST' })
      expectThing(response, id, `phone created it after laptop was given ${from}`)
      expectNoThing(response, old, `phone created it before laptop was given ${from}`)
    },
  },
  {
    // The response to an upload is also an incremental sync: its position covers others' changes, so it must list them.
    id: 'SYNC-INCREMENTAL-16',
    title: 'MUST list in the response to an upload what others changed since from',
    requirements: ['C-4.3-5', 'C-4.3-31'],
    faults: ['upload-hides-others'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const id = await phone.create()
      const upload = { local_id: lab.unique(), title: lab.unique() }
      const response = await laptop.sync({ from, new_thing: [upload] })
      const next = await laptop.sync({ from: response.pos })
      const notified = response.things.has(id) || next.things.has(id)
      const expected = `thing ${id} in the response to laptop's upload from ${from}, because phone created it after ${from}`
      expect(
        notified,
        expected,
        `neither that response nor the incremental sync from its pos ${response.pos} lists it`,
        response,
      )
    },
  },
])

/** Rules of section 4.3: contents of listings (contract, sync 1 to 5). */
export const listingRules: readonly Rule[] = [
  extensionRule({
    id: 'LIST-POS-01',
    title: 'MUST give whole numbers below 2^53 as pos',
    section: '2.3',
    requirements: ['K-sync-20'],
    faults: ['pos-not-whole'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.create()
      const response = await phone.listAll()
      const [, written = ''] = /"pos"\s*:\s*([^\s,}]+)/.exec(response.reply.text) ?? []
      const isWhole = /^\d+$/.test(written) && Number.isSafeInteger(Number(written))
      expect(isWhole, 'a whole number below 2^53 as pos', `${written} came`, response)
    },
  }),
  extensionRule({
    id: 'SYNC-FUTURE-01',
    title: 'MUST respond to a from beyond the current position with a full sync',
    section: '4.3',
    requirements: ['K-sync-1'],
    faults: ['future-from-empty'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create()
      const response = await phone.sync({ from: (await phone.position()) + 1_000_000_000 })
      expectThing(response, id, 'from is beyond the current position, so all things are listed')
    },
  }),
  extensionRule({
    id: 'SYNC-LISTING-01',
    title: 'MUST list no deleted ids in a full sync',
    section: '4.3',
    requirements: ['K-sync-2'],
    faults: ['full-lists-deleted-ids'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.remove(await phone.create())
      const listing = await (await lab.replica('laptop')).listAll()
      expectSame(listing.deleted, [], 'things.deleted of a full sync', listing)
    },
  }),
  extensionRule({
    id: 'SYNC-LISTING-02',
    title: 'MUST list tags with a color or a todo setting in a full sync',
    section: '4.3',
    requirements: ['K-sync-17', 'C-4.3-25'],
    faults: ['full-tags-no-colored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.setTag(lab.mark, { favorite: false, color: '#a0b1c2', todo: false })
      expectTag(await (await lab.replica('laptop')).listAll(), lab.mark, 'it has a color')
    },
  }),
  extensionRule({
    id: 'SYNC-GONE-01',
    title: 'MUST NOT list a thing that was created and deleted after from',
    section: '4.3',
    requirements: ['K-sync-3'],
    faults: [
      'incremental-created-and-deleted-listed',
      'deletion-ignored',
      'deletion-of-one-deletes-all',
      'incremental-omits-created',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const [removed = '', kept = ''] = await phone.createMany([{}, {}])
      await phone.remove(removed)
      const incremental = await (await lab.replica('laptop')).sync({ from })
      expectThing(incremental, kept, 'phone created it after from')
      expectNoThing(incremental, removed, 'phone deleted it again')
      expect(
        !incremental.deleted.includes(removed),
        `no ${removed} in things.deleted, because it was created after from`,
        showValue(incremental.deleted),
        incremental,
      )
    },
  }),
  extensionRule({
    id: 'SYNC-COUNTED-01',
    title: 'MUST leave ids of skip_id out of thingCount',
    section: '4.3',
    requirements: ['K-sync-5'],
    faults: ['thing-count-ignores-skip-id'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const [one = '', other = ''] = await phone.createMany([{}, {}, {}])
      const response = await (await lab.replica('laptop')).sync({ from, skip_id: [one, other], method: 'POST' })
      const listed = response.changed.length + response.deleted.length
      expectSame(response.json.thingCount, listed, 'thingCount, the number of things listed after skip_id', response)
    },
  }),
]
