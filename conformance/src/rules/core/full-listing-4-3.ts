import { expect, expectNoThing, expectSame, expectTag, expectThing } from '../../expect.ts'
import { isObject, showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import type { SyncAnswer } from '../../sync-answer.ts'
import { coreSection } from './core-rules.ts'

/** How often things.changed lists the id. */
const countListed = (answer: SyncAnswer, id: string): number => answer.changed.filter((listed) => listed === id).length

const createElsewhere = async (lab: Lab): Promise<string> => (await lab.replica('phone')).create()

/** The full listing (interface 4.3, rule 1). */
export const fullListingRules = coreSection('4.3', [
  {
    // sync answers GET with a JSON object that has pos, in UTF-8.
    id: 'SYNC-METHOD-01',
    title: 'MUST answer sync by GET with a JSON object that has a numeric pos',
    clauses: ['C-4.3-1', 'C-4.3-18', 'C-1-1', 'C-2.3-1'],
    faults: ['sync-get-refused', 'sync-not-json', 'full-pos-missing', 'pos-text'],
    check: async (lab) => {
      const laptop = await lab.replica('laptop')
      await laptop.sync({ method: 'GET' })
    },
  },
  {
    // Everything may be sent by POST as well, also when nothing is uploaded.
    id: 'SYNC-METHOD-02',
    title: 'MUST answer sync by POST with a form body as it does by GET',
    clauses: ['C-4.3-2', 'C-4.3-18'],
    faults: ['sync-post-refused', 'full-from-omitted-empty'],
    check: async (lab) => {
      const laptop = await lab.replica('laptop')
      await laptop.sync({ method: 'POST' })
      const id = await createElsewhere(lab)
      expectThing(await laptop.sync({ method: 'POST' }), id, 'phone created it and this is a full listing by POST')
    },
  },
  {
    id: 'SYNC-FULL-01',
    title: 'MUST list every thing when from is omitted, also one that another client created',
    clauses: ['C-4.3-4', 'C-4.3-28'],
    faults: ['full-from-omitted-empty', 'full-omits-others'],
    check: async (lab) => {
      const laptop = await lab.replica('laptop')
      const ids = [await createElsewhere(lab), await laptop.create()]
      const answer = await laptop.listAll()
      for (const id of ids) expectThing(answer, id, 'phone or laptop created it and this is a full listing')
    },
  },
  {
    id: 'SYNC-FULL-02',
    title: 'MUST list every thing when from is 0',
    clauses: ['C-4.3-4'],
    faults: ['full-from-zero-empty'],
    check: async (lab) => {
      const laptop = await lab.replica('laptop')
      const id = await createElsewhere(lab)
      expectThing(await laptop.sync({ from: 0 }), id, 'phone created it and from=0 asks for all things')
    },
  },
  {
    // All things: the archive belongs to them.
    id: 'SYNC-FULL-03',
    title: 'MUST list archived things in a full listing',
    clauses: ['C-4.3-4'],
    faults: ['full-omits-archived'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const id = await phone.create({ archived: true })
      expectThing(await laptop.listAll(), id, 'phone created it, archived, and this is a full listing')
    },
  },
  {
    id: 'SYNC-FULL-04',
    title: 'MUST list a thing once in a full listing, in its latest state',
    clauses: ['C-4.3-28'],
    basis: 'derived',
    faults: ['full-lists-twice', 'full-first-state'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const id = await phone.create()
      const title = lab.unique()
      await phone.change(id, { title })
      const answer = await laptop.listAll()
      expectSame(expectThing(answer, id, 'phone created it').title, title, 'the title that phone changed it to', answer)
      expect(
        countListed(answer, id) === 1,
        `thing ${id} listed once`,
        `it is listed ${countListed(answer, id)} times`,
        answer,
      )
    },
  },
  {
    id: 'SYNC-FULL-05',
    title: 'MUST NOT list a deleted thing as changed in a full listing',
    clauses: ['C-4.3-30'],
    basis: 'derived',
    faults: ['full-keeps-deleted', 'deletion-ignored', 'deletion-archives', 'full-omits-others'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [id = '', twin = ''] = await phone.createMany([{}, {}])
      await phone.remove(id)
      const answer = await laptop.listAll()
      expectThing(answer, twin, 'phone created it and did not delete it')
      expectNoThing(answer, id, 'phone deleted it')
    },
  },
  {
    // No upper bound: the client did not ask for one with limit.
    id: 'SYNC-FULL-06',
    title: 'MUST list all things however many there are',
    clauses: ['C-4.3-4'],
    faults: ['full-capped-at-100'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const ids = await phone.createMany(Array.from({ length: 130 }, () => ({})))
      const answer = await laptop.listAll()
      const missing = ids.filter((id) => !answer.things.has(id))
      expect(
        missing.length === 0,
        'all 130 things that phone created',
        `${missing.length} are missing: ${showValue(missing.slice(0, 5))}`,
        answer,
      )
    },
  },
  {
    id: 'SYNC-FULL-07',
    title: 'MUST list the settings of favorite tags in a full listing',
    clauses: ['C-4.3-25'],
    faults: ['full-tags-absent', 'full-tags-no-favorites', 'tag-favorite-number'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      await phone.setTag(lab.mark, { favorite: true, color: false, todo: false })
      const answer = await laptop.listAll()
      const settings = expectTag(answer, lab.mark, 'phone made it a favorite and this is a full listing')
      expectSame(settings.favorite, true, 'favorite as phone set it', answer)
    },
  },
  {
    // A tag that makes things todos is special (interface 2.1); without it a new client could show no checkbox.
    id: 'SYNC-FULL-08',
    title: 'MUST list the settings of todo tags in a full listing',
    clauses: ['C-4.3-25'],
    faults: ['full-tags-no-todo', 'tag-todo-boolean'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      await phone.setTag(lab.mark, { favorite: false, color: false, todo: true })
      const answer = await laptop.listAll()
      const { todo } = expectTag(answer, lab.mark, 'phone made it a todo tag and this is a full listing')
      expect(
        todo === 'strike' || todo === 'dont-strike',
        'todo "strike" or "dont-strike"',
        `${showValue(todo)} came`,
        answer,
      )
    },
  },
  {
    id: 'SYNC-FULL-09',
    title: 'MUST give things as an object and things.changed as an array of things',
    clauses: ['C-4.3-23'],
    faults: ['full-changed-is-map', 'full-list-is-array'],
    check: async (lab) => {
      const laptop = await lab.replica('laptop')
      await laptop.listAll()
      await createElsewhere(lab)
      const answer = await laptop.listAll()
      const { things } = answer.json
      const changed = isObject(things) ? things.changed : undefined
      const expected = 'things as an object with changed as an array, because phone created a thing'
      expect(Array.isArray(changed), expected, showValue(things, 200), answer)
    },
  },
])
