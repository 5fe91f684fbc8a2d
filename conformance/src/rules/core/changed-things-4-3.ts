import { expect, expectCreated, expectNoThing, expectSame, expectTag, expectThing } from '../../expect.ts'
import type { UploadForm } from '../../form.ts'
import { showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import type { Replica } from '../../replica.ts'
import { coreSection } from './core-rules.ts'

const changeSeveral = async (lab: Lab, form: UploadForm): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const ids = await phone.createMany([{}, {}, {}])
  const from = await laptop.position()
  const things = ids.map((id) => ({ _id: id, title: lab.unique() }))
  await phone.sync({ from, changed_thing: things, form })
  const delta = await laptop.sync({ from })
  for (const { _id: id, title } of things) {
    expectSame(expectThing(delta, id, 'phone changed it as one of 3').title, title, `title of ${id}`, delta)
  }
}

/** Uploads of changed things, and of everything at once (interface 2.1, 4.3). */
export const changedThingRules = coreSection('4.3', [
  {
    id: 'SYNC-CHANGE-01',
    title: 'MUST change the thing given as one JSON object',
    clauses: ['C-4.3-11', 'C-2.1-11'],
    faults: ['changed-object-ignored', 'delta-lists-all', 'delta-repeats-last-change'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [id = '', other = ''] = await phone.createMany([{}, {}])
      const from = await laptop.position()
      const title = lab.unique()
      await phone.sync({ from, changed_thing: [{ _id: id, title }] })
      const answer = await laptop.sync({ from })
      expectSame(expectThing(answer, id, 'phone changed it').title, title, 'the title that phone changed it to', answer)
      const untouched = !answer.things.has(other)
      expect(untouched, `nothing about ${other}, which nobody changed`, 'it is listed as changed', answer)
    },
  },
  {
    id: 'SYNC-CHANGE-02',
    title: 'MUST change several things given as one JSON array',
    clauses: ['C-4.3-15', 'C-4.3-11'],
    faults: ['changed-array-first-only'],
    check: (lab) => changeSeveral(lab, 'array'),
  },
  {
    id: 'SYNC-CHANGE-03',
    title: 'MUST change several things given as repeated changed_thing[]',
    clauses: ['C-4.3-16', 'C-4.3-11'],
    faults: ['changed-repeated-last-only', 'changed-repeated-ignored'],
    check: (lab) => changeSeveral(lab, 'repeated'),
  },
  {
    // A device that was offline sends all it has in one request.
    id: 'SYNC-UPLOAD-01',
    title: 'MUST apply new, changed and deleted things and tag settings that come in one request',
    clauses: ['C-4.3-10', 'C-4.3-11', 'C-4.3-12', 'C-4.3-13'],
    faults: [
      'upload-new-only',
      'new-id-not-listed',
      'delta-omits-changed',
      'delta-omits-deleted',
      'delta-omits-tags',
      'form-object-ignored',
      'change-title-ignored',
      'deletion-undone-by-tag-write',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [changed = '', gone = ''] = await phone.createMany([{}, {}])
      const from = await laptop.position()
      const [title, localId] = [lab.unique(), lab.unique()]
      const upload = await phone.sync({
        from,
        new_thing: [{ local_id: localId, title: localId }],
        changed_thing: [{ _id: changed, title }],
        deleted_thing: [gone],
        tag: { [lab.mark]: { favorite: true, color: false, todo: false } },
      })
      const answer = await laptop.sync({ from })
      expectThing(answer, expectCreated(upload, localId), 'phone created it')
      expectSame(expectThing(answer, changed, 'phone changed it').title, title, 'the title that phone gave it', answer)
      expect(
        answer.deleted.includes(gone),
        `${gone} in things.deleted, phone deleted it`,
        showValue(answer.deleted),
        answer,
      )
      expectTag(answer, lab.mark, 'phone set them in the same request')
    },
  },
  {
    // Offline means: the position is old when the upload comes, and others have written since.
    id: 'SYNC-UPLOAD-02',
    title: 'MUST accept an upload from a position that others have written after',
    basis: 'derived',
    clauses: ['C-4.3-10', 'C-4.3-5'],
    faults: ['upload-after-from-refused', 'delta-omits-created'],
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
    // A device that was offline cannot know what is gone; what it gets no error for is done. Who refuses does nothing of it.
    id: 'SYNC-UPLOAD-03',
    title: 'MUST apply the rest of an upload that names a thing that is gone, unless it refuses all of it',
    basis: 'derived',
    clauses: ['C-4.3-33', 'C-4.3-35'],
    faults: ['gone-change-ends-changes', 'gone-change-ends-upload', 'gone-deletion-ends-deletions'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [gone = '', changed = '', deleted = ''] = await phone.createMany([{}, {}, {}])
      const from = await laptop.position()
      await phone.remove(gone)
      const [title, localId] = [lab.unique(), lab.unique()]
      const change = await laptop.trySync({
        from,
        new_thing: [{ local_id: localId, title: localId }],
        changed_thing: [gone, changed].map((id) => ({ _id: id, title })),
      })
      const deletion = await laptop.trySync({ from, deleted_thing: [gone, deleted] })
      const full = await phone.listAll()
      if (change.error === undefined) {
        const because = `laptop changed it in one upload with ${gone}, which phone had deleted`
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
        expectNoThing(full, deleted, `laptop deleted it in one upload with ${gone}, which phone had deleted`)
      }
    },
  },
])
