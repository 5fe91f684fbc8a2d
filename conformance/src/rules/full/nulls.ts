import { expectCreated, expectSame, expectTag, expectThing } from '../../expect.ts'
import type { Rule } from '../../rule.ts'
import { readSyncAnswer } from '../../sync-answer.ts'
import { expectError, postJson } from './answers.ts'
import { decided } from './decided.ts'

const none = { tags: null, date: null, url: null, html: null, archived: null, todoStatus: null } as const

/** Rules of section 4.3: null says nothing (contract, sync 8); generated clients send it for what was not set. */
export const nullRules: readonly Rule[] = [
  decided({
    id: 'NULL-CHANGE-01',
    title: 'MUST keep the fields that a changed thing gives as null',
    section: '4.3',
    clauses: ['K-sync-11'],
    faults: ['null-clears', 'null-refused'],
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
  decided({
    id: 'NULL-NEW-01',
    title: 'MUST take null in a new thing for a field that is absent',
    section: '4.3',
    clauses: ['K-sync-11'],
    faults: ['null-refused', 'null-title-accepted'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const answer = await phone.sync({ from, new_thing: [{ local_id: 'a', title: lab.mark, ...none }] })
      const listed = await (await lab.replica('laptop')).sync({ from })
      const thing = expectThing(listed, expectCreated(answer, 'a'), 'phone created it')
      const seen = [thing.tags, ...['url', 'html', 'archived'].map((name) => Object.hasOwn(thing, name))]
      expectSame(seen, ['', false, false, false], 'tags "", no url, no html, no archived', listed)
      const untitled = await phone.trySync({ from, new_thing: [{ local_id: 'b', title: null }] })
      expectError(untitled, 400, 'parameter_invalid', 'a title that is null is absent, and a title is required')
    },
  }),
  decided({
    id: 'NULL-TAG-01',
    title: 'MUST keep the tag settings that are given as null',
    section: '2.2',
    clauses: ['K-sync-18'],
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
  decided({
    id: 'NULL-JSON-01',
    title: 'MUST take a parameter that is null in a JSON body for one that is absent',
    section: '4.3',
    clauses: ['K-request-1'],
    faults: ['null-parameter-refused'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.create()
      const from = await phone.position()
      const absent = { skip: null, limit: null, new_thing: null, changed_thing: null, deleted_thing: null, tag: null }
      const reply = await postJson(phone, 'sync', { from, ...absent, skip_id: null })
      readSyncAnswer(reply, 'a sync whose other parameters are null')
    },
  }),
]
