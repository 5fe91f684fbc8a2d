import { isObject, showValue, type UploadForm } from '../encoding.ts'
import { expect, expectCreated, expectDeleted, expectSame, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import { coreRulesOf, extensionRule, type Rule } from '../rule.ts'
import type { SyncParameters } from '../sync-messages.ts'
import { expectError } from './operation-steps.ts'
import { skipIfRejected } from './upload-steps.ts'

const createSeveral = async (lab: Lab, count: number, form: UploadForm): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const from = await laptop.position()
  const things = Array.from({ length: count }, () => ({ local_id: lab.unique(), title: lab.unique() }))
  const response = await phone.sync({ from, new_thing: things, form })
  const incremental = await laptop.sync({ from })
  for (const { local_id: localId, title } of things) {
    const because = `phone created it as one of ${count}`
    expectSame(
      expectThing(incremental, expectCreated(response, localId), because).title,
      title,
      `title of ${localId}`,
      incremental,
    )
  }
}

/** Uploads of new things (interface 2.1, 4.3). */
export const newThingRules = coreRulesOf('4.3', [
  {
    id: 'SYNC-NEW-01',
    title: 'MUST create a thing given as one JSON object and map its local_id to the new _id',
    requirements: ['C-4.3-10', 'C-4.3-22', 'C-2.1-1'],
    faults: ['form-object-ignored', 'form-object-rejected', 'new-map-absent', 'new-map-is-array', 'new-id-not-listed'],
    check: (lab) => createSeveral(lab, 1, 'array'),
  },
  {
    id: 'SYNC-NEW-02',
    title: 'MUST create several things given as one JSON array, each with its entry in things.new',
    requirements: ['C-4.3-15', 'C-4.3-22'],
    faults: ['form-array-ignored', 'form-array-first-only', 'new-map-first-only', 'new-map-swapped', 'new-ids-shared'],
    check: (lab) => createSeveral(lab, 3, 'array'),
  },
  {
    id: 'SYNC-NEW-03',
    title: 'MUST create several things given as repeated new_thing[], each with its entry in things.new',
    requirements: ['C-4.3-16', 'C-4.3-22'],
    faults: ['form-repeated-ignored', 'form-repeated-last-only'],
    check: (lab) => createSeveral(lab, 3, 'repeated'),
  },
  {
    // Some form decoders drop or regroup long lists; a client that was offline for a day sends one.
    id: 'SYNC-NEW-04',
    title: 'MUST create every one of 30 things given as repeated new_thing[]',
    requirements: ['C-4.3-16'],
    faults: ['form-twenty-repeated'],
    check: async (lab) => {
      await skipIfRejected(lab, '30 things in one request', {
        form: 'repeated',
        new_thing: Array.from({ length: 30 }, () => ({ local_id: lab.unique(), title: lab.unique() })),
      })
      await createSeveral(lab, 30, 'repeated')
    },
  },
  {
    id: 'SYNC-NEW-05',
    title: 'MUST take numbers as local_id and map each in things.new',
    requirements: ['C-2.1-2', 'C-4.3-22'],
    faults: ['new-map-number-ids-lost'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const localIds = [1, 2].map((number) => number + 10 * Math.floor(lab.random() * 1e8))
      const things = localIds.map((localId) => ({ local_id: localId, title: lab.unique() }))
      const response = await phone.sync({ from, new_thing: things })
      for (const localId of localIds) expectCreated(response, String(localId))
    },
  },
  {
    id: 'SYNC-NEW-06',
    title: 'MUST give alphanumeric strings as _id',
    section: '2.1',
    requirements: ['C-2.1-10', 'C-4.3-22'],
    faults: ['new-id-number', 'new-id-with-dashes', 'new-map-numbers'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const response = await phone.sync({ from, new_thing: [{ local_id: 'a', title: lab.unique() }] })
      const assigned = isObject(response.json.things) ? response.json.things.new : undefined
      const id = isObject(assigned) ? assigned.a : undefined
      const isRight = typeof id === 'string' && /^[0-9A-Za-z]+$/.test(id)
      expect(isRight, 'things.new with a string of letters and digits for local_id "a"', showValue(assigned), response)
    },
  },
  {
    // Rule 3: from then on the ID names the thing, in every request and for every device.
    id: 'SYNC-NEW-07',
    title: 'MUST let the new _id be used at once, and keep it when the thing changes',
    requirements: ['C-4.3-27', 'C-2.1-11', 'C-4.3-11'],
    faults: ['change-new-id', 'change-creates-copy', 'changed-object-ignored', 'upload-twice-applied'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const localId = lab.unique()
      const response = await phone.sync({ from, new_thing: [{ local_id: localId, title: localId }] })
      const id = expectCreated(response, localId)
      const title = lab.unique()
      await phone.sync({ from: response.pos, changed_thing: [{ _id: id, title }] })
      const incremental = await laptop.sync({ from })
      expectSame(
        expectThing(incremental, id, 'phone created it').title,
        title,
        'the title that phone changed it to',
        incremental,
      )
      const titled = [...incremental.things.values()].filter(
        (thing) => thing.title === title || thing.title === localId,
      )
      expect(
        titled.length === 1,
        'one thing, because it was created once and then changed',
        showValue(titled),
        incremental,
      )
    },
  },
  {
    id: 'SYNC-NEW-08',
    title: 'MUST leave out things.new when no new things were submitted',
    requirements: ['C-4.3-22'],
    faults: [
      'new-map-without-upload',
      'new-map-of-listings',
      'incremental-omits-created',
      'new-map-of-changes',
      'new-map-of-deletions',
      'new-map-of-tags',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const id = await phone.create()
      const response = await laptop.sync({ from })
      expectThing(response, id, 'phone created it')
      const assigned = isObject(response.json.things) ? response.json.things.new : undefined
      expect(assigned === undefined, 'no things.new, because laptop submitted nothing', showValue(assigned), response)
      const other = await phone.create()
      const uploads: readonly SyncParameters[] = [
        { changed_thing: [{ _id: id, title: lab.unique() }] },
        { deleted_thing: [other] },
        { tag: { [lab.mark]: { favorite: true, color: false, todo: false } } },
      ]
      for (const upload of uploads) {
        const next = await laptop.sync({ from, ...upload })
        const came = isObject(next.json.things) ? next.json.things.new : undefined
        const expected = `no things.new, because laptop submitted ${Object.keys(upload).join()} only`
        expect(came === undefined, expected, showValue(came), next)
      }
    },
  },
  {
    id: 'SYNC-NEW-09',
    title: 'MUST create a submitted thing once',
    basis: 'implied',
    requirements: ['C-4.3-10', 'C-4.3-33'],
    faults: ['upload-twice-applied'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const title = lab.unique()
      await phone.create({ title })
      const response = await laptop.sync({ from })
      const found = [...response.things.values()].filter((thing) => thing.title === title)
      expect(
        found.length === 1,
        `one thing with title ${title}, because phone submitted one`,
        showValue(found),
        response,
      )
    },
  },
  {
    // Any text may be a client-assigned ID, for instance a name with a meaning in the server's language.
    id: 'SYNC-NEW-10',
    title: 'MUST take any text as local_id',
    section: '2.1',
    basis: 'implied',
    requirements: ['C-2.1-1', 'C-4.3-22'],
    faults: ['local-id-ascii-only', 'local-id-prototype-lost'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const localIds = [
        '__proto__',
        'constructor',
        `zwölf 12 "${lab.mark}"`,
        `📱 ${lab.mark}`,
        '0',
        '-1',
        'a b&c=d+e%20',
      ]
      const things = localIds.map((localId) => ({ local_id: localId, title: lab.unique() }))
      const response = await phone.sync({ from, new_thing: things })
      for (const localId of localIds) expectCreated(response, localId)
    },
  },
  {
    // The server may respond with an error, or with one of the two; a response without either is wrong.
    id: 'SYNC-NEW-11',
    title: 'MUST either reject or map two new things that share a local_id',
    basis: 'implied',
    requirements: ['C-4.3-22'],
    faults: ['shared-local-id-lost'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await phone.position()
      const localId = lab.unique()
      const things = [1, 2].map(() => ({ local_id: localId, title: lab.unique() }))
      const reply = await phone.trySync({ from, new_thing: things })
      if (reply.error !== undefined) return
      const incremental = await laptop.sync({ from })
      const assigned = isObject(reply.json?.things) ? reply.json.things.new : undefined
      const id = isObject(assigned) ? assigned[localId] : undefined
      const expected = `an error, or things.new with the _id of a listed thing for local_id ${localId}`
      expect(incremental.things.has(String(id)), expected, `things.new is ${showValue(assigned)}`, reply)
    },
  },
])

