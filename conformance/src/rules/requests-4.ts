import { readAccessToken, writePasswordGrant } from '../access-tokens.ts'
import type { RawRequest } from '../client.ts'
import { encodeForm, isObject, type Pair, showValue } from '../encoding.ts'
import { expect, expectSame, expectTag, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import { coreRulesOf, extensionRule, type Rule } from '../rule.ts'
import { readSyncResponse } from '../sync-messages.ts'
import { expectError, expectObject, post, postJson } from './operation-steps.ts'

const formType = 'application/x-www-form-urlencoded'

/** The upload that is checked: a text with every character that a form must escape, and a tag setting. */
const writeUpload = (lab: Lab, title: string, tag: string): Pair[] => [
  ['new_thing[]', JSON.stringify({ local_id: 'a', title: `${title} 1` })],
  ['new_thing[]', JSON.stringify({ local_id: 'b', title: `${title} 2`, tags: `ä ${lab.mark}` })],
  [`tag[${tag}]`, JSON.stringify({ favorite: true, color: '#a0b1c2', todo: false })],
]

/** Sends the upload in the form of the request, and expects all of it to arrive. */
const expectArrives = async (lab: Lab, write: (pairs: readonly Pair[]) => Partial<RawRequest>): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const from = await laptop.position()
  const title = `${lab.unique()} ä+b&c=d%20é 日本 "x"`
  // Different settings each time: existing settings are no change.
  const tag = lab.unique()
  const request = write([['from', `${from}`], ...writeUpload(lab, title, tag)])
  const reply = await phone.send({ method: 'POST', path: 'sync', ...request })
  const upload = readSyncResponse(reply, 'an upload of two things and a tag')
  const assigned = isObject(upload.json.things) ? upload.json.things.new : undefined
  const ids = isObject(assigned) ? [assigned.a, assigned.b] : [undefined]
  const incremental = await laptop.sync({ from })
  for (const [index, id] of ids.entries()) {
    const thing = expectThing(incremental, String(id), 'phone created it')
    expectSame(thing.title, `${title} ${index + 1}`, 'the title as phone sent it', incremental)
  }
  expectSame(expectTag(incremental, tag, 'phone set them').favorite, true, 'favorite as phone set it', incremental)
}

/** Writes a form body in the usual way. */
const asBody = (body: string, headers: Readonly<Record<string, string>> = {}): Partial<RawRequest> => ({
  body,
  headers: { 'content-type': formType, ...headers },
})

/** Escapes every byte of a text. */
const escapeAll = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('')

/** Writes a form that escapes only what it must. */
const encodeRaw = (pairs: readonly Pair[]): string =>
  pairs.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%20', '+')}`).join('&')

/** The parameters of a correct password grant of the first user. */
const grant = (lab: Lab): Pair[] => {
  const [{ username = '', password = '' } = {}] = lab.target.users
  return [
    ['grant_type', 'password'],
    ['client_id', lab.target.clientId],
    ['client_secret', lab.target.clientSecret],
    ['username', username],
    ['password', password],
  ]
}

