import { expect, expectCreated, expectSame, expectTag, expectThing } from '../../expect.ts'
import type { UploadForm } from '../../form.ts'
import { showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import { off, type SyncParameters } from '../../sync-request.ts'
import { coreSection } from './core-rules.ts'
import { stopIfRefused } from './stop-if-refused.ts'

type Kind = 'new_thing' | 'changed_thing' | 'deleted_thing'

/** Sends `counts` of each kind, each kind written in its form, in one request; expects all of it to be applied. */
const expectApplied = async (
  lab: Lab,
  counts: Readonly<Record<Kind, number>>,
  forms: Readonly<Record<Kind, UploadForm | 'one in an array'>>,
): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const changing = await phone.createMany(Array.from({ length: counts.changed_thing }, () => ({})))
  const gone = await phone.createMany(Array.from({ length: counts.deleted_thing }, () => ({})))
  const from = await laptop.position()
  const created = Array.from({ length: counts.new_thing }, () => ({ local_id: lab.unique(), title: lab.unique() }))
  const changed = changing.map((id) => ({ _id: id, title: lab.unique() }))
  const parts: Readonly<Record<Kind, readonly unknown[]>> = {
    new_thing: created,
    changed_thing: changed,
    deleted_thing: gone,
  }
  const pairs = (Object.keys(parts) as Kind[]).flatMap((kind): [string, string][] => {
    const texts = parts[kind].map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    if (texts.length === 0) return []
    return forms[kind] === 'repeated' ? texts.map((text) => [`${kind}[]`, text]) : [[kind, JSON.stringify(parts[kind])]]
  })
  const reply = await phone.send({ path: 'sync', method: 'POST', form: [['from', `${from}`], ...pairs] })
  const made = reply.json?.things as { new?: Record<string, string> } | undefined
  const delta = await laptop.sync({ from })
  for (const { local_id: localId, title } of created) {
    const thing = expectThing(delta, made?.new?.[localId] ?? '', `phone created it as new_thing (${forms.new_thing})`)
    expectSame(thing.title, title, 'title of the new thing', delta)
  }
  for (const { _id: id, title } of changed) {
    const thing = expectThing(delta, id, `phone changed it as changed_thing (${forms.changed_thing})`)
    expectSame(thing.title, title, 'title of the changed thing', delta)
  }
  const left = gone.filter((id) => !delta.deleted.includes(id))
  expect(
    left.length === 0,
    `${gone.length} ids in things.deleted, deleted as deleted_thing (${forms.deleted_thing})`,
    `${showValue(left)} are missing`,
    delta,
  )
}

const all = (form: UploadForm | 'one in an array') => ({ new_thing: form, changed_thing: form, deleted_thing: form })

/** Sends an upload beside parameters that concern the answer, and expects all of it to be applied. */
const expectBeside = async (lab: Lab, beside: (ids: readonly string[]) => SyncParameters): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const [changed = '', other = '', gone = ''] = await phone.createMany([{}, {}, {}])
  const from = await laptop.position()
  const localIds = [lab.unique(), lab.unique(), lab.unique()]
  const [title, second] = [lab.unique(), lab.unique()]
  const answer = await phone.sync({
    from,
    ...beside([changed, gone]),
    new_thing: localIds.map((localId) => ({ local_id: localId, title: localId })),
    changed_thing: [
      { _id: changed, title },
      { _id: other, title: second },
    ],
    deleted_thing: [gone],
    tag: { [lab.mark]: { ...off, favorite: true } },
  })
  const ids = localIds.map((localId) => expectCreated(answer, localId))
  const delta = await laptop.sync({ from })
  const titles = [...ids, changed, other].map((id) => delta.things.get(id)?.title ?? null)
  expectSame(titles, [...localIds, title, second], 'titles of three new and two changed things', delta)
  expect(delta.deleted.includes(gone), `${gone} in things.deleted`, showValue(delta.deleted), delta)
  expectTag(delta, lab.mark, 'phone set them in the same request')
}

/** How uploads are written, and what stands beside them (interface 4.3). */
export const uploadFormRules = coreSection('4.3', [
  {
    id: 'SYNC-FORM-01',
    title: 'MUST take one thing of each kind that stands in an array of its own',
    clauses: ['C-4.3-15', 'C-4.3-10', 'C-4.3-11', 'C-4.3-12'],
    basis: 'derived',
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
    clauses: ['C-4.3-16', 'C-4.3-10', 'C-4.3-11', 'C-4.3-12'],
    basis: 'derived',
    faults: ['form-repeated-alone-ignored', 'changed-repeated-alone-ignored', 'deleted-repeated-alone-ignored'],
    check: (lab) => expectApplied(lab, { new_thing: 1, changed_thing: 1, deleted_thing: 1 }, all('repeated')),
  },
  {
    id: 'SYNC-FORM-03',
    title: 'MUST take several things of each kind in one request, each kind in its own form',
    clauses: ['C-4.3-15', 'C-4.3-16'],
    basis: 'derived',
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
    title: 'MUST take every one of 25 changes or deletions in each form, unless it refuses so many',
    clauses: ['C-4.3-15', 'C-4.3-16'],
    basis: 'derived',
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
      await stopIfRefused(lab, '25 changes in one request', { changed_thing: changed })
      for (const form of ['repeated', 'array'] as const) {
        await expectApplied(lab, { new_thing: 0, changed_thing: 25, deleted_thing: 0 }, all(form))
        await expectApplied(lab, { new_thing: 0, changed_thing: 0, deleted_thing: 25 }, all(form))
      }
    },
  },
  {
    // limit and skip bound what is listed, not what is uploaded, and every local_id has its entry (rule 5).
    id: 'SYNC-BESIDE-01',
    title: 'MUST apply all of an upload, and map all of it, beside a limit',
    clauses: ['C-4.3-7', 'C-4.3-22'],
    basis: 'derived',
    faults: ['tag-settings-ignored', 'limit-cuts-upload', 'limit-cuts-new-map', 'limit-makes-read-only'],
    check: (lab) => expectBeside(lab, () => ({ limit: 1 })),
  },
  {
    id: 'SYNC-BESIDE-02',
    title: 'MUST apply all of an upload, and map all of it, beside a skip',
    clauses: ['C-4.3-6', 'C-4.3-22'],
    basis: 'derived',
    faults: ['skip-cuts-upload', 'skip-cuts-new-map'],
    check: (lab) => expectBeside(lab, () => ({ skip: 2 })),
  },
  {
    id: 'SYNC-BESIDE-03',
    title: 'MUST change and delete the things of an upload also when their ids are given as skip_id',
    clauses: ['C-4.3-14', 'C-4.3-11', 'C-4.3-12'],
    basis: 'derived',
    faults: ['skip-id-stops-changes', 'skip-id-stops-deletions', 'skip-id-makes-read-only'],
    check: (lab) => expectBeside(lab, ([changed = '']) => ({ skip_id: [changed] })),
  },
  {
    id: 'SYNC-BESIDE-04',
    title: 'MUST NOT let skip_id leave out of later listings what it left out of one',
    clauses: ['C-4.3-14', 'C-4.3-5'],
    basis: 'derived',
    faults: ['skip-id-ignored', 'skip-id-remembered', 'skip-id-for-everybody', 'skip-id-deletes'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const id = await phone.create()
      const skipped = await laptop.sync({ from, skip_id: [id], method: 'POST' })
      expect(!skipped.things.has(id), `no ${id}, given as skip_id`, 'it is listed', skipped)
      expectThing(await laptop.sync({ from }), id, 'this delta gives no skip_id')
    },
  },
])