/** Creates things with the client-assigned IDs, and expects for each its own entry that leads to its thing. */
const expectMapped = async (lab: Lab, localIds: readonly (string | number)[]): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const from = await laptop.position()
  for (let start = 0; start < localIds.length; start += 10) {
    const things = localIds.slice(start, start + 10).map((localId) => ({ local_id: localId, title: lab.unique() }))
    const response = await phone.sync({ from, new_thing: things })
    const incremental = await laptop.sync({ from })
    for (const { local_id: localId, title } of things) {
      const thing = expectThing(
        incremental,
        expectCreated(response, String(localId)),
        `phone created it as ${showValue(localId)}`,
      )
      expectSame(thing.title, title, `the title of the thing that was submitted as ${showValue(localId)}`, incremental)
    }
  }
}

/** Client-assigned IDs (interface 2.1, 4.3): any string or number, for one upload. */
export const localIdRules = coreRulesOf('2.1', [
  {
    id: 'SYNC-LOCAL-01',
    title: 'MUST map a local_id of 0',
    requirements: ['C-2.1-2', 'C-4.3-22'],
    faults: ['local-id-zero-missing', 'new-map-list-for-small-numbers'],
    check: (lab) => expectMapped(lab, [0]),
  },
  {
    id: 'SYNC-LOCAL-02',
    title: 'MUST give things.new as an object for client-assigned IDs from 0 or 1 on, as numbers and as strings',
    requirements: ['C-2.1-2', 'C-2.1-1', 'C-4.3-22'],
    faults: ['new-map-list-for-small-numbers', 'new-map-by-place', 'local-id-number-text-lost'],
    check: async (lab) => {
      await expectMapped(lab, [0, 1, 2])
      await expectMapped(lab, ['1', '2', '10'])
      await expectMapped(lab, [3, 1, 2])
    },
  },
  {
    id: 'SYNC-LOCAL-03',
    title: 'MUST map numbers of any size and sign as local_id',
    basis: 'implied',
    requirements: ['C-2.1-2', 'C-4.3-22'],
    faults: [
      'local-id-negative-lost',
      'local-id-31-bits',
      'local-id-32-bits',
      'local-id-exponent',
      'local-id-single-precision',
    ],
    check: (lab) =>
      expectMapped(lab, [-1, -2_147_483_649, 2_147_483_648, 4_294_967_297, 1_700_000_000_123, 9_007_199_254_740_991]),
  },
  {
    id: 'SYNC-LOCAL-04',
    title: 'MUST map client-assigned IDs that look like something else',
    basis: 'implied',
    requirements: ['C-2.1-1', 'C-4.3-22'],
    faults: [
      'local-id-number-evaluated',
      'local-id-words-lost',
      'local-id-dots-nested',
      'local-id-slash-cut',
      'local-id-dollar-lost',
      'local-id-brackets-cut',
      'local-id-quotes-escaped',
      'local-id-trimmed',
      'local-id-inherited-lost',
      'local-id-dashes-lost',
      'local-id-percent-decoded',
    ],
    check: (lab) =>
      expectMapped(lab, [
        ...['007', '1.0', '1e3', '0x1f', '-0', 'true', 'false', 'null', 'undefined', 'NaN'],
        ...['a.b', 'a/b', '../c', '$set', 'a[0]', 'a[b]', '<b>', '"q"', "it's", ' a '],
        ...['length', 'toString', 'hasOwnProperty', 'prototype', '__proto__', 'new', 'changed', 'local_id', '_id', '*'],
        ...['550e8400-e29b-41d4-a716-446655440000', 'a:b', 'a,b', 'a;b', 'a%20b', 'a+b', 'a\\b', '#1', '?', '日本語'],
      ]),
  },
  {
    id: 'SYNC-LOCAL-05',
    title: 'MUST distinguish client-assigned IDs that are only similar',
    basis: 'implied',
    requirements: ['C-2.1-1', 'C-4.3-22'],
    faults: [
      'local-id-case-ignored',
      'local-id-trimmed',
      'local-id-number-evaluated',
      'local-id-cut-at-32',
      'local-id-composed',
      'local-id-accents-ignored',
    ],
    check: async (lab) => {
      const long = lab.unique().padEnd(60, 'x')
      await expectMapped(lab, ['ab', 'AB', 'Ab', 'ab ', ' ab', '1', '01', '1.0', '10', '1e1'])
      await expectMapped(lab, ['\u00e9', 'e\u0301', 'e', 'E', `${long}1`, `${long}2`])
    },
  },
  {
    id: 'SYNC-LOCAL-06',
    title: 'MUST give a long local_id back whole when it takes it',
    basis: 'implied',
    requirements: ['C-2.1-1', 'C-4.3-22'],
    faults: ['local-id-of-130-lost', 'local-id-cut-at-255', 'local-id-cut-at-100'],
    check: async (lab) => {
      const [shorter, longer] = [lab.unique().padEnd(130, 'y'), lab.unique().padEnd(700, 'z')]
      for (const localId of [shorter, longer]) {
        await skipIfRejected(lab, `a local_id of ${localId.length} characters`, {
          new_thing: [{ local_id: `${localId}z`, title: lab.unique() }],
        })
        await expectMapped(lab, [localId])
      }
    },
  },
  {
    // Unique "among the things submitted together": other uploads, devices and users may use the ID for another thing.
    id: 'SYNC-LOCAL-07',
    title: 'MUST create another thing for a local_id that another device, or an earlier upload, has used',
    basis: 'implied',
    requirements: ['C-2.1-1', 'C-4.3-22', 'C-4.3-10'],
    faults: [
      'local-id-once-an-account',
      'local-id-once-a-session',
      'local-id-changes-earlier',
      'local-id-used-rejected',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const localId = lab.unique()
      const titles = [lab.unique(), lab.unique(), lab.unique()]
      const first = await phone.sync({ from, new_thing: [{ local_id: localId, title: titles[0] ?? '' }] })
      const other = await laptop.sync({ from, new_thing: [{ local_id: localId, title: titles[1] ?? '' }] })
      const later = await phone.sync({ from: first.pos, new_thing: [{ local_id: localId, title: titles[2] ?? '' }] })
      const ids = [first, other, later].map((response) => expectCreated(response, localId))
      const full = await laptop.listAll()
      const came = ids.map((id) => full.things.get(id)?.title ?? null)
      expectSame(came, titles, 'titles of three things that were created one after the other under one local_id', full)
    },
  },
  {
    // The response maps only IDs of this upload; the client's earlier IDs no longer count.
    id: 'SYNC-LOCAL-08',
    title: 'MUST map in things.new the things of this upload and no others',
    requirements: ['C-4.3-22'],
    faults: ['new-map-remembers', 'new-map-of-everybody', 'new-map-twice-mapped'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await phone.position()
      const localIds = [lab.unique(), lab.unique(), lab.unique()]
      const create = (localId: string) => ({ from, new_thing: [{ local_id: localId, title: localId }] })
      await laptop.sync(create(localIds[0] ?? ''))
      await phone.sync(create(localIds[1] ?? ''))
      const response = await phone.sync(create(localIds[2] ?? ''))
      const assigned =
        isObject(response.json.things) && isObject(response.json.things.new) ? response.json.things.new : {}
      expectSame(Object.keys(assigned), [localIds[2]], 'keys of things.new, because one thing was submitted', response)
    },
  },
])

