import { type Pair, showValue, type UploadForm } from '../encoding.ts'
import { expect, expectCreated, expectDeleted, expectNoThing, expectSame, expectTag, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import { coreRulesOf, extensionRule, type Rule } from '../rule.ts'
import { off, readSyncResponse, type SyncParameters } from '../sync-messages.ts'
import { expectError, post } from './operation-steps.ts'
import { skipIfRejected } from './upload-steps.ts'

type Kind = 'new_thing' | 'changed_thing' | 'deleted_thing'

/** Sends `counts` of each kind, each kind in its form, in one request; expects all of it to be applied. */
const expectApplied = async (
  lab: Lab,
  counts: Readonly<Record<Kind, number>>,
  forms: Readonly<Record<Kind, UploadForm | 'one in an array'>>,
): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const changing = await phone.createMany(Array.from({ length: counts.changed_thing }, () => ({})))
  const removed = await phone.createMany(Array.from({ length: counts.deleted_thing }, () => ({})))
  const from = await laptop.position()
  const created = Array.from({ length: counts.new_thing }, () => ({ local_id: lab.unique(), title: lab.unique() }))
  const changed = changing.map((id) => ({ _id: id, title: lab.unique() }))
  const parts: Readonly<Record<Kind, readonly unknown[]>> = {
    new_thing: created,
    changed_thing: changed,
    deleted_thing: removed,
  }
  const pairs = (Object.keys(parts) as Kind[]).flatMap((kind): [string, string][] => {
    const texts = parts[kind].map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    if (texts.length === 0) return []
    return forms[kind] === 'repeated' ? texts.map((text) => [`${kind}[]`, text]) : [[kind, JSON.stringify(parts[kind])]]
  })
  const reply = await phone.send({ path: 'sync', method: 'POST', form: [['from', `${from}`], ...pairs] })
  const mapped = reply.json?.things as { new?: Record<string, string> } | undefined
  const incremental = await laptop.sync({ from })
  for (const { local_id: localId, title } of created) {
    const thing = expectThing(
      incremental,
      mapped?.new?.[localId] ?? '',
      `phone created it as new_thing (${forms.new_thing})`,
    )
    expectSame(thing.title, title, 'title of the new thing', incremental)
  }
  for (const { _id: id, title } of changed) {
    const thing = expectThing(incremental, id, `phone changed it as changed_thing (${forms.changed_thing})`)
    expectSame(thing.title, title, 'title of the changed thing', incremental)
  }
  const left = removed.filter((id) => !incremental.deleted.includes(id))
  expect(
    left.length === 0,
    `${removed.length} ids in things.deleted, deleted as deleted_thing (${forms.deleted_thing})`,
    `${showValue(left)} are missing`,
    incremental,
  )
}

const all = (form: UploadForm | 'one in an array') => ({ new_thing: form, changed_thing: form, deleted_thing: form })

/** Sends an upload with parameters for the response, and expects all of it to be applied. */
const expectBeside = async (lab: Lab, beside: (ids: readonly string[]) => SyncParameters): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const [changed = '', other = '', removed = ''] = await phone.createMany([{}, {}, {}])
  const from = await laptop.position()
  const localIds = [lab.unique(), lab.unique(), lab.unique()]
  const [title, second] = [lab.unique(), lab.unique()]
  const response = await phone.sync({
    from,
    ...beside([changed, removed]),
    new_thing: localIds.map((localId) => ({ local_id: localId, title: localId })),
    changed_thing: [
      { _id: changed, title },
      { _id: other, title: second },
    ],
    deleted_thing: [removed],
    tag: { [lab.mark]: { ...off, favorite: true } },
  })
  const ids = localIds.map((localId) => expectCreated(response, localId))
  const incremental = await laptop.sync({ from })
  const titles = [...ids, changed, other].map((id) => incremental.things.get(id)?.title ?? null)
  expectSame(titles, [...localIds, title, second], 'titles of three new and two changed things', incremental)
  expect(
    incremental.deleted.includes(removed),
    `${removed} in things.deleted`,
    showValue(incremental.deleted),
    incremental,
  )
  expectTag(incremental, lab.mark, 'phone set them in the same request')
}

