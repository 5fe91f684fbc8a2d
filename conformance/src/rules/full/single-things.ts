import { expectDeleted, expectSame, expectThing } from '../../expect.ts'
import type { Rule } from '../../rule.ts'
import { expectError, expectObject, post } from './answers.ts'
import { decided } from './decided.ts'

/** Rules of section 4.1: thing/change and thing/delete (contract, the other operations). */
export const singleThingRules: readonly Rule[] = [
  decided({
    id: 'THING-CHANGE-01',
    title: 'MUST leave fields alone that thing/change is not given, and answer the thing',
    section: '4.1',
    clauses: ['K-thing-3'],
    faults: ['op-change-absent-clears'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create({
        tags: lab.mark,
        date: 1_600_000_000,
        url: 'https://example.org/',
        html: '<p>kept</p>',
      })
      const reply = await post(phone, 'thing/change', { _id: id, title: `${lab.mark} changed` })
      const { _id, title, tags, date, url, html } = expectObject(reply, 'the thing exists')
      const wanted = [id, `${lab.mark} changed`, lab.mark, 1_600_000_000, 'https://example.org/', '<p>kept</p>']
      expectSame([_id, title, tags, date, url, html], wanted, 'the new title and the other fields as before', reply)
    },
  }),
  decided({
    id: 'THING-CHANGE-02',
    title: 'MUST keep a thing archived that thing/change is given without archived',
    section: '4.1',
    clauses: ['K-thing-3'],
    faults: ['op-change-unarchives'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create({ archived: true })
      const reply = await post(phone, 'thing/change', { _id: id, title: lab.mark })
      expectSame(expectObject(reply, 'the thing exists').archived, true, 'archived as before', reply)
    },
  }),
  decided({
    id: 'THING-CHANGE-03',
    title: 'MUST answer thing/change of an unknown id 404 not_found',
    section: '4.1',
    clauses: ['K-error-2'],
    faults: ['op-change-unknown-200'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      expectError(
        await post(phone, 'thing/change', { _id: lab.mark, title: lab.mark }),
        404,
        'not_found',
        'there is no such thing',
      )
    },
  }),
  decided({
    id: 'THING-CHANGE-04',
    title: 'MUST list what thing/change changed in the next delta',
    section: '4.1',
    clauses: ['K-thing-3'],
    faults: ['op-change-not-in-delta'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create()
      const from = await phone.position()
      await post(phone, 'thing/change', { _id: id, title: lab.mark })
      const delta = await (await lab.replica('laptop')).sync({ from })
      expectSame(expectThing(delta, id, 'phone changed it by thing/change').title, lab.mark, 'the new title', delta)
    },
  }),
  decided({
    id: 'THING-DELETE-01',
    title: 'MUST answer thing/delete with the id that was deleted',
    section: '4.1',
    clauses: ['K-thing-4'],
    faults: ['op-delete-answer-empty'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create()
      const reply = await post(phone, 'thing/delete', { _id: id })
      expectSame(expectObject(reply, 'the thing exists').deleted_thing, id, 'deleted_thing', reply)
    },
  }),
  decided({
    id: 'THING-DELETE-02',
    title: 'MUST answer thing/delete of a deleted id 404 not_found',
    section: '4.1',
    clauses: ['K-error-2', 'K-thing-4'],
    faults: ['op-delete-twice-ok'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create()
      await post(phone, 'thing/delete', { _id: id })
      expectError(await post(phone, 'thing/delete', { _id: id }), 404, 'not_found', 'the thing was deleted before')
    },
  }),
  decided({
    id: 'THING-DELETE-03',
    title: 'MUST list what thing/delete deleted in the next delta',
    section: '4.1',
    clauses: ['K-thing-4'],
    faults: ['op-delete-not-in-delta'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create()
      const from = await phone.position()
      await post(phone, 'thing/delete', { _id: id })
      expectDeleted(await (await lab.replica('laptop')).sync({ from }), id, 'phone deleted it by thing/delete')
    },
  }),
]
