import { expect, expectSame, expectThing } from '../../expect.ts'
import type { Pair } from '../../form.ts'
import { isObject, showValue } from '../../json.ts'
import { readSyncAnswer } from '../../sync-answer.ts'
import { coreSection } from './core-rules.ts'
import { asBody } from './transport-4-3.ts'

/** Marks, encodings and headers of requests and answers, and uploads where none can be (interface 4.2, 4.3, 5.3). */
export const transportMoreRules = coreSection('4.3', [
  {
    // RFC 8259, 8.1: JSON that is sent begins with no byte order mark; many parsers stop at one.
    id: 'WIRE-MARK-01',
    title: 'MUST NOT begin an answer with a byte order mark',
    section: '1',
    clauses: ['C-1-1'],
    basis: 'derived',
    faults: ['answers-begin-with-mark', 'token-answers-begin-with-mark', 'errors-begin-with-mark'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const answers = [await phone.trySync(), await lab.token(), await lab.token({ grant_type: 'no_such_grant' })]
      for (const reply of answers)
        expect(!reply.text.startsWith('\ufeff'), 'JSON from the first character on', 'a byte order mark came', reply)
    },
  },
  {
    id: 'WIRE-IDENTITY-01',
    title: 'MUST send a large answer as it is to a client that takes no compression',
    section: '1',
    clauses: ['C-1-1'],
    basis: 'derived',
    faults: ['always-compressed'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      // In uploads that small servers take; the answer is large all the same.
      for (let part = 0; part < 3; part += 1) {
        await phone.create({ html: `<p>${'one word after another '.repeat(300)}</p>` })
      }
      const headers = { 'accept-encoding': 'identity' }
      const reply = await phone.send({ path: 'sync', query: [['from', `${from}`]], headers })
      const coding = reply.headers['content-encoding'] ?? 'identity'
      expectSame(coding, 'identity', 'Content-Encoding, Accept-Encoding being identity', reply)
    },
  },
  {
    // Names of headers have no letter case (RFC 9110), and most proxies write them their own way.
    id: 'WIRE-HEADERS-01',
    title: 'MUST read headers whatever the letter case of their names is',
    clauses: ['C-5.3-1', 'C-4.3-2'],
    basis: 'derived',
    faults: ['header-name-case-counts', 'header-name-capitals-unread'],
    check: async (lab) => {
      const token = await (await lab.replica('phone')).token()
      const form = (await lab.headerForm()).replaceAll('{token}', token)
      for (const name of ['AUTHORIZATION', 'Authorization', 'authorization']) {
        const reply = await lab.request({ path: 'sync', query: [['limit', '1']], headers: { [name]: form } })
        readSyncAnswer(reply, `a sync with the token in the header ${name}`)
      }
    },
  },
  {
    id: 'WIRE-EMPTY-01',
    title: 'MUST answer a POST with an empty body and the token in the header as a full listing',
    clauses: ['C-4.3-2', 'C-4.3-4'],
    basis: 'derived',
    faults: ['empty-post-refused', 'empty-post-empty-answer', 'empty-post-token-unread'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create()
      const request = { path: 'sync', method: 'POST', ...asBody('') }
      const reply = await lab.present(request, await phone.token(), { kind: 'header' })
      expectThing(readSyncAnswer(reply, 'a POST with an empty body'), id, 'phone created it and from is omitted')
    },
  },
  {
    // "Sent by POST" and "read from the query string (GET) or the form body (POST), as listed": a GET uploads nothing.
    id: 'WIRE-GET-01',
    title: 'MUST NOT apply an upload that stands in the query of a GET',
    clauses: ['C-4.3-10', 'C-4.3-1'],
    basis: 'derived',
    faults: [
      'get-creates',
      'get-changes',
      'get-deletes',
      'get-sets-tags',
      'get-with-upload-deletes-all',
      'get-deletion-hides',
      'get-change-shows',
      'get-array-creates',
      'get-json-array-deletes',
      'get-new-answered',
      'get-new-counted',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [title, changed, before] = [lab.unique(), lab.unique(), lab.unique()]
      const [kept = '', left = ''] = await phone.createMany([{ title: before }, {}])
      const uploads: Pair[] = [
        ['new_thing', JSON.stringify({ local_id: 'a', title })],
        ['changed_thing', JSON.stringify({ _id: kept, title: changed })],
        ['deleted_thing', left],
        ['new_thing[]', JSON.stringify({ local_id: 'b', title })],
        ['changed_thing[]', JSON.stringify({ _id: kept, title: changed })],
        ['deleted_thing[]', left],
        [`tag[${lab.mark}]`, JSON.stringify({ favorite: true, color: false, todo: false })],
        ['new_thing', JSON.stringify([{ local_id: 'c', title }])],
        ['changed_thing', JSON.stringify([{ _id: kept, title: changed }])],
        ['deleted_thing', JSON.stringify([left])],
      ]
      const told = []
      for (const upload of uploads) {
        const reply = await phone.send({ path: 'sync', method: 'GET', query: [['from', '0'], upload] })
        if (reply.error === undefined) told.push(readSyncAnswer(reply, `a GET with ${upload[0]}`))
      }
      const full = await laptop.listAll()
      const made = [...full.things.values()].filter((thing) => thing.title === title).length
      const came = [
        made,
        full.things.get(kept)?.title ?? null,
        full.things.has(left),
        full.tags.get(lab.mark)?.favorite === true,
      ]
      const expected =
        'things that a GET created, the title of one it tried to change, whether one that it tried to delete is there, and whether it made a favorite'
      expectSame(came, [0, before, true, false], expected, full)
      for (const answer of told) {
        expectThing(answer, left, 'phone created it, and a GET deletes nothing')
        expectSame(
          expectThing(answer, kept, 'phone created it').title,
          before,
          'its title in the answer to a GET',
          answer,
        )
        const made = isObject(answer.json.things) ? answer.json.things.new : undefined
        expect(made === undefined, 'no things.new, because a GET creates nothing', showValue(made), answer)
        const count = answer.changed.length + answer.deleted.length
        expectSame(answer.json.thingCount ?? 0, count, 'thingCount, as many as are listed', answer)
      }
    },
  },
])
