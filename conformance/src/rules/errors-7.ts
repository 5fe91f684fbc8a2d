import { parseJson, showValue } from '../encoding.ts'
import { expect, expectCreated, expectSame } from '../expect.ts'
import { asSetup, Skipped } from '../result.ts'
import { coreRulesOf, extensionRule, type Rule } from '../rule.ts'
import { isSyncResponse, readSyncResponse } from '../sync-messages.ts'
import { describeReply, expectError, get, post, postJson } from './operation-steps.ts'

/** Errors (interface 7): always a JSON object; codes and statuses are the server's choice, except the one stated. */
export const errorRules = coreRulesOf('7', [
  {
    // The server may reject or ignore such an upload; its response must be JSON in one of the two forms.
    id: 'ERROR-FORM-01',
    title: 'MUST respond to an upload that is no JSON with a sync response or an error object',
    requirements: ['C-7-1', 'C-1-1'],
    faults: ['bad-upload-plain-text', 'bad-upload-without-description'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = String(await phone.position())
      await asSetup('the same request with a thing', async () => phone.create())
      for (const text of ['{"local_id":', 'no json', '[1,2', '"text"', '[]', 'null']) {
        const reply = await phone.send({
          path: 'sync',
          form: [
            ['from', from],
            ['new_thing', text],
          ],
        })
        if (reply.error === undefined)
          readSyncResponse(reply, `new_thing=${text}, unless rejected with an error object,`)
        const description = reply.error === undefined ? '' : reply.json?.error_description
        const came = `error_description is ${showValue(description)}`
        expect(typeof description === 'string', 'error_description as a string', came, reply)
      }
    },
  },
])

/** A number that no server has to accept at once. */
const many = 100_001

