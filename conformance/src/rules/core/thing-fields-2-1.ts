import { expectField, expectSame, expectThing } from '../../expect.ts'
import type { JsonObject } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import type { ThingFields } from '../../sync-request.ts'
import { coreSection } from './core-rules.ts'
import { seeCreated } from './created-things.ts'

/** The fields of a thing that every server has, as phone sends them; `todoStatus` is apart, because it needs a todo tag. */
const allFields = (lab: Lab): Required<Pick<ThingFields, 'title' | 'tags' | 'date' | 'url' | 'html'>> => ({
  title: lab.unique(),
  tags: `${lab.mark} Second third`,
  date: 1_234_567_890 + Math.floor(lab.random() * 1e6),
  url: `https://example.org/${lab.unique()}?a=b&c=d#e`,
  html: `<p>${lab.unique()}</p>`,
})

type Field = keyof ReturnType<typeof allFields>

const expectNewField = async (lab: Lab, field: Field): Promise<void> => {
  const fields = allFields(lab)
  const { answer, thing } = await seeCreated(lab, fields)
  expectField(thing, field, fields[field], `${field} as phone created it`, answer)
}

const expectChangedField = async (lab: Lab, field: Field): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const id = await phone.create(allFields(lab))
  const from = await laptop.position()
  const fields = { ...allFields(lab), tags: `fourth ${lab.mark}`, date: 987_654_321 }
  await phone.change(id, fields)
  const answer = await laptop.sync({ from })
  const thing = expectThing(answer, id, 'phone changed it')
  expectField(thing, field, fields[field], `${field} as phone changed it`, answer)
}

const seeArchivedAfter = async (lab: Lab, before: boolean, after: boolean): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const title = lab.unique()
  const id = await phone.create({ title, archived: before })
  const from = await laptop.position()
  await phone.change(id, { title, archived: after })
  const answer = await laptop.sync({ from })
  const thing: JsonObject = expectThing(answer, id, 'phone changed it')
  expectSame(thing.archived, after ? true : undefined, 'archived after phone changed it', answer)
}

const fieldRule = (field: Field, clauses: readonly string[], newFaults: string[], changeFaults: string[]) => [
  {
    id: `THING-NEW-${field.toUpperCase()}-01`,
    title: `MUST keep the ${field} of a new thing`,
    clauses: [...clauses, 'C-2.1-13'],
    faults: newFaults,
    check: (lab: Lab) => expectNewField(lab, field),
  },
  {
    id: `THING-CHANGE-${field.toUpperCase()}-01`,
    title: `MUST take over the ${field} of a changed thing`,
    clauses: [...clauses, 'C-2.1-11'],
    faults: changeFaults,
    check: (lab: Lab) => expectChangedField(lab, field),
  },
]

/** Fields of a thing are kept as submitted (interface 2.1, 3). */
export const thingFieldRules = coreSection('2.1', [
  // Each field of the table, as created and as changed; a change here always sends all fields.
  ...fieldRule('title', ['C-2.1-3'], ['new-title-lost', 'title-missing'], ['change-title-ignored']),
  ...fieldRule(
    'tags',
    ['C-2.1-4'],
    ['new-tags-dropped', 'tags-commas', 'tags-lowercased', 'tags-array'],
    ['change-tags-ignored'],
  ),
  ...fieldRule(
    'date',
    ['C-2.1-5'],
    ['new-date-ignored', 'date-text', 'date-iso', 'date-milliseconds'],
    ['change-date-ignored'],
  ),
  ...fieldRule('url', ['C-2.1-6'], ['new-url-dropped'], ['change-url-ignored']),
  ...fieldRule('html', ['C-2.1-7'], ['new-html-dropped', 'html-stripped'], ['change-html-ignored']),
  {
    id: 'THING-NEW-ARCHIVED-01',
    title: 'MUST return archived as true on a thing that was created archived',
    clauses: ['C-2.1-8', 'C-2.1-13'],
    faults: ['new-archived-ignored', 'archived-number'],
    check: async (lab) => {
      const { answer, thing } = await seeCreated(lab, { archived: true })
      expectSame(thing.archived, true, 'archived as phone created it', answer)
    },
  },
  {
    id: 'THING-CHANGE-ARCHIVED-01',
    title: 'MUST archive a thing that is changed to archived true',
    section: '3',
    clauses: ['C-3-1', 'C-2.1-8'],
    faults: ['change-archived-ignored'],
    check: (lab) => seeArchivedAfter(lab, false, true),
  },
  {
    // "Missing means false" stands beside archived for changes as for new things (interface 2.1).
    id: 'THING-CHANGE-ARCHIVED-03',
    title: 'MUST take a thing out of the archive when it is changed without archived',
    clauses: ['C-2.1-8', 'C-2.1-11'],
    faults: ['change-archived-kept'],
    check: async (lab: Lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const title = lab.unique()
      const id = await phone.create({ title, archived: true })
      const from = await laptop.position()
      await phone.change(id, { title })
      const answer = await laptop.sync({ from })
      const { archived } = expectThing(answer, id, 'phone changed it')
      expectSame(archived, undefined, 'archived, which the change left out', answer)
    },
  },
  {
    id: 'THING-CHANGE-ARCHIVED-02',
    title: 'MUST take a thing out of the archive that is changed to archived false',
    section: '3',
    clauses: ['C-3-1', 'C-2.1-8'],
    faults: ['change-unarchive-ignored'],
    check: (lab) => seeArchivedAfter(lab, true, false),
  },
])
