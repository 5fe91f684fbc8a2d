import { expect, expectCreated, expectSame, expectThing } from '../../expect.ts'
import type { UploadForm } from '../../form.ts'
import { isObject, showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import type { SyncParameters } from '../../sync-request.ts'
import { coreSection } from './core-rules.ts'
import { stopIfRefused } from './stop-if-refused.ts'

const createSeveral = async (lab: Lab, count: number, form: UploadForm): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const from = await laptop.position()
  const things = Array.from({ length: count }, () => ({ local_id: lab.unique(), title: lab.unique() }))
  const answer = await phone.sync({ from, new_thing: things, form })
  const delta = await laptop.sync({ from })
  for (const { local_id: localId, title } of things) {
    const because = `phone created it as one of ${count}`
    expectSame(expectThing(delta, expectCreated(answer, localId), because).title, title, `title of ${localId}`, delta)
  }
}

/** Uploads of new things (interface 2.1, 4.3). */
export const newThingRules = coreSection('4.3', [
  {
    id: 'SYNC-NEW-01',
    title: 'MUST create a thing given as one JSON object and map its local_id to the new _id',
    clauses: ['C-4.3-10', 'C-4.3-22', 'C-2.1-1'],
    faults: ['form-object-ignored', 'form-object-refused', 'new-map-absent', 'new-map-is-array', 'new-id-not-listed'],
    check: (lab) => createSeveral(lab, 1, 'array'),
  },
  {
    id: 'SYNC-NEW-02',
    title: 'MUST create several things given as one JSON array, each with its entry in things.new',
    clauses: ['C-4.3-15', 'C-4.3-22'],
    faults: ['form-array-ignored', 'form-array-first-only', 'new-map-first-only', 'new-map-swapped', 'new-ids-shared'],
    check: (lab) => createSeveral(lab, 3, 'array'),
  },
  {
    id: 'SYNC-NEW-03',
    title: 'MUST create several things given as repeated new_thing[], each with its entry in things.new',
    clauses: ['C-4.3-16', 'C-4.3-22'],
    faults: ['form-repeated-ignored', 'form-repeated-last-only'],
    check: (lab) => createSeveral(lab, 3, 'repeated'),
  },
  {
    // Ready-made form decoders drop or regroup long lists; a client that was offline for a day sends one.
    id: 'SYNC-NEW-04',
    title: 'MUST create every one of 30 things given as repeated new_thing[]',
    clauses: ['C-4.3-16'],
    faults: ['form-twenty-repeated'],
    check: async (lab) => {
      await stopIfRefused(lab, '30 things in one request', {
        form: 'repeated',
        new_thing: Array.from({ length: 30 }, () => ({ local_id: lab.unique(), title: lab.unique() })),
      })
      await createSeveral(lab, 30, 'repeated')
    },
  },
  {
    id: 'SYNC-NEW-05',
    title: 'MUST take numbers as local_id and map each in things.new',
    clauses: ['C-2.1-2', 'C-4.3-22'],
    faults: ['new-map-number-ids-lost'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const localIds = [1, 2].map((number) => number + 10 * Math.floor(lab.random() * 1e8))
      const things = localIds.map((localId) => ({ local_id: localId, title: lab.unique() }))
      const answer = await phone.sync({ from, new_thing: things })
      for (const localId of localIds) expectCreated(answer, String(localId))
    },
  },
  {
    id: 'SYNC-NEW-06',
    title: 'MUST give alphanumeric strings as _id',
    section: '2.1',
    clauses: ['C-2.1-10', 'C-4.3-22'],
    faults: ['new-id-number', 'new-id-with-dashes', 'new-map-numbers'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const answer = await phone.sync({ from, new_thing: [{ local_id: 'a', title: lab.unique() }] })
      const made = isObject(answer.json.things) ? answer.json.things.new : undefined
      const id = isObject(made) ? made.a : undefined
      const isRight = typeof id === 'string' && /^[0-9A-Za-z]+$/.test(id)
      expect(isRight, 'things.new with a string of letters and digits for local_id "a"', showValue(made), answer)
    },
  },
  {
    // Rule 3: from then on the id names the thing, for whatever follows and for every device.
    id: 'SYNC-NEW-07',
    title: 'MUST let the new _id be used at once, and keep it when the thing changes',
    clauses: ['C-4.3-27', 'C-2.1-11', 'C-4.3-11'],
    faults: ['change-new-id', 'change-creates-copy', 'changed-object-ignored', 'upload-twice-applied'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const localId = lab.unique()
      const answer = await phone.sync({ from, new_thing: [{ local_id: localId, title: localId }] })
      const id = expectCreated(answer, localId)
      const title = lab.unique()
      await phone.sync({ from: answer.pos, changed_thing: [{ _id: id, title }] })
      const delta = await laptop.sync({ from })
      expectSame(expectThing(delta, id, 'phone created it').title, title, 'the title that phone changed it to', delta)
      const titled = [...delta.things.values()].filter((thing) => thing.title === title || thing.title === localId)
      expect(titled.length === 1, 'one thing, because it was created once and then changed', showValue(titled), delta)
    },
  },
  {
    id: 'SYNC-NEW-08',
    title: 'MUST leave out things.new when no new things were submitted',
    clauses: ['C-4.3-22'],
    faults: [
      'new-map-without-upload',
      'new-map-of-listings',
      'delta-omits-created',
      'new-map-of-changes',
      'new-map-of-deletions',
      'new-map-of-tags',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const id = await phone.create()
      const answer = await laptop.sync({ from })
      expectThing(answer, id, 'phone created it')
      const made = isObject(answer.json.things) ? answer.json.things.new : undefined
      expect(made === undefined, 'no things.new, because laptop submitted nothing', showValue(made), answer)
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
    basis: 'derived',
    clauses: ['C-4.3-10', 'C-4.3-33'],
    faults: ['upload-twice-applied'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const title = lab.unique()
      await phone.create({ title })
      const answer = await laptop.sync({ from })
      const made = [...answer.things.values()].filter((thing) => thing.title === title)
      expect(made.length === 1, `one thing with title ${title}, because phone submitted one`, showValue(made), answer)
    },
  },
  {
    // Any text may be a local id, for instance a name that means something to the server's language.
    id: 'SYNC-NEW-10',
    title: 'MUST take any text as local_id',
    section: '2.1',
    basis: 'derived',
    clauses: ['C-2.1-1', 'C-4.3-22'],
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
      const answer = await phone.sync({ from, new_thing: things })
      for (const localId of localIds) expectCreated(answer, localId)
    },
  },
  {
    // An error, or one of the two: free. Only an answer that says nothing about either is not.
    id: 'SYNC-NEW-11',
    title: 'MUST either refuse or map two new things that share a local_id',
    basis: 'derived',
    clauses: ['C-4.3-22'],
    faults: ['shared-local-id-lost'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await phone.position()
      const localId = lab.unique()
      const things = [1, 2].map(() => ({ local_id: localId, title: lab.unique() }))
      const reply = await phone.trySync({ from, new_thing: things })
      if (reply.error !== undefined) return
      const delta = await laptop.sync({ from })
      const made = isObject(reply.json?.things) ? reply.json.things.new : undefined
      const id = isObject(made) ? made[localId] : undefined
      const expected = `an error, or things.new with the _id of a listed thing for local_id ${localId}`
      expect(delta.things.has(String(id)), expected, `things.new is ${showValue(made)}`, reply)
    },
  },
])