/** Rules of section 7: statuses and codes of the contract's error table, and no effect of a rejected request. */
export const errorResponseRules: readonly Rule[] = [
  extensionRule({
    id: 'ERROR-PARAMETER-01',
    title: 'MUST respond to a bad parameter with 400 parameter_invalid and name it',
    section: '7',
    requirements: ['K-error-1', 'K-request-7'],
    faults: ['bad-parameter-500', 'error-description-vague'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const name of ['from', 'skip', 'limit']) {
        const reply = await get(phone, 'sync', { limit: '1', [name]: 'abc' })
        expectError(reply, 400, 'parameter_invalid', `${name} is abc`)
        expect(
          String(reply.json?.error_description).includes(name),
          `a description that names ${name}`,
          describeReply(reply),
          reply,
        )
      }
      await phone.sync({ from: 1, skip: 0, limit: 1 })
    },
  }),
  extensionRule({
    id: 'ERROR-JSON-01',
    title: 'MUST reject broken JSON in an upload',
    section: '7',
    requirements: ['K-error-1'],
    faults: ['bad-json-ignored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = String(await phone.position())
      const broken = {
        new_thing: `{"local_id":"a","title":"${lab.mark}"`,
        changed_thing: '{',
        [`tag[${lab.mark}]`]: 'favorite',
      }
      for (const [name, value] of Object.entries(broken)) {
        expectError(await post(phone, 'sync', { from, [name]: value }), 400, 'parameter_invalid', `${name} is not JSON`)
      }
      await phone.create()
    },
  }),
  extensionRule({
    id: 'ERROR-OPERATION-01',
    title: 'MUST respond to an unknown operation with 404 not_found',
    section: '7',
    requirements: ['K-error-3'],
    faults: ['unknown-operation-200', 'unknown-operation-not-error'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      expectError(await get(phone, `thing/${lab.mark}`), 404, 'not_found', 'there is no such operation')
    },
  }),
  extensionRule({
    id: 'ERROR-METHOD-01',
    title: 'MUST respond to a wrong method with 405 method_not_allowed',
    section: '7',
    requirements: ['K-error-3'],
    faults: ['wrong-method-accepted'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create()
      for (const [method, path] of [
        ['DELETE', 'sync'],
        ['PUT', 'sync'],
        ['GET', 'thing/delete'],
        ['POST', 'things/get'],
      ] as const) {
        const query = path === 'thing/delete' ? ([['_id', id]] as const) : []
        const reply = await phone.send({ method, path, query, ...(method === 'POST' ? { form: [] } : {}) })
        expectError(reply, 405, 'method_not_allowed', `${path} does not take ${method}`)
      }
    },
  }),
  extensionRule({
    id: 'ERROR-METHOD-02',
    title: 'MUST say in Allow which methods an operation takes',
    section: '7',
    requirements: ['K-error-3'],
    faults: ['wrong-method-no-allow'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const reply = await phone.send({ method: 'DELETE', path: 'sync' })
      const allowed = (reply.headers.allow ?? '').split(/\s*,\s*/)
      const isComplete = ['GET', 'POST'].every((method) => allowed.includes(method))
      expect(
        isComplete,
        'the header Allow with GET and POST, because sync does not take DELETE',
        `it reads ${reply.headers.allow ?? '(absent)'}`,
        reply,
      )
    },
  }),
  extensionRule({
    // The limit is the server's choice; unknown IDs make the request large and harmless.
    id: 'ERROR-LARGE-01',
    title: 'MUST respond to an upload that is too large with 413 too_large',
    section: '7',
    requirements: ['K-error-4'],
    faults: ['too-many-things-400', 'too-many-things-other-code'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const ids = Array.from({ length: many }, (_, index) => `${index}${lab.mark}`)
      const reply = await phone.trySync({ from: await phone.position(), deleted_thing: ids })
      if (isSyncResponse(reply)) throw new Skipped(`the server takes ${many} ids in one request`)
      expectError(reply, 413, 'too_large', `one request with ${many} IDs was rejected`)
    },
  }),
  extensionRule({
    // An unauthenticated client must not make the server parse a body.
    id: 'ERROR-LARGE-02',
    title:
      'MUST reject a JSON body of more than 64 KiB whose token stands in it, and take it with the token in the header',
    section: '7',
    requirements: ['K-token-6'],
    faults: ['unknown-body-unbounded', 'json-body-rejected'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const [token, from] = [await phone.token(), await phone.position()]
      const body = { from, limit: 0, new_thing: [{ local_id: lab.mark, title: lab.mark, html: 'x'.repeat(70_000) }] }
      const headers = { 'content-type': 'application/json' }
      const inside = JSON.stringify({ ...body, access_token: token })
      const reply = await lab.request({ method: 'POST', path: 'sync', headers, body: inside })
      expectError(reply, 413, 'too_large', 'the token is in a JSON body of 70,000 characters')
      expectCreated(
        readSyncResponse(await postJson(phone, 'sync', body), 'the same with the token in the header'),
        lab.mark,
      )
    },
  }),
  extensionRule({
    id: 'ERROR-JSON-02',
    title: 'MUST reject JSON that nests deeper than 32 levels',
    section: '7',
    requirements: ['K-request-11', 'K-error-1'],
    faults: ['json-nesting-unbounded'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const nested = (levels: number) => parseJson('['.repeat(levels) + ']'.repeat(levels)) ?? null
      const thing = (levels: number) => ({ local_id: lab.unique(), title: lab.mark, extra: nested(levels) })
      expectError(
        await phone.trySync({ from, new_thing: [thing(60)] }),
        400,
        'parameter_invalid',
        'a field nests 60 arrays',
      )
      await phone.sync({ from, new_thing: [thing(20)] })
    },
  }),
  extensionRule({
    id: 'ERROR-ATOMIC-01',
    title: 'MUST apply nothing of a request that has an error in it',
    section: '7',
    requirements: ['K-error-8'],
    faults: ['half-request-applied', 'bad-parameter-500'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const kept = await phone.create({ title: `${lab.mark} kept` })
      const from = await phone.position()
      const good = { local_id: 'a', title: `${lab.mark} new` }
      const change = { _id: kept, title: `${lab.mark} changed` }
      const reply = await phone.trySync({
        from,
        new_thing: [good, { local_id: 'b' }],
        changed_thing: [change],
        tag: { [lab.mark]: { favorite: true } },
      })
      expectError(reply, 400, 'parameter_invalid', 'the second new_thing has no title')
      const listed = await (await lab.replica('laptop')).sync({ from })
      const titles = [...listed.things.values()].map(({ title }) => title ?? null)
      const seen = [titles, listed.tags.has(lab.mark)]
      expectSame(
        seen,
        [[], false],
        'nothing of the rejected request in the next incremental sync: titles listed, tag listed',
        listed,
      )
    },
  }),
]

/** Requests that the rule sends itself, so that it can run alone. */
const looks = 20

/** Transient errors (interface 4.3, 7): counted over the whole run and reported once. */
export const steadinessRules = coreRulesOf('4.3', [
  {
    id: 'SYNC-STEADY-01',
    title: 'MUST NOT respond with a server error to a request that works when it is sent again',
    basis: 'implied',
    requirements: ['C-4.3-1'],
    faults: ['server-error-now-and-then'],
    last: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      for (let count = 0; count < looks; count += 1) await phone.sync({ from })
      const { transientErrors } = lab.incidents()
      const [first] = transientErrors
      const expected = 'no 5xx response in the whole run to a request whose retry gets another response'
      const came = `${transientErrors.length} came, the first with status ${first?.status} to ${first?.method} ${first?.url}`
      expect(first === undefined, expected, came, first === undefined ? undefined : { exchange: first })
    },
  },
])
