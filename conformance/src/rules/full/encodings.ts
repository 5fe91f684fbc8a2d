import { expectSame, expectTag, expectThing } from '../../expect.ts'
import type { Rule } from '../../rule.ts'
import { readSyncAnswer } from '../../sync-answer.ts'
import { expectError, expectObject, post, postJson } from './answers.ts'
import { decided } from './decided.ts'

/** Rules of section 4: how requests and answers may be encoded (contract, requests and sync 13). */
export const encodingRules: readonly Rule[] = [
  decided({
    id: 'FORM-JSON-01',
    title: 'MUST take a JSON body with the same names and native types',
    section: '4.3',
    clauses: ['K-request-1'],
    faults: ['json-body-refused', 'new-archived-ignored', 'tag-favorite-ignored', 'new-tags-dropped'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const tag = lab.unique()
      const submitted = { local_id: 7, title: lab.mark, tags: tag, date: 1_700_000_000.5, archived: true }
      const reply = await postJson(phone, 'sync', { from, new_thing: [submitted], tag: { [tag]: { favorite: true } } })
      const answer = readSyncAnswer(reply, 'a sync with a JSON body')
      const id = answer.created.get('7') ?? ''
      const listed = await (await lab.replica('laptop')).sync({ from })
      const wanted = { _id: id, title: lab.mark, tags: tag, date: 1_700_000_000.5, archived: true }
      const thing = expectThing(listed, id, 'phone created it with a JSON body')
      const came = Object.fromEntries(Object.keys(wanted).map((name) => [name, thing[name]]))
      expectSame(came, wanted, 'every field as sent', listed)
      expectSame(expectTag(listed, tag, 'phone set it with a JSON body').favorite, true, 'favorite as sent', listed)
    },
  }),
  decided({
    id: 'FORM-JSON-02',
    title: 'MUST take a JSON body for the operations on single things',
    section: '4.1',
    clauses: ['K-request-1'],
    faults: ['json-body-refused', 'add-fields-dropped', 'operations-answer-201'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const reply = await postJson(phone, 'thing/add', { title: lab.mark, archived: true })
      const { title, archived } = expectObject(reply, 'the JSON body is correct')
      expectSame([title, archived], [lab.mark, true], 'title and archived as sent', reply)
    },
  }),
  decided({
    id: 'FORM-MEDIA-01',
    title: 'MUST refuse another content type with 415 unsupported_media_type',
    section: '4',
    clauses: ['K-request-2'],
    faults: ['unsupported-media-type-accepted', 'thing-add-refused', 'operations-refuse-forms'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const headers = { 'content-type': 'text/plain' }
      const reply = await phone.send({ method: 'POST', path: 'thing/add', headers, body: `title=${lab.mark}` })
      expectError(reply, 415, 'unsupported_media_type', 'the body was sent as text/plain')
      expectObject(await post(phone, 'thing/add', { title: lab.mark }), 'the same was sent as a form')
    },
  }),
  decided({
    id: 'FORM-QUERY-01',
    title: 'MUST read query parameters of a POST, the body winning',
    section: '4',
    clauses: ['K-request-3'],
    faults: ['post-query-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const query = [
        ['title', `${lab.mark} query`],
        ['tags', `${lab.mark}tag`],
      ] as const
      const reply = await phone.send({
        method: 'POST',
        path: 'thing/add',
        query,
        form: [['title', `${lab.mark} body`]],
      })
      const thing = expectObject(reply, 'title stands in query and body, tags in the query')
      expectSame(
        [thing.title, thing.tags],
        [`${lab.mark} body`, `${lab.mark}tag`],
        'title of the body, tags of the query',
        reply,
      )
    },
  }),
  decided({
    id: 'FORM-UNKNOWN-01',
    title: 'MUST ignore parameters that it does not know',
    section: '4',
    clauses: ['K-request-4'],
    faults: ['unknown-parameter-refused', 'sync-not-json', 'unknown-parameter-refused-by-add', 'sync-get-refused'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const query = [
        ['limit', '1'],
        ['app_version', '1.2'],
        ['toString', 'x'],
      ] as const
      readSyncAnswer(await phone.send({ path: 'sync', query }), 'a sync with unknown parameters')
      expectObject(await post(phone, 'thing/add', { title: lab.mark, app_version: '1.2' }), 'app_version is not known')
    },
  }),
  decided({
    id: 'SYNC-COMPRESS-01',
    title: 'MUST send a large answer as gzip or br where the client accepts nothing else',
    section: '4.3',
    clauses: ['K-sync-19'],
    faults: ['compression-ignored', 'brotli-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const id = await phone.create({ html: `<p>${'one word after another '.repeat(1000)}</p>` })
      for (const encoding of ['gzip', 'br']) {
        const headers = { 'accept-encoding': encoding }
        const reply = await phone.send({ path: 'sync', query: [['from', String(from)]], headers })
        const isListed = readSyncAnswer(reply, `a delta as ${encoding}`).things.has(id)
        const came = [reply.headers['content-encoding'] ?? null, isListed]
        expectSame(
          came,
          [encoding, true],
          'Content-Encoding, and whether the thing that phone created is listed',
          reply,
        )
      }
    },
  }),
]
