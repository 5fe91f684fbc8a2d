import { expect, expectSame, expectThing } from '../../expect.ts'
import type { Rule } from '../../rule.ts'
import { describeReply, expectError, expectObject, post } from './answers.ts'
import { decided } from './decided.ts'

/** Rules of section 4.1: thing/add (contract, the other operations). */
export const thingAddRules: readonly Rule[] = [
  decided({
    id: 'THING-ADD-01',
    title: 'MUST refuse thing/add without title',
    section: '4.1',
    clauses: ['K-thing-1', 'K-error-1'],
    faults: ['add-title-optional', 'thing-add-refused', 'thing-add-invalid'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      expectError(await post(phone, 'thing/add', { tags: lab.mark }), 400, 'parameter_invalid', 'title is missing')
      expectObject(await post(phone, 'thing/add', { tags: lab.mark, title: lab.mark }), 'title is given')
    },
  }),
  decided({
    id: 'THING-ADD-02',
    title: 'MUST create the thing with every field and answer it',
    section: '4.1',
    clauses: ['K-thing-1'],
    faults: ['add-fields-dropped', 'new-id-with-dashes'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const fields = {
        title: `${lab.mark} é 👩‍🚀`,
        tags: `b ${lab.mark}`,
        url: 'https://example.org/?a=1&b=2',
        html: '<p>&amp;</p>',
      }
      const reply = await post(phone, 'thing/add', { ...fields, date: '1600000000', archived: 'true' })
      const { _id, title, tags, url, html, date, archived } = expectObject(reply, 'every field is correct')
      expect(typeof _id === 'string' && /^[a-z0-9]+$/i.test(_id), 'an alphanumeric _id', describeReply(reply), reply)
      expectSame(
        { title, tags, url, html, date, archived },
        { ...fields, date: 1_600_000_000, archived: true },
        'the fields as sent',
        reply,
      )
    },
  }),
  decided({
    id: 'THING-ADD-03',
    title: 'MUST take a title that is an http address as url when none is given',
    section: '4.1',
    clauses: ['K-thing-2'],
    faults: ['add-url-not-taken-from-title', 'url-null', 'url-empty'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const address = `https://example.org/${lab.unique()}`
      const reply = await post(phone, 'thing/add', { title: address })
      expectSame(expectObject(reply, 'the title is an address').url, address, 'url, the title being an address', reply)
      const plain = await post(phone, 'thing/add', { title: lab.mark })
      expect(
        !Object.hasOwn(expectObject(plain, 'the title is a text'), 'url'),
        'no url, because the title is no address',
        describeReply(plain),
        plain,
      )
    },
  }),
  decided({
    id: 'THING-ADD-04',
    title: 'MUST create nothing with prevent_duplicate when a thing has the url, and answer that thing',
    section: '4.1',
    clauses: ['K-thing-2'],
    faults: ['add-duplicate-created', 'add-duplicate-unasked'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const url = `https://example.org/${lab.unique()}`
      const first = expectObject(
        await post(phone, 'thing/add', { title: lab.unique(), url, prevent_duplicate: 'true' }),
        'no thing has the url',
      )
      const reply = await post(phone, 'thing/add', { title: lab.unique(), url, prevent_duplicate: 'true' })
      expectSame(expectObject(reply, 'it is no error')._id, first._id, 'the _id of the thing that has the url', reply)
      const other = await post(phone, 'thing/add', { title: lab.unique(), url })
      expect(
        expectObject(other, 'duplicates are allowed')._id !== first._id,
        'another _id, because prevent_duplicate was not given',
        describeReply(other),
        other,
      )
    },
  }),
  decided({
    id: 'THING-ADD-05',
    title: 'MUST mark the answer of a prevented duplicate with "duplicate": true',
    section: '4.1',
    clauses: ['K-thing-2'],
    faults: ['add-duplicate-unmarked'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const url = `https://example.org/${lab.unique()}`
      const seen = []
      for (const title of [lab.unique(), lab.unique()]) {
        const reply = await post(phone, 'thing/add', { title, url, prevent_duplicate: 'true' })
        seen.push(expectObject(reply, 'it is no error').duplicate ?? null)
        if (seen.length === 2) expectSame(seen, [null, true], 'duplicate in the first and in the second answer', reply)
      }
    },
  }),
  decided({
    id: 'THING-ADD-06',
    title: 'MUST list what thing/add created in the next delta',
    section: '4.1',
    clauses: ['K-thing-1'],
    faults: ['add-not-in-delta'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const { _id } = expectObject(await post(phone, 'thing/add', { title: lab.mark }), 'the title is given')
      expectThing(await (await lab.replica('laptop')).sync({ from }), String(_id), 'phone created it by thing/add')
    },
  }),
]