/** Rules of section 4.3: new things (contract, sync 7 and 8). */
export const newThingExtensionRules: readonly Rule[] = [
  extensionRule({
    id: 'NEW-TITLE-01',
    title: 'MUST reject a new or changed thing without title',
    section: '4.3',
    requirements: ['K-sync-8', 'K-error-1'],
    faults: ['missing-title-accepted', 'missing-title-accepted-in-new', 'missing-title-accepted-in-change'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create()
      const from = await phone.position()
      const created = await phone.trySync({ from, new_thing: [{ local_id: lab.unique(), tags: lab.mark }] })
      expectError(created, 400, 'parameter_invalid', 'the new thing has no title')
      const changed = await phone.trySync({ from, changed_thing: [{ _id: id, tags: lab.mark }] })
      expectError(changed, 400, 'parameter_invalid', 'the changed thing has no title')
    },
  }),
  extensionRule({
    id: 'NEW-TITLE-02',
    title: 'MUST take an empty title',
    section: '2.1',
    requirements: ['K-sync-15'],
    faults: ['title-empty-rejected', 'new-map-absent', 'title-missing'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const response = await phone.sync({ from, new_thing: [{ local_id: 'a', title: '', tags: lab.mark }] })
      const listed = await (await lab.replica('laptop')).sync({ from })
      expectSame(
        expectThing(listed, response.created.get('a') ?? '(not in things.new)', 'phone created it').title,
        '',
        'the title as sent',
        listed,
      )
    },
  }),
  extensionRule({
    id: 'NEW-LOCAL-01',
    title: 'MUST reject a new thing without local_id',
    section: '4.3',
    requirements: ['K-sync-8', 'K-error-1'],
    faults: ['missing-local-id-accepted'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      expectError(
        await phone.trySync({ from, new_thing: [{ title: lab.mark }] }),
        400,
        'parameter_invalid',
        'it has no local_id',
      )
      await phone.sync({ from, new_thing: [{ local_id: lab.mark, title: lab.mark }] })
    },
  }),
  extensionRule({
    id: 'NEW-LOCAL-02',
    title: 'MUST reject new things that share a local_id in one request',
    section: '4.3',
    requirements: ['K-sync-8', 'K-error-1'],
    faults: ['shared-local-id-accepted'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const things = [1, '1'].map((localId) => ({ local_id: localId, title: lab.unique() }))
      expectError(
        await phone.trySync({ from, new_thing: things }),
        400,
        'parameter_invalid',
        'local_id 1 is used twice',
      )
      await phone.createMany([{}, {}])
    },
  }),
]

