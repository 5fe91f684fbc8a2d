import { isObject, showValue, type UploadForm } from '../encoding.ts'
import { expect, expectCreated, expectDeleted, expectNoThing, expectSame, expectTag, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import type { Replica } from '../replica.ts'
import { Skipped } from '../result.ts'
import { coreRulesOf, extensionRule, type Rule } from '../rule.ts'
import { readSyncResponse, type SyncResponse } from '../sync-messages.ts'
import { expectError, postJson } from './operation-steps.ts'

const changeSeveral = async (lab: Lab, form: UploadForm): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const ids = await phone.createMany([{}, {}, {}])
  const from = await laptop.position()
  const things = ids.map((id) => ({ _id: id, title: lab.unique() }))
  await phone.sync({ from, changed_thing: things, form })
  const incremental = await laptop.sync({ from })
  for (const { _id: id, title } of things) {
    expectSame(expectThing(incremental, id, 'phone changed it as one of 3').title, title, `title of ${id}`, incremental)
  }
}

/** Uploads of changed things, and of all kinds at once (interface 2.1, 4.3). */
export const changedThingRules = coreRulesOf('4.3', [
  {
    id: 'SYNC-CHANGE-01',
    title: 'MUST change the thing given as one JSON object',
    requirements: ['C-4.3-11', 'C-2.1-11'],
    faults: ['changed-object-ignored', 'incremental-lists-all', 'incremental-repeats-last-change'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [id = '', other = ''] = await phone.createMany([{}, {}])
      const from = await laptop.position()
      const title = lab.unique()
      await phone.sync({ from, changed_thing: [{ _id: id, title }] })
      const response = await laptop.sync({ from })
      expectSame(
        expectThing(response, id, 'phone changed it').title,
        title,
        'the title that phone changed it to',
        response,
      )
      const untouched = !response.things.has(other)
      expect(untouched, `nothing about ${other}, which nobody changed`, 'it is listed as changed', response)
    },
  },
  {
    id: 'SYNC-CHANGE-02',
    title: 'MUST change several things given as one JSON array',
    requirements: ['C-4.3-15', 'C-4.3-11'],
    faults: ['changed-array-first-only'],
    check: (lab) => changeSeveral(lab, 'array'),
  },
  {
    id: 'SYNC-CHANGE-03',
    title: 'MUST change several things given as repeated changed_thing[]',
    requirements: ['C-4.3-16', 'C-4.3-11'],
    faults: ['changed-repeated-last-only', 'changed-repeated-ignored'],
    check: (lab) => changeSeveral(lab, 'repeated'),
  },
  {
    // A device that was offline sends all its changes in one request.
    id: 'SYNC-UPLOAD-01',
    title: 'MUST apply new, changed and deleted things and tag settings that come in one request',
    requirements: ['C-4.3-10', 'C-4.3-11', 'C-4.3-12', 'C-4.3-13'],
    faults: [
      'upload-new-only',
      'new-id-not-listed',
      'incremental-omits-changed',
      'incremental-omits-deleted',
      'incremental-omits-tags',
      'form-object-ignored',
      'change-title-ignored',
      'deletion-undone-by-tag-write',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [changed = '', removed = ''] = await phone.createMany([{}, {}])
      const from = await laptop.position()
      const [title, localId] = [lab.unique(), lab.unique()]
      const upload = await phone.sync({
        from,
        new_thing: [{ local_id: localId, title: localId }],
        changed_thing: [{ _id: changed, title }],
        deleted_thing: [removed],
        tag: { [lab.mark]: { favorite: true, color: false, todo: false } },
      })
      const response = await laptop.sync({ from })
      expectThing(response, expectCreated(upload, localId), 'phone created it')
      expectSame(
        expectThing(response, changed, 'phone changed it').title,
        title,
        'the title that phone gave it',
        response,
      )
      expect(
        response.deleted.includes(removed),
        `${removed} in things.deleted, phone deleted it`,
        showValue(response.deleted),
        response,
      )
      expectTag(response, lab.mark, 'phone set them in the same request')
    },
  },
  {
    // A device that was offline uploads with an old position, and others have written since.
    id: 'SYNC-UPLOAD-02',
    title: 'MUST accept an upload from a position that others have written after',
    basis: 'implied',
    requirements: ['C-4.3-10', 'C-4.3-5'],
    faults: ['upload-after-from-rejected', 'incremental-omits-created'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const old = (await laptop.sync({ new_thing: [{ local_id: lab.unique(), title: lab.unique() }] })).pos
      const upload = (replica: Replica, localId: string) =>
        replica.sync({ from: old, new_thing: [{ local_id: localId, title: localId }] })
      const from = (await upload(phone, lab.unique())).pos
      const localId = lab.unique()
      const id = expectCreated(await upload(laptop, localId), localId)
      expectThing(await phone.sync({ from }), id, `laptop created it, offline since ${old}`)
    },
  },
  {
    // An offline device cannot know which things are deleted: without an error, its upload counts. After an error,
    // nothing of the upload counts.
    id: 'SYNC-UPLOAD-03',
    title: 'MUST apply the rest of an upload that names a thing that is gone, unless it rejects all of it',
    basis: 'implied',
    requirements: ['C-4.3-33', 'C-4.3-35'],
    faults: ['gone-change-ends-changes', 'gone-change-ends-upload', 'gone-deletion-ends-deletions'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [removed = '', changed = '', deleted = ''] = await phone.createMany([{}, {}, {}])
      const from = await laptop.position()
      await phone.remove(removed)
      const [title, localId] = [lab.unique(), lab.unique()]
      const change = await laptop.trySync({
        from,
        new_thing: [{ local_id: localId, title: localId }],
        changed_thing: [removed, changed].map((id) => ({ _id: id, title })),
      })
      const deletion = await laptop.trySync({ from, deleted_thing: [removed, deleted] })
      const full = await phone.listAll()
      if (change.error === undefined) {
        const because = `laptop changed it in one upload with ${removed}, which phone had deleted`
        expectSame(expectThing(full, changed, because).title, title, `the title that ${because}`, full)
        const titles = [...full.things.values()].map((thing) => thing.title)
        expect(
          titles.includes(localId),
          `a thing with the title ${localId}, created beside that`,
          'there is none',
          full,
        )
      }
      if (deletion.error === undefined) {
        expectNoThing(full, deleted, `laptop deleted it in one upload with ${removed}, which phone had deleted`)
      }
    },
  },
])