/** Forms of uploads, and other parameters beside them (interface 4.3). */
export const uploadFormRules = coreRulesOf('4.3', [
  {
    id: 'SYNC-FORM-01',
    title: 'MUST take one thing of each kind that stands in an array of its own',
    requirements: ['C-4.3-15', 'C-4.3-10', 'C-4.3-11', 'C-4.3-12'],
    basis: 'implied',
    faults: [
      'new-title-lost',
      'change-title-ignored',
      'form-array-of-one-ignored',
      'changed-array-of-one-ignored',
      'deleted-array-of-one-ignored',
    ],
    check: (lab) => expectApplied(lab, { new_thing: 1, changed_thing: 1, deleted_thing: 1 }, all('one in an array')),
  },
  {
    id: 'SYNC-FORM-02',
    title: 'MUST take one thing of each kind as a parameter of the repeated form that is not repeated',
    requirements: ['C-4.3-16', 'C-4.3-10', 'C-4.3-11', 'C-4.3-12'],
    basis: 'implied',
    faults: ['form-repeated-alone-ignored', 'changed-repeated-alone-ignored', 'deleted-repeated-alone-ignored'],
    check: (lab) => expectApplied(lab, { new_thing: 1, changed_thing: 1, deleted_thing: 1 }, all('repeated')),
  },
  {
    id: 'SYNC-FORM-03',
    title: 'MUST take several things of each kind in one request, each kind in its own form',
    requirements: ['C-4.3-15', 'C-4.3-16'],
    basis: 'implied',
    faults: [
      'changed-array-first-only',
      'forms-mixed-first-only',
      'upload-of-three-kinds-loses-deletions',
      'changed-repeated-beside-array-ignored',
      'upload-changes-only-as-many-as-new',
    ],
    check: async (lab) => {
      const counts = { new_thing: 2, changed_thing: 4, deleted_thing: 3 }
      await expectApplied(lab, counts, { new_thing: 'array', changed_thing: 'repeated', deleted_thing: 'array' })
      await expectApplied(lab, counts, { new_thing: 'repeated', changed_thing: 'array', deleted_thing: 'repeated' })
    },
  },
  {
    id: 'SYNC-FORM-04',
    title: 'MUST take every one of 25 changes or deletions in each form, unless it rejects so many',
    requirements: ['C-4.3-15', 'C-4.3-16'],
    basis: 'implied',
    faults: [
      'changed-twenty-repeated',
      'deleted-twenty-repeated',
      'changed-twenty-at-most',
      'deleted-twenty-at-most',
      'deleted-ten-at-most',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const many = await phone.createMany(Array.from({ length: 25 }, () => ({})))
      const changed = many.map((id) => ({ _id: id, title: lab.unique() }))
      await skipIfRejected(lab, '25 changes in one request', { changed_thing: changed })
      for (const form of ['repeated', 'array'] as const) {
        await expectApplied(lab, { new_thing: 0, changed_thing: 25, deleted_thing: 0 }, all(form))
        await expectApplied(lab, { new_thing: 0, changed_thing: 0, deleted_thing: 25 }, all(form))
      }
    },
  },
  {
    // limit and skip apply to the listing, not to the upload, and every local_id has its entry (rule 5).
    id: 'SYNC-BESIDE-01',
    title: 'MUST apply all of an upload, and map all of it, beside a limit',
    requirements: ['C-4.3-7', 'C-4.3-22'],
    basis: 'implied',
    faults: ['tag-settings-ignored', 'limit-cuts-upload', 'limit-cuts-new-map', 'limit-makes-read-only'],
    check: (lab) => expectBeside(lab, () => ({ limit: 1 })),
  },
  {
    id: 'SYNC-BESIDE-02',
    title: 'MUST apply all of an upload, and map all of it, beside a skip',
    requirements: ['C-4.3-6', 'C-4.3-22'],
    basis: 'implied',
    faults: ['skip-cuts-upload', 'skip-cuts-new-map'],
    check: (lab) => expectBeside(lab, () => ({ skip: 2 })),
  },
  {
    id: 'SYNC-BESIDE-03',
    title: 'MUST change and delete the things of an upload also when their ids are given as skip_id',
    requirements: ['C-4.3-14', 'C-4.3-11', 'C-4.3-12'],
    basis: 'implied',
    faults: ['skip-id-stops-changes', 'skip-id-stops-deletions', 'skip-id-makes-read-only'],
    check: (lab) => expectBeside(lab, ([changed = '']) => ({ skip_id: [changed] })),
  },
  {
    id: 'SYNC-BESIDE-04',
    title: 'MUST NOT let skip_id leave out of later listings what it left out of one',
    requirements: ['C-4.3-14', 'C-4.3-5'],
    basis: 'implied',
    faults: ['skip-id-ignored', 'skip-id-remembered', 'skip-id-for-everybody', 'skip-id-deletes'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const id = await phone.create()
      const skipped = await laptop.sync({ from, skip_id: [id], method: 'POST' })
      expect(!skipped.things.has(id), `no ${id}, given as skip_id`, 'it is listed', skipped)
      expectThing(await laptop.sync({ from }), id, 'this incremental sync gives no skip_id')
    },
  },
])