/** The same request in the spellings of different clients (interface 4.2, 4.3). */
export const transportRules = coreRulesOf('4.3', [
  {
    id: 'WIRE-CHARSET-01',
    title: 'MUST take a form whose content type names its charset, in any letter case',
    requirements: ['C-4.3-2', 'C-4.2-1'],
    basis: 'implied',
    faults: ['charset-rejected', 'charset-body-ignored', 'content-type-case-counts', 'token-charset-rejected'],
    check: async (lab) => {
      for (const type of [
        `${formType}; charset=UTF-8`,
        `${formType};charset=utf-8`,
        `${formType}; charset="utf-8"`,
        `${formType}; CHARSET=UTF-8`,
        'Application/X-WWW-Form-Urlencoded',
      ]) {
        await expectArrives(lab, (pairs) => asBody(encodeForm(pairs), { 'content-type': type }))
      }
      const token = {
        path: 'token',
        method: 'POST',
        ...asBody(encodeForm(grant(lab)), { 'content-type': `${formType}; charset=UTF-8` }),
      }
      readAccessToken(await lab.request(token))
    },
  },
  {
    id: 'WIRE-BRACKETS-01',
    title: 'MUST take brackets in names as they are and as escapes',
    requirements: ['C-4.3-16', 'C-4.3-13'],
    basis: 'implied',
    faults: ['raw-brackets-ignored', 'raw-tag-brackets-ignored', 'escaped-brackets-ignored', 'small-escapes-ignored'],
    check: async (lab) => {
      await expectArrives(lab, (pairs) => asBody(encodeRaw(pairs)))
      await expectArrives(lab, (pairs) => asBody(encodeForm(pairs)))
      const small = (text: string): string => text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
      await expectArrives(lab, (pairs) => asBody(small(encodeForm(pairs))))
    },
  },
  {
    id: 'WIRE-ESCAPES-01',
    title: 'MUST read a blank that is written as plus or as %20, and escapes of what need not be escaped',
    requirements: ['C-4.3-2', 'C-2.1-13'],
    basis: 'implied',
    faults: ['percent-twenty-kept', 'plus-in-forms-kept', 'needless-escapes-kept'],
    check: async (lab) => {
      await expectArrives(lab, (pairs) => asBody(encodeForm(pairs).replaceAll('+', '%20')))
      await expectArrives(lab, (pairs) => asBody(encodeForm(pairs)))
      await expectArrives(lab, (pairs) => asBody(pairs.map(([name, value]) => `${name}=${escapeAll(value)}`).join('&')))
    },
  },
  {
    id: 'WIRE-ESCAPES-03',
    title: 'MUST read escapes of what need not be escaped at the token endpoint too',
    section: '4.2',
    requirements: ['C-4.2-1'],
    basis: 'implied',
    faults: ['token-escapes-kept'],
    check: async (lab) => {
      const grant = writePasswordGrant(lab.target, 0)
      const body = grant.map(([name, value]) => `${name}=${escapeAll(value)}`).join('&')
      const reply = await lab.request({ method: 'POST', path: 'token', ...asBody(body) })
      readAccessToken(reply)
    },
  },
  {
    // Many clients escape no more than a form needs: percent, ampersand, plus, hash and non-ASCII characters.
    id: 'WIRE-ESCAPES-02',
    title: 'MUST read values in which only what has to be escaped is',
    requirements: ['C-4.3-2', 'C-2.1-13'],
    basis: 'implied',
    faults: ['raw-semicolon-separates', 'raw-equals-cuts', 'raw-quotes-lost'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const title = `${lab.mark} a;b=c "d" 'e' {f} [g] h,i:j/k?l@m!n~o*p(q)$r|s^t`
      const json = JSON.stringify({ local_id: 'a', title, url: 'https://example.org/?a=1;b=2' })
      const body = `from=${from}&new_thing=${json.replaceAll('%', '%25').replaceAll('&', '%26').replaceAll(' ', '+')}`
      readSyncResponse(await phone.send({ path: 'sync', method: 'POST', ...asBody(body) }), 'an upload')
      const incremental = await laptop.sync({ from })
      const titles = [...incremental.things.values()].map((thing) => thing.title)
      expect(titles.includes(title), `a thing titled ${title}, which phone created`, showValue(titles), incremental)
    },
  },
  {
    id: 'WIRE-CHUNKS-01',
    title: 'MUST take a body that comes in chunks, at sync and at token',
    requirements: ['C-4.3-2', 'C-4.2-1'],
    basis: 'implied',
    faults: ['chunks-ignored', 'chunks-first-only', 'chunks-rejected', 'token-chunks-ignored'],
    check: async (lab) => {
      const chunked = { 'transfer-encoding': 'chunked' }
      await expectArrives(lab, (pairs) => asBody(encodeForm(pairs), chunked))
      readAccessToken(await lab.request({ path: 'token', method: 'POST', ...asBody(encodeForm(grant(lab)), chunked) }))
    },
  },
])

/** Parameters in an unusual order (interface 4.2, 4.3). */
export const transportOrderRules = coreRulesOf('4.3', [
  {
    id: 'WIRE-ORDER-01',
    title: 'MUST read parameters in whatever order they come',
    requirements: ['C-4.3-2', 'C-5.3-3', 'C-4.2-1'],
    basis: 'implied',
    faults: [
      'form-token-only-last',
      'form-token-only-first',
      'from-only-first',
      'limit-first-lists-none',
      'grant-type-only-first',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const old = await phone.create()
      const from = await laptop.position()
      const id = await phone.create()
      const token: Pair = ['access_token', await phone.token()]
      const others: Pair[] = [
        ['limit', '500'],
        ['from', `${from}`],
      ]
      for (const form of [
        [token, ...others],
        [...others, token],
        [others[0] ?? token, token, others[1] ?? token],
      ]) {
        const response = readSyncResponse(
          await lab.request({ path: 'sync', form }),
          `a sync with ${form.map(([name]) => name).join(', ')}`,
        )
        expectThing(response, id, `phone created it after ${from}`)
        expect(!response.things.has(old), `no ${old}, created before ${from}`, 'it is listed', response)
      }
      readAccessToken(await lab.request({ path: 'token', form: grant(lab).reverse() }))
    },
  },
  {
    id: 'WIRE-ORDER-02',
    title: 'MUST read the parameters of a GET in whatever order they come',
    requirements: ['C-4.3-1', 'C-5.3-2'],
    basis: 'implied',
    faults: [
      'from-only-first-in-query',
      'from-only-last-in-query',
      'query-token-only-first',
      'limit-first-in-query-lists-none',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const old = await phone.create()
      const from: Pair = ['from', `${await laptop.position()}`]
      const id = await phone.create()
      const token: Pair = ['access_token', await phone.token()]
      const limit: Pair = ['limit', '500']
      for (const query of [
        [token, from, limit],
        [from, limit, token],
        [limit, token, from],
      ]) {
        const names = query.map(([name]) => name).join(', ')
        const response = readSyncResponse(await lab.request({ path: 'sync', query }), `a GET with ${names}`)
        expectThing(response, id, `phone created it after ${from[1]}`)
        expect(!response.things.has(old), `no ${old}, created before ${from[1]} (${names})`, 'it is listed', response)
      }
    },
  },
])