/** Rules of section 4.3: safe retries of uploads (contract, sync 7). */
export const retryRules: readonly Rule[] = [
  extensionRule({
    id: 'RETRY-NEW-01',
    title: 'MUST respond to a repeated upload from the same position with the same _id and no duplicate',
    section: '4.3',
    requirements: ['K-sync-9'],
    faults: ['retry-duplicates', 'retry-other-id', 'upload-twice-applied'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.create()
      const from = await phone.position()
      const upload = { from, new_thing: [{ local_id: 'a', title: lab.mark }] }
      const first = await phone.sync(upload)
      const second = await phone.sync(upload)
      expectSame(
        expectCreated(second, 'a'),
        expectCreated(first, 'a'),
        'the _id of the first response, because session, from and local_id are the same',
        second,
      )
      const incremental = await (await lab.replica('laptop')).sync({ from })
      const mine = [...incremental.things.values()].filter((thing) => thing.title === lab.mark)
      expectSame(mine.length, 1, 'things with the title of the repeated upload', incremental)
    },
  }),
  extensionRule({
    id: 'RETRY-NEW-02',
    title: 'MUST apply the fields of a repeated upload as a change',
    section: '4.3',
    requirements: ['K-sync-9'],
    faults: ['retry-fields-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.create()
      const from = await phone.position()
      const title = lab.unique()
      const first = await phone.sync({ from, new_thing: [{ local_id: 'a', title, html: 'one', tags: lab.mark }] })
      await phone.sync({ from, new_thing: [{ local_id: 'a', title, html: 'two' }] })
      const incremental = await (await lab.replica('laptop')).sync({ from })
      const { html, tags } = expectThing(
        incremental,
        first.created.get('a') ?? '(not in things.new)',
        'phone created it',
      )
      expectSame([html, tags], ['two', lab.mark], 'html of the repeated upload, tags as before', incremental)
    },
  }),
  extensionRule({
    id: 'RETRY-NEW-03',
    title: 'MUST NOT take the local_id of another session for a retry',
    section: '4.3',
    requirements: ['K-sync-9'],
    faults: ['retry-other-session'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      await phone.create()
      const from = await phone.position()
      const upload = { from, new_thing: [{ local_id: lab.mark, title: lab.mark }] }
      const first = await phone.sync(upload)
      const second = await laptop.sync(upload)
      const ids = [expectCreated(first, lab.mark), expectCreated(second, lab.mark)]
      expect(
        ids[0] !== ids[1],
        'another _id, because laptop has a session of its own',
        `both were given ${ids[0]}`,
        second,
      )
    },
  }),
  extensionRule({
    id: 'RETRY-NEW-04',
    title: 'MUST create another thing for a repeated local_id without from',
    section: '4.3',
    requirements: ['K-sync-10'],
    faults: ['retry-without-from'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const upload = { new_thing: [{ local_id: lab.mark, title: lab.mark }], limit: 0 }
      const first = await phone.sync(upload)
      const second = await phone.sync(upload)
      const ids = [expectCreated(first, lab.mark), expectCreated(second, lab.mark)]
      expect(ids[0] !== ids[1], 'another _id, because neither request had a from', `both were given ${ids[0]}`, second)
    },
  }),
  extensionRule({
    id: 'RETRY-DELETED-01',
    title: 'MUST list a thing that was deleted in between in the response to its repeated upload',
    section: '4.3',
    requirements: ['K-sync-24'],
    faults: ['retry-deletion-hidden'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      await phone.create()
      const from = await phone.position()
      const upload = { from, new_thing: [{ local_id: 'a', title: lab.mark }] }
      const id = expectCreated(await phone.sync(upload), 'a')
      await laptop.sync({ from, deleted_thing: [id] })
      const response = await phone.sync(upload)
      expectSame(response.created.get('a'), id, 'the _id of the first response, because this is a retry', response)
      expectDeleted(response, id, 'laptop deleted it and phone may not know')
    },
  }),
  extensionRule({
    id: 'RETRY-SAME-01',
    title: 'MUST take a repeated local_id with the same url or the same given date for a retry',
    section: '4.3',
    requirements: ['K-sync-9'],
    faults: ['retry-by-title-only'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.create()
      const from = await phone.position()
      for (const same of [{ url: `https://example.org/${lab.mark}` }, { date: 1_600_000_000 }]) {
        const localId = lab.unique()
        const first = await phone.sync({ from, new_thing: [{ local_id: localId, title: lab.unique(), ...same }] })
        const title = lab.unique()
        const second = await phone.sync({ from, new_thing: [{ local_id: localId, title, ...same }] })
        const id = expectCreated(first, localId)
        const because = `the _id of the first response, because ${Object.keys(same)} is the same`
        expectSame(second.created.get(localId), id, because, second)
        const incremental = await (await lab.replica('laptop')).sync({ from })
        expectSame(
          expectThing(incremental, id, 'phone created it').title,
          title,
          'the title of the repeated upload',
          incremental,
        )
      }
    },
  }),
  extensionRule({
    // Clients that only upload always send from=0, and count their client-assigned IDs from 1.
    id: 'RETRY-OTHER-01',
    title: 'MUST give a repeated local_id with another title, url and date an _id of its own, and overwrite nothing',
    section: '4.3',
    requirements: ['K-sync-10'],
    faults: ['retry-whatever-comes'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const [one, two] = [lab.unique(), lab.unique()]
      const upload = (title: string) => ({ limit: 0, from: 0, new_thing: [{ local_id: lab.mark, title }] })
      const first = expectCreated(await phone.sync(upload(one)), lab.mark)
      const response = await phone.sync(upload(two))
      const second = expectCreated(response, lab.mark)
      expect(
        first !== second,
        `another _id than ${first}, because nothing but the local_id is the same`,
        'it came',
        response,
      )
      const incremental = await (await lab.replica('laptop')).sync({ from })
      const titles = [first, second].map((id) => incremental.things.get(id)?.title ?? null)
      expectSame(titles, [one, two], 'the titles of both things', incremental)
    },
  }),
  extensionRule({
    id: 'RETRY-SEEN-01',
    title: 'MUST take a repeated local_id for a new thing after the session has sent a later from',
    section: '4.3',
    requirements: ['K-sync-10'],
    faults: ['retry-remembered-forever'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const upload = { limit: 0, from: 0, new_thing: [{ local_id: lab.mark, title: lab.mark }] }
      const first = await phone.sync(upload)
      await phone.sync({ from: first.pos })
      const second = await phone.sync(upload)
      const ids = [expectCreated(first, lab.mark), expectCreated(second, lab.mark)]
      expect(
        ids[0] !== ids[1],
        `another _id, because phone has meanwhile synced from ${first.pos} and so has seen the first response`,
        `both were given ${ids[0]}`,
        second,
      )
    },
  }),
  extensionRule({
    id: 'RETRY-SEEN-02',
    title: 'MUST take a repeated local_id for a new thing after the session has named the thing by its _id',
    section: '4.3',
    requirements: ['K-sync-10'],
    faults: ['retry-remembered-after-use'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const isChange of [true, false]) {
        const localId = lab.unique()
        const upload = { limit: 0, from: 0, new_thing: [{ local_id: localId, title: lab.mark }] }
        const first = expectCreated(await phone.sync(upload), localId)
        const use = isChange ? { changed_thing: [{ _id: first, title: lab.mark }] } : { deleted_thing: [first] }
        await phone.sync({ limit: 0, from: 0, ...use })
        const response = await phone.sync(upload)
        const second = expectCreated(response, localId)
        const because = `because phone has named it in ${Object.keys(use)}`
        expect(first !== second, `another _id than ${first}, ${because}`, 'it came', response)
      }
    },
  }),
]