/** Rules of section 4.3: a GET uploads nothing (contract, requests). */
export const uploadByGetRules: readonly Rule[] = [
  extensionRule({
    id: 'FORM-GET-01',
    title: 'MUST reject an upload parameter in a GET',
    section: '4.3',
    requirements: ['K-request-5'],
    faults: ['get-upload-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const uploads = [
        ['new_thing', JSON.stringify({ local_id: lab.unique(), title: lab.mark })],
        ['new_thing[]', JSON.stringify({ local_id: lab.unique(), title: lab.mark })],
        ['deleted_thing', lab.unique()],
        [`tag[${lab.unique()}]`, '{"favorite":true}'],
      ] as const
      for (const upload of uploads) {
        const reply = await phone.send({ path: 'sync', query: [['limit', '1'], upload] })
        expectError(reply, 400, 'parameter_invalid', `${upload[0]} belongs to POST`)
      }
      await phone.create()
    },
  }),
  extensionRule({
    // Not an upload: it only filters the listing.
    id: 'FORM-GET-03',
    title: 'MUST take skip_id in a GET',
    section: '4.3',
    requirements: ['K-request-5'],
    faults: ['get-skip-id-rejected', 'skip-id-array-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const [left = '', kept = ''] = await phone.createMany([{}, {}])
      const listed = await phone.sync({ from, skip_id: [left, lab.unique()], method: 'GET' })
      expectThing(listed, kept, 'only the other one was named in skip_id')
      expectNoThing(listed, left, 'it was named in skip_id')
    },
  }),
  extensionRule({
    id: 'FORM-GET-02',
    title: 'MUST change nothing by GET',
    section: '4.3',
    requirements: ['K-request-5'],
    faults: ['get-upload-applied'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const [kept, mapped] = [lab.unique(), lab.unique()]
      const id = await phone.create({ title: kept })
      const thing = JSON.stringify({ local_id: lab.unique(), title: mapped })
      for (const upload of [
        ['new_thing', thing],
        ['deleted_thing', id],
      ] as const) {
        await phone.send({ path: 'sync', query: [['limit', '1'], upload] })
      }
      const listing = await phone.listAll()
      const titles = [...listing.things.values()].map(({ title }) => title)
      const seen = [titles.includes(kept), titles.includes(mapped)]
      expectSame(
        seen,
        [true, false],
        'the thing that a GET tried to delete there, the one it tried to create not',
        listing,
      )
    },
  }),
]

