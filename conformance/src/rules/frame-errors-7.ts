/*
 * Generated errors of the frame around the operations (interface 1: "data is returned only as JSON"; 7: an error is a
 * JSON object): unknown paths, wrong methods, other content types, broken escapes, and bodies that are too large. A web
 * framework or a proxy often responds to these with a page of HTML.
 */
import type { RawRequest, Reply } from '../client.ts'
import { encodeForm, showValue } from '../encoding.ts'
import { expect, expectSame } from '../expect.ts'
import type { Lab } from '../lab.ts'
import { asSetup, NoResponse, Skipped } from '../result.ts'
import { coreRulesOf } from '../rule.ts'
import { isSyncResponse } from '../sync-messages.ts'
import { takeGrant } from './token-responses-5-2.ts'

/**
 * Expects a JSON object; with a status from 400 on, an error object. A redirect, or a success that the interface does
 * not know, is the server's choice.
 */
const expectJson = (reply: Reply, what: string): void => {
  if (reply.status >= 300 && reply.status < 400) return
  const { error, error_description: description } = reply.json ?? {}
  const came = `${reply.status} ${reply.headers['content-type'] ?? 'without a content type'} ${showValue(reply.text, 120)}`
  expect(reply.json !== undefined, `a JSON object in response to ${what}`, came, reply)
  const isError = typeof error === 'string' && typeof description === 'string'
  const isFine = error === undefined ? reply.status < 400 : isError
  expect(isFine, `the strings error and error_description in response to ${what}`, came, reply)
}

/** Paths that no operation has. A server may give some of them a meaning of its own, in JSON. */
const unknownPaths = (mark: string): readonly string[] => [
  mark,
  `${mark}/`,
  `sync/${mark}`,
  `sync${mark}`,
  `${mark}/sync`,
  `thing/${mark}`,
  `things/get/${mark}`,
  `${mark}.html`,
  `${mark}.php?x=1`,
  `a%20b/${mark}`,
  `%C3%A9${mark}`,
  `${mark}/a/b/c/d`,
]

/** Sends each unknown path, and expects JSON. */
const expectUnknown = async (lab: Lab, send: (path: string) => Promise<Reply>, how: string): Promise<void> => {
  for (const path of unknownPaths(lab.mark)) expectJson(await send(path), `${how} ${path}, which is no operation`)
}

/** Sends a large request; undefined when the server closes the connection, as it may. */
const sendLarge = async (send: () => Promise<Reply>): Promise<Reply | undefined> => {
  try {
    return await send()
  } catch (error) {
    if (error instanceof NoResponse && !error.isSilence) return undefined
    throw error
  }
}

/** Bodies that a server may reject, and the content types under which they come. */
const oddBodies: readonly (readonly [what: string, type: string, body: string])[] = [
  ['plain text', 'text/plain', 'from=1'],
  ['XML', 'application/xml', '<sync from="1"/>'],
  ['HTML', 'text/html', '<p>from=1</p>'],
  ['bytes', 'application/octet-stream', 'from=1'],
  ['a type that is none', 'nonsense', 'from=1'],
  [
    'parts',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="from"\r\n\r\n1\r\n--b--\r\n',
  ],
  ['parts without a boundary', 'multipart/form-data', 'from=1'],
  ['JSON that is broken', 'application/json', '{"from":'],
  ['JSON that is a list', 'application/json', '[1,2]'],
  ['JSON that is null', 'application/json', 'null'],
  ['an empty JSON body', 'application/json', ''],
]

/** Forms that are not quite right, as text. */
const oddForms: readonly (readonly [what: string, body: string])[] = [
  ['a broken escape', 'from=1&x=%zz'],
  ['an escape without digits', 'from=1&x=%'],
  ['an escape that is no UTF-8', 'from=1&x=%ff%fe'],
  ['parameters without names', 'from=1&=2&&='],
  ['brackets that do not close', 'from=1&x[=1&x]=2&x[[]=3'],
  ['a name twice as text and as an object', 'from=1&x=1&x[a]=2'],
  ['a name with inherited words', 'from=1&__proto__[x]=1&constructor=2'],
  ['a NUL', 'from=1&x=%00'],
  ['a number that is none', 'from=abc'],
  ['a negative number', 'from=-1'],
  ['a number with an exponent', 'from=1&limit=1e2'],
  ['an empty number', 'from=&limit='],
  ['a large number', 'from=1&limit=99999999999999999999999999'],
  ['a broken deleted_thing', 'from=1&deleted_thing=%5B'],
  ['an empty skip_id', 'from=1&skip_id='],
  ['a tag without a name', 'from=1&tag='],
]