/** Marks, encodings and headers of requests and responses, and uploads by GET (interface 4.2, 4.3, 5.3). */
export const transportMoreRules = coreRulesOf('4.3', [
  {
    // RFC 8259, 8.1: JSON on the network has no byte order mark; many parsers fail at one.
    id: 'WIRE-MARK-01',
    title: 'MUST NOT begin a response with a byte order mark',
    section: '1',
    requirements: ['C-1-1'],
    basis: 'implied',
    faults: ['responses-begin-with-mark', 'token-responses-begin-with-mark', 'errors-begin-with-mark'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const responses = [await phone.trySync(), await lab.token(), await lab.token({ grant_type: 'no_such_grant' })]
      for (const reply of responses)
        expect(!reply.text.startsWith('\ufeff'), 'JSON from the first character on', 'a byte order mark came', reply)
    },
  },
  {
    id: 'WIRE-IDENTITY-01',
    title: 'MUST send a large response uncompressed to a client that takes no compression',
    section: '1',
    requirements: ['C-1-1'],
    basis: 'implied',
    faults: ['always-compressed'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      // The uploads are small enough for every server; the response is large.
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
    // Header names have no letter case (RFC 9110), and most proxies rewrite them.
    id: 'WIRE-HEADERS-01',
    title: 'MUST read headers whatever the letter case of their names is',
    requirements: ['C-5.3-1', 'C-4.3-2'],
    basis: 'implied',
    faults: ['header-name-case-counts', 'header-name-capitals-unread'],
    check: async (lab) => {
      const token = await (await lab.replica('phone')).token()
      const form = (await lab.headerForm()).replaceAll('{token}', token)
      for (const name of ['AUTHORIZATION', 'Authorization', 'authorization']) {
        const reply = await lab.request({ path: 'sync', query: [['limit', '1']], headers: { [name]: form } })
        readSyncResponse(reply, `a sync with the token in the header ${name}`)
      }
    },
  },
  {
    id: 'WIRE-EMPTY-01',
    title: 'MUST respond to a POST with an empty body and the token in the header with a full sync',
    requirements: ['C-4.3-2', 'C-4.3-4'],
    basis: 'implied',
    faults: ['empty-post-rejected', 'empty-post-empty-response', 'empty-post-token-unread'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create()
      const request = { path: 'sync', method: 'POST', ...asBody('') }
      const reply = await lab.present(request, await phone.token(), { kind: 'header' })
      expectThing(readSyncResponse(reply, 'a POST with an empty body'), id, 'phone created it and from is omitted')
    },
  },
  {
    // "Sent by POST" and "read from the query string (GET) or the form body (POST), as listed": a GET uploads nothing.
    id: 'WIRE-GET-01',
    title: 'MUST NOT apply an upload that stands in the query of a GET',
    requirements: ['C-4.3-10', 'C-4.3-1'],
    basis: 'implied',
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
      'get-new-returned',
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
      const notified = []
      for (const upload of uploads) {
        const reply = await phone.send({ path: 'sync', method: 'GET', query: [['from', '0'], upload] })
        if (reply.error === undefined) notified.push(readSyncResponse(reply, `a GET with ${upload[0]}`))
      }
      const full = await laptop.listAll()
      const createdCount = [...full.things.values()].filter((thing) => thing.title === title).length
      const came = [
        createdCount,
        full.things.get(kept)?.title ?? null,
        full.things.has(left),
        full.tags.get(lab.mark)?.favorite === true,
      ]
      const expected =
        'things that a GET created, the title of one it tried to change, whether one that it tried to delete is there, and whether it made a favorite'
      expectSame(came, [0, before, true, false], expected, full)
      for (const response of notified) {
        expectThing(response, left, 'phone created it, and a GET deletes nothing')
        expectSame(
          expectThing(response, kept, 'phone created it').title,
          before,
          'its title in the response to a GET',
          response,
        )
        const assigned = isObject(response.json.things) ? response.json.things.new : undefined
        expect(assigned === undefined, 'no things.new, because a GET creates nothing', showValue(assigned), response)
        const count = response.changed.length + response.deleted.length
        expectSame(response.json.thingCount ?? 0, count, 'thingCount, as many as are listed', response)
      }
    },
  },
])