/** Rules of section 4.3: spellings of values and names in a form (contract, requests). */
export const spellingRules: readonly Rule[] = [
  extensionRule({
    id: 'FORM-BOOLEAN-01',
    title: 'MUST take true, false, 1 and 0 as booleans, quoted or not, in any letter case',
    section: '4.3',
    requirements: ['K-request-6'],
    faults: ['boolean-text-rejected', 'boolean-case-rejected', 'new-archived-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const spellings = [true, 1, 'true', '1', 'TRUE', 'True', false, 0, 'false', '0', 'FALSE']
      const things = spellings.map((archived, index) => ({ local_id: index, title: lab.unique(), archived }))
      const response = await phone.sync({ from, new_thing: things })
      const listed = await (await lab.replica('laptop')).sync({ from })
      for (const [index, archived] of spellings.entries()) {
        const thing = expectThing(
          listed,
          response.created.get(String(index)) ?? '',
          `phone created it with archived ${JSON.stringify(archived)}`,
        )
        expectSame(thing.archived === true, index < 6, `archived, submitted as ${JSON.stringify(archived)}`, listed)
      }
    },
  }),
  extensionRule({
    id: 'FORM-BOOLEAN-02',
    title: 'MUST reject any other spelling of a boolean',
    section: '4.3',
    requirements: ['K-request-6', 'K-error-1'],
    faults: ['bad-boolean-accepted'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const archived of ['yes', 2, '', [], 'nul']) {
        const thing = { local_id: lab.unique(), title: lab.mark, archived }
        const reply = await phone.trySync({ from: await phone.position(), new_thing: [thing] })
        expectError(reply, 400, 'parameter_invalid', `archived is ${JSON.stringify(archived)}`)
      }
    },
  }),
  extensionRule({
    id: 'FORM-NUMBER-01',
    title: 'MUST take a number that is written as text',
    section: '4.3',
    requirements: ['K-request-7'],
    faults: ['number-text-rejected', 'new-date-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const thing = JSON.stringify({ local_id: 'a', title: lab.mark, date: '1700000000' })
      const response = readSyncResponse(
        await post(phone, 'sync', { from: String(from), new_thing: thing }),
        'an upload with a date as text',
      )
      const listed = await (await lab.replica('laptop')).sync({ from })
      expectSame(
        expectThing(listed, response.created.get('a') ?? '', 'phone created it').date,
        1_700_000_000,
        'date as a number',
        listed,
      )
    },
  }),
  extensionRule({
    id: 'FORM-NAME-01',
    title: 'MUST keep names chosen by clients apart whatever they hold',
    section: '2',
    requirements: ['K-request-10'],
    faults: ['local-id-prototype-lost', 'local-id-ascii-only'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const names = ['__proto__', 'constructor', 'toString', '', ' ', 'a]b', 'é', '👩‍🚀', '"', '0']
      const things = names.map((name) => ({ local_id: name, title: lab.unique() }))
      const response = await phone.sync({ from: await phone.position(), new_thing: things })
      expectSame([...response.created.keys()].sort(), [...names].sort(), 'client-assigned IDs in things.new', response)
    },
  }),
]