/** Errors of the frame (interface 7). */
export const frameErrorRules = coreRulesOf('7', [
  {
    id: 'FRAME-PATH-01',
    title: 'MUST respond to an unknown operation in JSON, by GET and by POST, with and without a token',
    requirements: ['C-7-1', 'C-1-1'],
    faults: [
      'unknown-operation-html',
      'unknown-operation-empty',
      'unknown-operation-plain-text',
      'unknown-operation-page-of-app',
      'unknown-operation-other-json',
      'unknown-get-html',
      'unknown-post-html',
      'unknown-anonymous-html',
      'unknown-below-sync-html',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await asSetup('a sync', () => phone.sync({ from: 1 }))
      await expectUnknown(lab, (path) => phone.send({ method: 'GET', path }), 'GET')
      await expectUnknown(lab, (path) => phone.send({ method: 'POST', path, form: [['from', '1']] }), 'POST')
      await expectUnknown(lab, (path) => lab.request({ method: 'GET', path }), 'GET without a token')
    },
  },
  {
    id: 'FRAME-METHOD-01',
    title: 'MUST respond to another method than the interface names in JSON, at sync and at token',
    requirements: ['C-7-1', 'C-1-1'],
    faults: [
      'wrong-method-html',
      'wrong-method-empty',
      'sync-wrong-method-html',
      'token-wrong-method-html',
      'token-by-get-html',
      'token-by-plain-get-html',
      'token-by-query-html',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const method of ['PUT', 'DELETE', 'PATCH']) {
        expectJson(await phone.send({ method, path: 'sync', query: [['limit', '1']] }), `${method} sync`)
        const request: RawRequest = {
          method,
          path: 'token',
          ...(method === 'PUT' ? { form: [['grant_type', 'x']] } : {}),
        }
        expectJson(await lab.request(request), `${method} token`)
      }
      expectJson(await lab.request({ method: 'GET', path: 'token' }), 'GET token')
      expectJson(
        await lab.request({ method: 'GET', path: 'token', query: [['grant_type', 'x']] }),
        'GET token with a query',
      )
    },
  },
  {
    id: 'FRAME-BODY-01',
    title: 'MUST respond in JSON to a body of another content type, at sync and at token',
    requirements: ['C-7-1', 'C-1-1'],
    faults: ['other-content-type-html', 'json-body-broken-html', 'token-content-type-html'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const [what, type, body] of oddBodies) {
        const headers = { 'content-type': type }
        const query = [['limit', '1']] as const
        expectJson(await phone.send({ method: 'POST', path: 'sync', query, headers, body }), `POST sync with ${what}`)
        expectJson(await lab.request({ method: 'POST', path: 'token', headers, body }), `POST token with ${what}`)
      }
    },
  },
  {
    id: 'FRAME-FORM-01',
    title: 'MUST respond in JSON to a form with broken escapes, names and values, at sync and at token',
    requirements: ['C-7-1', 'C-1-1'],
    faults: ['broken-escape-html', 'bad-number-html', 'odd-names-html', 'token-broken-form-html'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      for (const [what, text] of oddForms) {
        const body = `limit=1&${text}`
        expectJson(await phone.send({ method: 'POST', path: 'sync', headers, body }), `POST sync with ${what}`)
        expectJson(await lab.request({ method: 'POST', path: 'token', headers, body }), `POST token with ${what}`)
      }
    },
  },
  {
    // The limit is the server's choice (interface 8); an upload above it is rejected as a whole and in JSON.
    id: 'FRAME-LARGE-01',
    title: 'MUST apply a body of more than 1 MB as a whole, or reject it in JSON or by closing the connection',
    requirements: ['C-7-1', 'C-1-1', 'C-4.3-33'],
    faults: ['large-body-html', 'large-body-empty-success', 'large-body-half-applied'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const html = 'abcdefghi\n'.repeat(60_000)
      const title = lab.unique()
      const things = ['a', 'b'].map((localId) => ({ local_id: localId, title, html }))
      const reply = await sendLarge(() => phone.trySync({ from, new_thing: things }))
      if (reply !== undefined && !isSyncResponse(reply)) expectJson(reply, 'an upload of 1.2 MB')
      const full = await (await lab.replica('laptop')).sync({ from })
      const came = [...full.things.values()]
        .filter((thing) => thing.title === title)
        .map((thing) => thing.html === html)
      const wanted = reply !== undefined && isSyncResponse(reply) ? [true, true] : []
      if (reply === undefined && came.length === 2) return
      expectSame(
        came,
        wanted,
        `whole things of an upload of 1.2 MB whose response was ${reply?.status ?? 'none'}`,
        full,
      )
    },
  },
  {
    id: 'FRAME-LARGE-02',
    title: 'MUST reject a large body at the token endpoint in JSON or by closing the connection',
    requirements: ['C-7-1', 'C-1-1', 'C-5.1-3'],
    faults: ['large-grant-html', 'large-grant-without-description', 'large-grant-empty-success'],
    alone: true,
    check: async (lab) => {
      await asSetup('the same grant with the right password', () => takeGrant(lab))
      const [{ username = '', password = '' } = {}] = lab.target.users
      const body = encodeForm([
        ['grant_type', 'password'],
        ['client_id', lab.target.clientId],
        ['client_secret', lab.target.clientSecret],
        ['username', username],
        ['password', `${password}${'x'.repeat(1_200_000)}`],
      ])
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const reply = await sendLarge(() => lab.request({ method: 'POST', path: 'token', headers, body }))
      if (reply === undefined) throw new Skipped('the server rejects a large grant by closing the connection')
      expectJson(reply, 'a grant of 1.2 MB')
      expect(reply.error !== undefined, 'an error, because the password is wrong', `${reply.status} came`, reply)
    },
  },
])
