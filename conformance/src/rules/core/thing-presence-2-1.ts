import { expect, expectSame, expectThing } from '../../expect.ts'
import { showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import type { ThingFields } from '../../sync-request.ts'
import { coreSection } from './core-rules.ts'
import { seeCreated } from './created-things.ts'
import { setTodoTag } from './named-tags.ts'

const expectAbsent = async (lab: Lab, field: string, fields: ThingFields, because: string): Promise<void> => {
  const { answer, thing } = await seeCreated(lab, fields)
  expect(!Object.hasOwn(thing, field), `no ${field}, because ${because}`, `${showValue(thing[field])} came`, answer)
}

/** Fields of a thing are present only when they should be; todos (interface 2.1, 3). */
export const thingPresenceRules = coreSection('2.1', [
  {
    // Present means true, always; a client may test for presence alone.
    id: 'THING-PRESENCE-01',
    title: 'MUST leave out archived on a thing that is not archived',
    clauses: ['C-2.1-8'],
    faults: ['archived-false-present'],
    check: async (lab) => {
      for (const fields of [{}, { archived: false }]) {
        await expectAbsent(lab, 'archived', fields, `phone created it with ${showValue(fields)}`)
      }
    },
  },
  {
    id: 'THING-PRESENCE-02',
    title: 'MUST leave out url on a thing without one',
    clauses: ['C-2.1-6'],
    faults: ['url-null', 'url-empty'],
    check: (lab) => expectAbsent(lab, 'url', { html: '<p>note</p>' }, 'phone created it without url'),
  },
  {
    id: 'THING-PRESENCE-03',
    title: 'MUST leave out html on a thing without any',
    clauses: ['C-2.1-7'],
    faults: ['html-null'],
    check: (lab) => expectAbsent(lab, 'html', { url: 'https://example.org/' }, 'phone created it without html'),
  },
  {
    id: 'THING-PRESENCE-04',
    title: 'MUST return _id, title and tags as strings and date as a number on every thing',
    clauses: ['C-2.1-3', 'C-2.1-4', 'C-2.1-5', 'C-2.1-10'],
    faults: ['tags-null', 'tags-missing', 'id-named-id', 'title-missing'],
    check: async (lab) => {
      const { answer, thing } = await seeCreated(lab, {})
      const types = [thing._id, thing.title, thing.tags, thing.date].map((value) => typeof value)
      const wanted = ['string', 'string', 'string', 'number']
      expectSame(types, wanted, 'types of _id, title, tags and date of a thing created with a title alone', answer)
    },
  },
  {
    id: 'THING-PRESENCE-05',
    title: 'MUST leave out todoStatus on a thing that is no todo',
    clauses: ['C-2.1-9'],
    faults: ['todo-status-always', 'todo-status-null', 'todo-status-on-tagged', 'todo-status-on-untagged'],
    check: async (lab) => {
      await expectAbsent(lab, 'todoStatus', {}, 'it has no tag, and only a special tag makes a todo')
      await expectAbsent(lab, 'todoStatus', { tags: lab.mark }, 'nothing was set for its only tag')
    },
  },
  {
    id: 'THING-TODO-01',
    title: 'MUST return todoStatus on a todo as it was created',
    clauses: ['C-2.1-9', 'C-3-2'],
    faults: ['new-todo-status-ignored', 'todo-status-missing'],
    check: async (lab) => {
      await setTodoTag(lab)
      for (const todoStatus of [true, false]) {
        const { answer, thing } = await seeCreated(lab, { tags: `other ${lab.mark}`, todoStatus })
        expectSame(thing.todoStatus, todoStatus, 'todoStatus as phone created the todo', answer)
      }
    },
  },
  {
    id: 'THING-TODO-02',
    title: 'MUST take over the todoStatus of a changed todo',
    section: '3',
    clauses: ['C-3-2', 'C-2.1-9'],
    faults: ['change-todo-status-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      await setTodoTag(lab)
      const fields = { title: lab.unique(), tags: lab.mark }
      const id = await phone.create({ ...fields, todoStatus: false })
      for (const todoStatus of [true, false]) {
        const from = await laptop.position()
        await phone.change(id, { ...fields, todoStatus })
        const answer = await laptop.sync({ from })
        const thing = expectThing(answer, id, 'phone changed it')
        expectSame(thing.todoStatus, todoStatus, 'todoStatus as phone changed the todo', answer)
      }
    },
  },
  {
    // Nobody said yet whether it is done: false, or nothing yet, but never something else.
    id: 'THING-TODO-03',
    title: 'MUST NOT return anything but a boolean as todoStatus',
    clauses: ['C-2.1-9'],
    faults: ['todo-status-null-unset'],
    check: async (lab) => {
      await setTodoTag(lab)
      const { answer, thing } = await seeCreated(lab, { tags: lab.mark })
      const { todoStatus } = thing
      const isRight = todoStatus === undefined || typeof todoStatus === 'boolean'
      expect(isRight, 'true, false or nothing for todoStatus of a todo', `${showValue(todoStatus)} came`, answer)
    },
  },
  {
    // A device that was offline sends its first todo and the tag's setting in one request: together they are a todo.
    id: 'THING-TODO-05',
    title: 'MUST return the todoStatus of todos that came in one upload with the tag that makes them todos',
    section: '3',
    clauses: ['C-3-2', 'C-2.1-9'],
    basis: 'derived',
    faults: ['new-todo-judged-before-tags', 'changed-todo-judged-before-tags'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const fields = { title: lab.unique(), tags: lab.mark, todoStatus: true }
      const old = await phone.create({ title: fields.title, tags: lab.mark })
      const from = await laptop.position()
      const localId = lab.unique()
      const uploaded = await phone.sync({
        from,
        new_thing: [{ local_id: localId, ...fields }],
        changed_thing: [{ _id: old, ...fields }],
        tag: { [lab.mark]: { favorite: false, color: false, todo: true } },
      })
      const answer = await laptop.sync({ from })
      for (const [id, did] of [
        [uploaded.created.get(localId) ?? '', 'created'],
        [old, 'changed'],
      ] as const) {
        const because = `phone ${did} it with todoStatus true, and made its tag a todo tag in the same request`
        expectSame(expectThing(answer, id, because).todoStatus, true, `todoStatus: ${because}`, answer)
      }
    },
  },
  {
    // The interface doesn't say which tag is the special one, nor that a status once given goes with the tag's setting.
    id: 'THING-TODO-04',
    title: 'SHOULD leave out todoStatus on a thing whose tag is no longer for todos',
    basis: 'derived',
    clauses: ['C-2.1-9'],
    faults: ['todo-status-always'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await setTodoTag(lab)
      const id = await phone.create({ tags: lab.mark, todoStatus: true })
      await phone.setTag(lab.mark, { favorite: false, color: false, todo: false })
      const answer = await phone.listAll()
      const thing = expectThing(answer, id, 'phone created it')
      const isAbsent = !Object.hasOwn(thing, 'todoStatus')
      expect(isAbsent, 'no todoStatus, because its only tag is no todo tag any more', showValue(thing), answer)
    },
  },
])