/** Creates twelve things on phone with the same fields: only their IDs differ. */
const createSimilarThings = async (lab: Lab) => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const template = {
    title: lab.unique(),
    tags: lab.mark,
    date: 1_200_000_000,
    url: 'https://example.org/twin',
    html: '<p>twin</p>',
  }
  const ids: string[] = []
  for (let count = 0; count < 12; count += 1) ids.push(await phone.create(template))
  return { phone, laptop, ids, template, from: await laptop.position() }
}

/** Returns texts that resemble IDs but are none: beginnings, ends and patterns of them. */
const listIdLikeTexts = (ids: readonly string[]): readonly string[] => {
  const [id = ''] = ids
  const beginning = id.slice(0, -1)
  const texts = [
    beginning,
    `${beginning}%`,
    `${beginning}*`,
    `${beginning}.*`,
    `${beginning}_`,
    `${beginning}?`,
    `${id}x`,
  ]
  return texts.filter((text) => text.length > 2 && !ids.includes(text))
}

/** A change of one thing affects no other thing (interface 2.1: the _id identifies a thing). */
export const neighborRules = coreRulesOf('4.3', [
  {
    id: 'SYNC-TWIN-01',
    title: 'MUST create every one of several things that are alike, in one upload and in several',
    basis: 'implied',
    requirements: ['C-4.3-10', 'C-4.3-22', 'C-2.1-10'],
    faults: [
      'twins-by-title-dropped',
      'twins-by-url-merged',
      'twins-by-html-merged',
      'twins-by-date-merged',
      'twins-in-one-upload-merged',
      'twins-by-title-renamed',
    ],
    check: async (lab) => {
      const { phone, laptop, ids: earlier, template, from } = await createSimilarThings(lab)
      const localIds = [lab.unique(), lab.unique(), lab.unique()]
      const upload = await phone.sync({
        from,
        new_thing: localIds.map((localId) => ({ local_id: localId, ...template })),
      })
      const ids = [...earlier, ...localIds.map((localId) => expectCreated(upload, localId))]
      const response = await laptop.listAll()
      expect(new Set(ids).size === ids.length, `${ids.length} different ids`, showValue(ids), response)
      for (const id of ids) {
        const thing = expectThing(response, id, 'phone created it, one of several that are alike')
        expectSame([thing.title, thing.url], [template.title, template.url], 'title and url as created', response)
      }
    },
  },
  {
    id: 'SYNC-TWIN-02',
    title: 'MUST change the thing that is named and no other, however alike they are',
    basis: 'implied',
    requirements: ['C-2.1-11', 'C-4.3-11'],
    faults: [
      'change-title-ignored',
      'change-hits-same-title',
      'change-hits-same-url',
      'change-hits-ids-that-begin-so',
      'change-hits-first',
      'change-lists-neighbours',
    ],
    check: async (lab) => {
      const { phone, laptop, ids, template, from } = await createSimilarThings(lab)
      const [changed = '', ...others] = [...ids].reverse()
      const title = lab.unique()
      await phone.sync({ from, changed_thing: [{ _id: changed, ...template, title }] })
      const [incremental, full] = [await laptop.sync({ from }), await laptop.listAll()]
      expectSame(expectThing(full, changed, 'phone changed it').title, title, 'the title that phone gave it', full)
      const titles = others.map((id) => full.things.get(id)?.title ?? null)
      expectSame(new Set(titles).size === 1 ? titles[0] : titles, template.title, 'the title of the 11 others', full)
      const listed = others.filter((id) => incremental.things.has(id))
      expect(listed.length === 0, 'nothing about the 11 others in the incremental sync', showValue(listed), incremental)
    },
  },
  {
    id: 'SYNC-TWIN-03',
    title: 'MUST delete the thing that is named and no other, however alike they are',
    basis: 'implied',
    requirements: ['C-2.1-12', 'C-4.3-12'],
    faults: [
      'deletion-of-one-deletes-all',
      'deletion-hits-same-title',
      'deletion-hits-same-url',
      'deletion-hits-ids-that-begin-so',
      'deletion-hits-newest',
      'deletion-told-of-neighbours',
      'deletion-of-three-hits-rest',
    ],
    check: async (lab) => {
      const { phone, laptop, ids, from } = await createSimilarThings(lab)
      const removed = [ids[0], ids[5], ids[6]].filter((id): id is string => id !== undefined)
      await phone.sync({ from, deleted_thing: removed })
      const [incremental, full] = [await laptop.sync({ from }), await laptop.listAll()]
      const left = ids.filter((id) => !removed.includes(id))
      const lost = left.filter((id) => !full.things.has(id))
      expect(lost.length === 0, `the 9 things that phone did not delete`, `${showValue(lost)} are not listed`, full)
      const notified = left.filter((id) => incremental.deleted.includes(id))
      expect(notified.length === 0, 'none of the 9 others in things.deleted', showValue(notified), incremental)
    },
  },
  {
    // An ID may look like a position: it still names the thing.
    id: 'SYNC-TWIN-04',
    title: 'MUST apply a change and a deletion of different things in one upload, each to its own',
    basis: 'implied',
    requirements: ['C-4.3-11', 'C-4.3-12', 'C-4.3-10'],
    faults: [
      'upload-deletes-what-it-changes',
      'upload-deletes-what-it-creates',
      'upload-changes-by-place',
      'upload-swaps-changes',
    ],
    check: async (lab) => {
      const { phone, laptop, ids, template, from } = await createSimilarThings(lab)
      const [first = '', second = '', third = '', fourth = ''] = ids
      const [localId, one, two] = [lab.unique(), lab.unique(), lab.unique()]
      const upload = await phone.sync({
        from,
        new_thing: [{ local_id: localId, ...template, title: localId }],
        changed_thing: [
          { _id: fourth, ...template, title: one },
          { _id: second, ...template, title: two },
        ],
        deleted_thing: [third],
      })
      const createdId = expectCreated(upload, localId)
      const full = await laptop.listAll()
      const titles = [first, second, third, fourth, createdId].map((id) => full.things.get(id)?.title ?? null)
      const expected = 'titles of a thing left alone, a changed, a deleted, a changed and a new one'
      expectSame(titles, [template.title, two, null, one, localId], expected, full)
    },
  },
  {
    id: 'SYNC-ID-01',
    title: 'MUST give every _id as a string wherever it stands',
    section: '2.1',
    requirements: ['C-2.1-10', 'C-4.3-24', 'C-4.3-22'],
    faults: ['ids-of-digits-as-numbers', 'deleted-ids-of-digits-as-numbers', 'new-map-ids-as-numbers'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const things = Array.from({ length: 8 }, () => ({ local_id: lab.unique(), title: lab.unique() }))
      const upload = await phone.sync({ from, new_thing: things })
      const first = await laptop.sync({ from })
      await phone.remove(...[...upload.created.values()].slice(0, 7))
      const second = await laptop.sync({ from: first.pos })
      // Other rules check missing values and values of another shape.
      const partOf = ({ json }: SyncResponse, name: string): unknown[] => {
        const part = isObject(json.things) ? json.things[name] : undefined
        return isObject(part) ? Object.values(part) : [part ?? []].flat()
      }
      const given = [
        [upload, partOf(upload, 'new'), 'things.new'],
        [first, partOf(first, 'changed').flatMap((thing) => (isObject(thing) ? [thing._id] : [])), 'things.changed'],
        [second, partOf(second, 'deleted'), 'things.deleted'],
      ] as const
      for (const [response, ids, where] of given) {
        const others = ids.filter((id) => typeof id !== 'string')
        expect(others.length === 0, `strings as ids in ${where}`, showValue(others.slice(0, 3)), response)
      }
    },
  },
  {
    // Only the whole _id names a thing; its beginning, or a pattern of it, names nothing.
    id: 'SYNC-ID-02',
    title: 'MUST NOT leave out anything for a skip_id that is only the beginning or a pattern of an _id',
    requirements: ['C-4.3-14'],
    basis: 'implied',
    faults: ['skip-id-beginning-matches', 'skip-id-pattern-matches', 'skip-id-contained-matches'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const ids = await phone.createMany([{}, {}, {}])
      for (const text of listIdLikeTexts(ids)) {
        const reply = await laptop.trySync({ from, skip_id: [text], method: 'POST' })
        if (reply.error !== undefined) continue
        const response = readSyncResponse(reply, `an incremental sync with skip_id ${text}`)
        for (const id of ids) expectThing(response, id, `phone created it, and skip_id is ${showValue(text)}`)
      }
    },
  },
  {
    id: 'SYNC-ID-03',
    title: 'MUST NOT delete or change anything for the beginning or a pattern of an _id',
    requirements: ['C-2.1-12', 'C-2.1-11'],
    basis: 'implied',
    faults: ['deletion-of-beginning-matches', 'deletion-of-pattern-matches', 'change-of-beginning-matches'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const ids = await phone.createMany([{}, {}, {}])
      const before = await phone.listAll()
      // Only patterns that match no other thing of the account: a wrong server would do harm there.
      const isHarmless = (text: string): boolean => {
        const start = text.replace(/[^0-9A-Za-z].*$/s, '').toLowerCase()
        const others = [...before.things.keys()].filter((id) => !ids.includes(id))
        return start !== '' && !others.some((id) => id.toLowerCase().includes(start))
      }
      const texts = listIdLikeTexts(ids).filter(isHarmless)
      if (texts.length === 0) throw new Skipped('other things of the account have ids that begin like any new one')
      for (const text of texts) {
        await phone.trySync({ from: before.pos, deleted_thing: [text] })
        await phone.trySync({ from: before.pos, changed_thing: [{ _id: text, title: lab.unique() }] })
      }
      const full = await phone.listAll()
      const titles = (response: typeof full) => ids.map((id) => response.things.get(id)?.title ?? null)
      expectSame(titles(full), titles(before), `titles of 3 things, after uploads that named ${texts.join(', ')}`, full)
    },
  },
])