/** Rules of section 4.3: several things and IDs in a form (contract, requests). */
export const listSpellingRules: readonly Rule[] = [
  extensionRule({
    id: 'FORM-INDEX-01',
    title: 'MUST take several things as name[0], name[1]',
    section: '4.3',
    requirements: ['K-request-8'],
    faults: ['form-indexed-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const things = [0, 1].map((index) => ({ local_id: index, title: lab.unique() }))
      const response = await phone.sync({ from, new_thing: things, form: 'indexed' })
      const ids = ['0', '1'].map((localId) => response.created.get(localId) ?? '(none)')
      await phone.sync({ from, deleted_thing: ids, form: 'indexed' })
      const listed = await (await lab.replica('laptop')).sync({ from: response.pos })
      for (const id of ids)
        expectDeleted(listed, id, 'phone created it as new_thing[n] and deleted it as deleted_thing[n]')
    },
  }),
  extensionRule({
    id: 'FORM-NESTED-01',
    title: 'MUST take arrays in a repeated parameter as one flat list',
    section: '4.3',
    requirements: ['K-request-8'],
    faults: ['form-nested-array-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const things = ['a', 'b', 'c'].map((localId) => ({ local_id: localId, title: lab.unique() }))
      const form: Pair[] = [
        ['from', String(await phone.position())],
        ['new_thing[]', JSON.stringify(things.slice(0, 2))],
        ['new_thing[]', JSON.stringify(things[2])],
      ]
      const response = readSyncResponse(await post(phone, 'sync', form), 'an upload of arrays in new_thing[]')
      expectSame([...response.created.keys()].sort(), ['a', 'b', 'c'], 'client-assigned IDs in things.new', response)
    },
  }),
  extensionRule({
    id: 'FORM-IDS-01',
    title: 'MUST take skip_id as a JSON array and as repeated parameters',
    section: '4.3',
    requirements: ['K-request-8'],
    faults: ['skip-id-array-ignored', 'incremental-omits-created'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const ids = await phone.createMany([{}, {}])
      const array: Pair[] = [['skip_id', JSON.stringify(ids)]]
      const repeated = ids.map((id): Pair => ['skip_id', id])
      for (const skipIds of [array, repeated]) {
        const response = readSyncResponse(
          await post(phone, 'sync', [['from', String(from)], ...skipIds]),
          'a sync with skip_id',
        )
        for (const id of ids) expectNoThing(response, id, 'skip_id names it')
      }
      expectThing(await phone.sync({ from }), ids[0] ?? '', 'phone created it, and no skip_id names it')
    },
  }),
  extensionRule({
    id: 'FORM-IDS-02',
    title: 'MUST take deleted_thing repeated without brackets',
    section: '4.3',
    requirements: ['K-request-8'],
    faults: ['deleted-repeated-plain-lost'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const ids = await phone.createMany([{}, {}, {}])
      const from = await phone.position()
      await post(phone, 'sync', [['from', String(from)], ...ids.map((id): Pair => ['deleted_thing', id])])
      const listed = await (await lab.replica('laptop')).sync({ from })
      for (const id of ids) expectDeleted(listed, id, 'phone deleted it as one of three deleted_thing parameters')
    },
  }),
]

/** Rules of section 4.3: tag settings in a form (contract, requests). */
export const tagSpellingRules: readonly Rule[] = [
  extensionRule({
    id: 'FORM-TAG-01',
    title: 'MUST take tag settings as tag[name][field]',
    section: '4.3',
    requirements: ['K-request-9'],
    faults: ['tag-nested-form-ignored', 'tag-color-without-hash', 'tag-favorite-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const form: Pair[] = [
        [`tag[${lab.mark}][favorite]`, 'true'],
        [`tag[${lab.mark}][color]`, '#abcdef'],
      ]
      await post(phone, 'sync', [['from', String(from)], ...form])
      const listed = await (await lab.replica('laptop')).sync({ from })
      const { favorite, color } = expectTag(listed, lab.mark, 'phone set it')
      expectSame([favorite, color], [true, '#abcdef'], 'favorite and color as submitted', listed)
    },
  }),
  extensionRule({
    id: 'FORM-TAG-02',
    title: 'MUST take tag settings as a map of objects and as a map of JSON texts',
    section: '4.3',
    requirements: ['K-request-9'],
    faults: ['tag-map-form-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      for (const settings of [{ favorite: true }, JSON.stringify({ favorite: true })]) {
        const from = await phone.position()
        const name = lab.unique()
        await post(phone, 'sync', { from: String(from), tag: JSON.stringify({ [name]: settings }) })
        const listed = await laptop.sync({ from })
        expectSame(expectTag(listed, name, 'phone set it').favorite, true, 'favorite as submitted', listed)
      }
    },
  }),
  extensionRule({
    id: 'FORM-TAG-03',
    title: 'MUST reject a tag parameter that is no map',
    section: '4.3',
    requirements: ['K-request-9', 'K-error-1'],
    faults: ['tag-not-map-ignored', 'sync-not-json', 'tag-map-form-rejected', 'upload-after-from-rejected'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = String(await phone.position())
      for (const tag of ['[]', '7', '"text"']) {
        expectError(await post(phone, 'sync', { from, tag }), 400, 'parameter_invalid', `tag is ${tag}`)
      }
      const map = JSON.stringify({ [lab.mark]: { favorite: true } })
      readSyncResponse(await post(phone, 'sync', { from, tag: map }), 'a sync with tag as a map')
    },
  }),
]