/** Rules of section 4: encodings of requests and responses (contract, requests and sync 13). */
export const encodingRules: readonly Rule[] = [
  extensionRule({
    id: 'FORM-JSON-01',
    title: 'MUST take a JSON body with the same names and native types',
    section: '4.3',
    requirements: ['K-request-1'],
    faults: ['json-body-rejected', 'new-archived-ignored', 'tag-favorite-ignored', 'new-tags-dropped'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const tag = lab.unique()
      const submitted = { local_id: 7, title: lab.mark, tags: tag, date: 1_700_000_000.5, archived: true }
      const reply = await postJson(phone, 'sync', { from, new_thing: [submitted], tag: { [tag]: { favorite: true } } })
      const response = readSyncResponse(reply, 'a sync with a JSON body')
      const id = response.created.get('7') ?? ''
      const listed = await (await lab.replica('laptop')).sync({ from })
      const wanted = { _id: id, title: lab.mark, tags: tag, date: 1_700_000_000.5, archived: true }
      const thing = expectThing(listed, id, 'phone created it with a JSON body')
      const came = Object.fromEntries(Object.keys(wanted).map((name) => [name, thing[name]]))
      expectSame(came, wanted, 'every field as sent', listed)
      expectSame(expectTag(listed, tag, 'phone set it with a JSON body').favorite, true, 'favorite as sent', listed)
    },
  }),
  extensionRule({
    id: 'FORM-JSON-02',
    title: 'MUST take a JSON body for the operations on single things',
    section: '4.1',
    requirements: ['K-request-1'],
    faults: ['json-body-rejected', 'add-fields-dropped', 'operations-response-201'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const reply = await postJson(phone, 'thing/add', { title: lab.mark, archived: true })
      const { title, archived } = expectObject(reply, 'the JSON body is correct')
      expectSame([title, archived], [lab.mark, true], 'title and archived as sent', reply)
    },
  }),
  extensionRule({
    id: 'FORM-MEDIA-01',
    title: 'MUST reject another content type with 415 unsupported_media_type',
    section: '4',
    requirements: ['K-request-2'],
    faults: ['unsupported-media-type-accepted', 'thing-add-rejected', 'operations-reject-forms'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const headers = { 'content-type': 'text/plain' }
      const reply = await phone.send({ method: 'POST', path: 'thing/add', headers, body: `title=${lab.mark}` })
      expectError(reply, 415, 'unsupported_media_type', 'the body was sent as text/plain')
      expectObject(await post(phone, 'thing/add', { title: lab.mark }), 'the same was sent as a form')
    },
  }),
  extensionRule({
    id: 'FORM-QUERY-01',
    title: 'MUST read query parameters of a POST, the body winning',
    section: '4',
    requirements: ['K-request-3'],
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
  extensionRule({
    id: 'FORM-UNKNOWN-01',
    title: 'MUST ignore parameters that it does not know',
    section: '4',
    requirements: ['K-request-4'],
    faults: ['unknown-parameter-rejected', 'sync-not-json', 'unknown-parameter-rejected-by-add', 'sync-get-rejected'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const query = [
        ['limit', '1'],
        ['app_version', '1.2'],
        ['toString', 'x'],
      ] as const
      readSyncResponse(await phone.send({ path: 'sync', query }), 'a sync with unknown parameters')
      expectObject(await post(phone, 'thing/add', { title: lab.mark, app_version: '1.2' }), 'app_version is not known')
    },
  }),
  extensionRule({
    id: 'SYNC-COMPRESS-01',
    title: 'MUST send a large response as gzip or br where the client accepts nothing else',
    section: '4.3',
    requirements: ['K-sync-19'],
    faults: ['compression-ignored', 'brotli-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const id = await phone.create({ html: `<p>${'one word after another '.repeat(1000)}</p>` })
      for (const encoding of ['gzip', 'br']) {
        const headers = { 'accept-encoding': encoding }
        const reply = await phone.send({ path: 'sync', query: [['from', String(from)]], headers })
        const isListed = readSyncResponse(reply, `an incremental sync as ${encoding}`).things.has(id)
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