/** Rules of section 4.3: changed and deleted things (contract, sync 8 to 10). */
export const changeRules: readonly Rule[] = [
  extensionRule({
    id: 'CHANGE-ABSENT-01',
    title: 'MUST keep fields that a changed thing leaves out',
    section: '4.3',
    requirements: ['K-sync-11'],
    faults: ['change-absent-clears'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const fields = { tags: lab.mark, date: 1_600_000_000, url: 'https://example.org/', html: '<p>kept</p>' }
      const id = await phone.create(fields)
      const from = await phone.position()
      const title = lab.unique()
      await phone.change(id, { title })
      const listed = await (await lab.replica('laptop')).sync({ from })
      const thing = expectThing(listed, id, 'phone changed its title')
      expectSame(
        [thing.title, thing.tags, thing.date, thing.url, thing.html],
        [title, fields.tags, fields.date, fields.url, fields.html],
        'the new title, and tags, date, url and html as before',
        listed,
      )
    },
  }),
  extensionRule({
    id: 'CHANGE-EMPTY-02',
    title: 'MUST clear url, html and tags that are changed to ""',
    section: '4.3',
    requirements: ['K-sync-11'],
    faults: ['change-empty-keeps'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create({ tags: lab.mark, url: 'https://example.org/', html: '<p>gone</p>' })
      const from = await phone.position()
      await phone.sync({ from, changed_thing: [{ _id: id, title: lab.mark, tags: '', url: '', html: '' }] })
      const listed = await (await lab.replica('laptop')).sync({ from })
      const thing = expectThing(listed, id, 'phone changed it')
      const seen = [thing.tags, Object.hasOwn(thing, 'url'), Object.hasOwn(thing, 'html')]
      expectSame(seen, ['', false, false], 'tags "", no url and no html, because they were changed to ""', listed)
    },
  }),
  extensionRule({
    id: 'CHANGE-ARCHIVED-01',
    title: 'MUST take a changed thing without archived out of the archive',
    section: '4.3',
    requirements: ['K-sync-11'],
    faults: ['change-archived-kept'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create({ archived: true })
      const from = await phone.position()
      await phone.change(id, { title: lab.mark })
      const listed = await (await lab.replica('laptop')).sync({ from })
      const thing = expectThing(listed, id, 'phone changed it')
      expectSame(
        Object.hasOwn(thing, 'archived'),
        false,
        'whether archived is there, because the change left it out',
        listed,
      )
    },
  }),
  extensionRule({
    id: 'CHANGE-UNKNOWN-01',
    title: 'MUST list an unknown id that was submitted as changed in things.deleted',
    section: '4.3',
    requirements: ['K-sync-12'],
    faults: ['change-unknown-not-listed', 'full-keeps-deleted', 'change-resurrects-deleted'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const id = await phone.create()
      await laptop.remove(id)
      const response = await phone.sync({ from: await phone.position(), changed_thing: [{ _id: id, title: lab.mark }] })
      expectDeleted(response, id, 'phone changed it after laptop had deleted it')
      expectNoThing(await laptop.listAll(), id, 'deletion wins')
    },
  }),
  extensionRule({
    id: 'CHANGE-UNKNOWN-02',
    title: 'MUST apply the rest of an upload that changes an unknown id',
    section: '4.3',
    requirements: ['K-sync-12'],
    faults: ['change-unknown-rejected', 'form-object-ignored', 'incremental-omits-created'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const upload = {
        new_thing: [{ local_id: 'a', title: lab.mark }],
        changed_thing: [{ _id: lab.mark, title: lab.mark }],
      }
      const response = await phone.sync({ from, ...upload })
      const listed = await (await lab.replica('laptop')).sync({ from })
      expectThing(
        listed,
        response.created.get('a') ?? '(not in things.new)',
        'it was created beside the change of an unknown id',
      )
    },
  }),
  extensionRule({
    id: 'DELETE-UNKNOWN-01',
    title: 'MUST take the deletion of an unknown or deleted id',
    section: '4.3',
    requirements: ['K-sync-13'],
    faults: ['deletion-unknown-rejected'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create()
      await phone.remove(id)
      await phone.sync({ from: await phone.position(), deleted_thing: [id, lab.mark] })
    },
  }),
  extensionRule({
    id: 'UPLOAD-ORDER-01',
    title: 'MUST apply one request in the order new, changed, deleted',
    section: '4.3',
    requirements: ['K-sync-14'],
    faults: [
      'request-order-deleted-first',
      'incremental-omits-deleted',
      'listing-order-newest-first',
      'incremental-omits-created',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const [both = '', changed = ''] = await phone.createMany([{}, {}])
      const from = await phone.position()
      const response = await phone.sync({
        from,
        new_thing: [{ local_id: 'a', title: lab.unique() }],
        changed_thing: [both, changed].map((id) => ({ _id: id, title: lab.unique() })),
        deleted_thing: [both],
      })
      expect(
        !response.deleted.includes(both),
        `no ${both} in things.deleted, because it was changed first and then deleted`,
        showValue(response.deleted),
        response,
      )
      const incremental = await (await lab.replica('laptop')).sync({ from })
      expectDeleted(incremental, both, 'phone changed it and deleted it')
      const wanted = [response.created.get('a') ?? '(not in things.new)', changed]
      expectSame(
        incremental.changed.filter((id) => wanted.includes(id)),
        wanted,
        'the new thing before the changed one',
        incremental,
      )
    },
  }),
]

const none = { tags: null, date: null, url: null, html: null, archived: null, todoStatus: null } as const

/** Rules of section 4.3: null means nothing (contract, sync 8); generated clients send it for unset fields. */
export const nullRules: readonly Rule[] = [
  extensionRule({
    id: 'NULL-CHANGE-01',
    title: 'MUST keep the fields that a changed thing gives as null',
    section: '4.3',
    requirements: ['K-sync-11'],
    faults: ['null-clears', 'null-rejected'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const fields = { tags: lab.mark, date: 1_600_000_000, url: 'https://example.org/', html: '<p>kept</p>' }
      const id = await phone.create({ ...fields, archived: true })
      const from = await phone.position()
      const title = lab.unique()
      await phone.sync({ from, changed_thing: [{ _id: id, title, ...none }] })
      const listed = await (await lab.replica('laptop')).sync({ from })
      const thing = expectThing(listed, id, 'phone changed its title')
      expectSame(
        [thing.title, thing.tags, thing.date, thing.url, thing.html, Object.hasOwn(thing, 'archived')],
        [title, fields.tags, fields.date, fields.url, fields.html, false],
        'the new title, the other fields as before, and no archived, because null is the same as absent',
        listed,
      )
    },
  }),
  extensionRule({
    id: 'NULL-NEW-01',
    title: 'MUST take null in a new thing for a field that is absent',
    section: '4.3',
    requirements: ['K-sync-11'],
    faults: ['null-rejected', 'null-title-accepted'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const response = await phone.sync({ from, new_thing: [{ local_id: 'a', title: lab.mark, ...none }] })
      const listed = await (await lab.replica('laptop')).sync({ from })
      const thing = expectThing(listed, expectCreated(response, 'a'), 'phone created it')
      const seen = [thing.tags, ...['url', 'html', 'archived'].map((name) => Object.hasOwn(thing, name))]
      expectSame(seen, ['', false, false, false], 'tags "", no url, no html, no archived', listed)
      const untitled = await phone.trySync({ from, new_thing: [{ local_id: 'b', title: null }] })
      expectError(untitled, 400, 'parameter_invalid', 'a title that is null is absent, and a title is required')
    },
  }),
  extensionRule({
    id: 'NULL-TAG-01',
    title: 'MUST keep the tag settings that are given as null',
    section: '2.2',
    requirements: ['K-sync-18'],
    faults: ['null-tag-setting-resets'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.setTag(lab.mark, { favorite: true, color: '#112233', todo: true })
      const from = await phone.position()
      const settings = { favorite: false, color: null, todo: null }
      await postJson(phone, 'sync', { from, tag: { [lab.mark]: settings } })
      const listed = await (await lab.replica('laptop')).sync({ from })
      const { favorite, color, todo } = expectTag(listed, lab.mark, 'phone set it')
      expectSame([favorite, color, todo], [false, '#112233', 'strike'], 'favorite, and the rest as before', listed)
    },
  }),
  extensionRule({
    id: 'NULL-JSON-01',
    title: 'MUST take a parameter that is null in a JSON body for one that is absent',
    section: '4.3',
    requirements: ['K-request-1'],
    faults: ['null-parameter-rejected'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.create()
      const from = await phone.position()
      const absent = { skip: null, limit: null, new_thing: null, changed_thing: null, deleted_thing: null, tag: null }
      const reply = await postJson(phone, 'sync', { from, ...absent, skip_id: null })
      readSyncResponse(reply, 'a sync whose other parameters are null')
    },
  }),
]
