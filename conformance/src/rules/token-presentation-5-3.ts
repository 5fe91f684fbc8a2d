import { presentToken, type TokenPresentation } from '../access-tokens.ts'
import type { RawRequest, Reply } from '../client.ts'
import { showValue } from '../encoding.ts'
import { expect, expectErrorResponse, expectSame } from '../expect.ts'
import type { Lab } from '../lab.ts'
import { asSetup } from '../result.ts'
import { coreRulesOf, extensionRule, type Rule } from '../rule.ts'
import { isSyncResponse, readSyncResponse } from '../sync-messages.ts'
import { describeReply, expectError } from './operation-steps.ts'

const get: RawRequest = { path: 'sync', query: [['limit', '1']] }
const post: RawRequest = { path: 'sync', form: [['limit', '1']] }

const expectAccepted = async (
  lab: Lab,
  request: RawRequest,
  way: TokenPresentation | { kind: 'header' },
): Promise<void> => {
  const token = await (await lab.replica('phone')).token()
  const reply = await lab.present(request, token, way)
  readSyncResponse(reply, `a ${request.form === undefined ? 'GET' : 'POST'} sync with a valid token (${way.kind})`)
}

/** The stated error for an invalid token (interface 7), word for word. */
const expectInvalidToken = (reply: Reply, because: string): void => {
  const wanted = { error: 'invalid_grant', error_description: 'The access token provided is invalid' }
  const { error, error_description: description } = reply.json ?? {}
  const same = error === wanted.error && description === wanted.error_description
  expect(
    same,
    `${showValue(wanted)}, because ${because}`,
    `${reply.status} ${showValue(reply.json ?? reply.text)}`,
    reply,
  )
}

const expectRejected = async (
  lab: Lab,
  request: RawRequest,
  way: TokenPresentation | { kind: 'header' },
): Promise<void> => {
  await asSetup('the same request with a valid token', () => expectAccepted(lab, request, way))
  expectInvalidToken(await lab.present(request, lab.mark, way), 'the access token was never issued')
}

/** Presenting the access token (interface 5.3), and the one stated error (interface 7). */
export const tokenPresentationRules = coreRulesOf('5.3', [
  {
    // The interface leaves the form of the header open; one form must work, for GET and POST.
    id: 'TOKEN-AUTH-HEADER-01',
    title: 'MUST take the access token from the Authorization header, for GET and POST',
    requirements: ['C-5.3-1'],
    faults: ['header-token-ignored', 'header-token-rejected-in-get', 'header-token-rejected-in-post'],
    check: async (lab) => {
      for (const request of [get, post]) await expectAccepted(lab, request, { kind: 'header' })
    },
  },
  {
    id: 'TOKEN-AUTH-QUERY-01',
    title: 'MUST take the access token from the GET parameter access_token',
    requirements: ['C-5.3-2'],
    faults: ['query-token-ignored', 'query-token-never-valid', 'access-token-never-valid'],
    check: (lab) => expectAccepted(lab, get, { kind: 'query' }),
  },
  {
    id: 'TOKEN-AUTH-FORM-01',
    title: 'MUST take the access token from the form parameter access_token',
    requirements: ['C-5.3-3'],
    faults: ['form-token-ignored'],
    check: (lab) => expectAccepted(lab, post, { kind: 'form' }),
  },
  {
    // The same error in all three ways: error and description are stated, the status is not.
    id: 'TOKEN-AUTH-HEADER-02',
    title: 'MUST reject an invalid token in the Authorization header with the stated error',
    requirements: ['C-5.3-4', 'C-7-2'],
    faults: [
      'header-token-unchecked',
      'invalid-token-header-differs',
      'invalid-token-other-code',
      'invalid-token-other-description',
      'invalid-token-description-missing',
      'header-token-unchecked-in-get',
      'header-token-unchecked-in-post',
      'header-token-rejected-in-get',
    ],
    check: async (lab) => {
      await expectRejected(lab, get, { kind: 'header' })
      await expectRejected(lab, post, { kind: 'header' })
    },
  },
  {
    id: 'TOKEN-AUTH-QUERY-02',
    title: 'MUST reject an invalid token in the GET parameter with the stated error',
    requirements: ['C-5.3-4', 'C-7-2'],
    faults: [
      'query-token-unchecked',
      'invalid-token-query-differs',
      'invalid-token-plain-text',
      'invalid-token-empty-body',
      'access-token-never-valid',
    ],
    check: (lab) => expectRejected(lab, get, { kind: 'query' }),
  },
  {
    id: 'TOKEN-AUTH-FORM-02',
    title: 'MUST reject an invalid token in the form parameter with the stated error',
    requirements: ['C-5.3-4', 'C-7-2'],
    faults: [
      'form-token-unchecked',
      'invalid-token-form-differs',
      'invalid-token-empty-listing',
      'invalid-token-error-nested',
      'access-token-never-valid',
    ],
    check: (lab) => expectRejected(lab, post, { kind: 'form' }),
  },
  {
    // A token is valid only as a whole, and its letter case counts.
    id: 'TOKEN-AUTH-TOKEN-01',
    title: 'MUST reject a token that is only similar to a valid one',
    basis: 'implied',
    requirements: ['C-1-4', 'C-7-2'],
    faults: ['token-prefix-accepted', 'token-case-ignored', 'access-token-never-valid'],
    check: async (lab) => {
      const token = await (await lab.replica('phone')).token()
      await asSetup('a sync with the valid token', async () => readSyncResponse(await lab.openSync(token), 'a sync'))
      expectInvalidToken(await lab.openSync(token.slice(0, -1)), 'the last character of the token is missing')
      const upper = token.toUpperCase() === token ? token.toLowerCase() : token.toUpperCase()
      if (upper !== token) expectInvalidToken(await lab.openSync(upper), 'the letters have another case')
    },
  },
  {
    // Sync requires authentication. The interface does not state the error for a missing token.
    id: 'TOKEN-AUTH-NONE-01',
    title: 'MUST reject a sync without an access token',
    section: '4.3',
    requirements: ['C-4.3-3', 'C-1-4'],
    faults: ['no-token-accepted', 'no-token-accepted-in-get', 'no-token-accepted-in-post', 'access-token-never-valid'],
    check: async (lab) => {
      await asSetup('the same request with a token', () => expectAccepted(lab, get, { kind: 'query' }))
      expectErrorResponse(await lab.request(get), 'no access token was presented with this GET')
      expectErrorResponse(await lab.request(post), 'no access token was presented with this POST')
    },
  },
  {
    // A rejected request has no effect.
    id: 'TOKEN-AUTH-UPLOAD-01',
    title: 'MUST create nothing from an upload with an invalid token',
    section: '1',
    basis: 'implied',
    requirements: ['C-1-4'],
    faults: ['header-token-unchecked', 'invalid-token-upload-applied', 'form-object-rejected'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const upload = (localId: string): RawRequest => ({
        path: 'sync',
        form: [['new_thing', JSON.stringify({ local_id: localId, title: localId })]],
      })
      const otherTitle = lab.unique()
      await asSetup('the same upload with a valid token', async () =>
        readSyncResponse(await lab.openSync(await phone.token(), upload(otherTitle)), 'an upload'),
      )
      const title = lab.unique()
      expectErrorResponse(await lab.openSync(lab.mark, upload(title)), 'the access token was never issued')
      const response = await phone.sync({ from })
      const listed = [...response.things.values()].some((thing) => thing.title === title)
      expect(!listed, 'nothing created by the rejected upload', `the thing ${title} is listed`, response)
    },
  },
])

type Kind = 'header' | 'query' | 'form'

const kinds: readonly Kind[] = ['header', 'query', 'form']

const requestFor = (kind: Kind): RawRequest =>
  kind === 'form' ? { path: 'sync', form: [['limit', '1']] } : { path: 'sync', query: [['limit', '1']] }

const present = (lab: Lab, kind: Kind, token: string, request = requestFor(kind)): Promise<Reply> =>
  lab.present(request, token, kind === 'header' ? { kind } : { kind })

/** Presents each text in the given way, next to the right token, and expects the stated error (interface 7). */
const expectEachInvalid = async (
  lab: Lab,
  kind: Kind,
  write: (token: string) => Readonly<Record<string, string>>,
): Promise<void> => {
  const token = await (await lab.replica('phone')).token()
  await asSetup('the same request with the right token', async () =>
    readSyncResponse(await present(lab, kind, token), 'a sync'),
  )
  for (const [what, text] of Object.entries(write(token))) {
    if (text === token) continue
    const reply = await present(lab, kind, text)
    const { error, error_description: description } = reply.json ?? {}
    const wanted = ['invalid_grant', 'The access token provided is invalid']
    expectSame([error, description], wanted, `error and error_description for ${what} (${kind})`, reply)
  }
}

const changed = (token: string): Readonly<Record<string, string>> => {
  const middle = Math.floor(token.length / 2)
  const other = token[middle] === 'a' ? 'b' : 'a'
  return {
    'a token with a character more': `${token}x`,
    'a token with many characters more': `${token}${'x'.repeat(300)}`,
    'a token with a full stop and more': `${token}.x`,
    'a token with a character before it': `x${token}`,
    'a token twice': `${token}${token}`,
    'a token without its first character': token.slice(1),
    'the first half of a token': token.slice(0, middle),
    'a token with another character in the middle': `${token.slice(0, middle)}${other}${token.slice(middle + 1)}`,
    'a token with a hyphen in the middle': `${token.slice(0, middle)}-${token.slice(middle)}`,
    'a token with a full stop in the middle': `${token.slice(0, middle)}.${token.slice(middle)}`,
    'a token with another character at its end': `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`,
  }
}

const listInvalidTokens = (lab: Lab): Readonly<Record<string, string>> => ({
  'the word null': 'null',
  'the word undefined': 'undefined',
  'the word true': 'true',
  'the digit 0': '0',
  'a star': '*',
  'a percent sign': '%',
  'a piece of SQL': "' OR '1'='1",
  'the name of the user': lab.target.users[0]?.username ?? 'alice',
  'the client_id': lab.target.clientId,
  'the word __proto__': '__proto__',
  'the word constructor': 'constructor',
})

/** Every part of an upload, in one form. */
const writeAll = (lab: Lab, title: string, changing: string, deleting: string): RawRequest => ({
  path: 'sync',
  form: [
    ['new_thing', JSON.stringify({ local_id: 'a', title })],
    ['changed_thing', JSON.stringify({ _id: changing, title })],
    ['deleted_thing', deleting],
    [`tag[${lab.mark}]`, JSON.stringify({ favorite: true, color: false, todo: false })],
  ],
})

/** Invalid tokens (interface 5.3, 7), presented in each way. */
export const tokenLookalikeRules = coreRulesOf('5.3', [
  ...kinds.map((kind, index) => ({
    id: `TOKEN-AUTH-SIMILAR-0${index + 1}`,
    title: `MUST reject, in the ${kind === 'header' ? 'header' : `${kind === 'query' ? 'GET' : 'form'} parameter`}, every token that is only similar to a valid one`,
    basis: 'implied' as const,
    requirements: ['C-5.3-4', 'C-7-2', 'C-1-4'],
    faults: [
      `token-longer-accepted-in-${kind}`,
      `token-end-unchecked-in-${kind}`,
      `token-contained-in-${kind}`,
      `token-middle-unchecked-in-${kind}`,
      `token-signs-unchecked-in-${kind}`,
    ],
    check: (lab: Lab) => expectEachInvalid(lab, kind, changed),
  })),
  {
    id: 'TOKEN-AUTH-WORD-01',
    title: 'MUST reject words that a language, a query or a user takes for a token',
    basis: 'implied',
    requirements: ['C-5.3-4', 'C-7-2', 'C-1-4'],
    faults: [
      'access-token-never-valid',
      'query-token-never-valid',
      'token-words-accepted',
      'token-pattern-accepted',
      'token-user-name-accepted',
      'token-client-id-accepted',
      'token-inherited-accepted',
      'token-sql-accepted',
      'token-digit-accepted',
    ],
    check: async (lab) => {
      for (const kind of kinds) await expectEachInvalid(lab, kind, () => listInvalidTokens(lab))
    },
  },
  {
    id: 'TOKEN-AUTH-EMPTY-01',
    title: 'MUST reject an empty access token, as the parameter of a GET and of a POST',
    requirements: ['C-1-4', 'C-4.3-3'],
    basis: 'implied',
    faults: ['access-token-never-valid', 'token-empty-accepted-in-query', 'token-empty-accepted-in-form'],
    check: async (lab) => {
      for (const kind of ['query', 'form'] as const) {
        const token = await (await lab.replica('phone')).token()
        await asSetup('the same request with a token', async () =>
          readSyncResponse(await present(lab, kind, token), 'a sync'),
        )
        expectErrorResponse(await present(lab, kind, ''), `the ${kind} parameter access_token is empty`)
      }
    },
  },
  {
    id: 'TOKEN-AUTH-UPLOAD-02',
    title:
      'MUST change nothing at all by an upload with an invalid token, in whichever way it is presented, or without any',
    section: '1',
    requirements: ['C-1-4', 'C-4.3-3'],
    basis: 'implied',
    faults: [
      'invalid-token-changes',
      'invalid-token-deletes',
      'invalid-token-sets-tags',
      'invalid-token-in-form-creates',
      'no-token-deletes',
      'no-token-creates',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const before = lab.unique()
      const [changing = '', deleting = ''] = await phone.createMany([{ title: before }, {}])
      const title = lab.unique()
      const upload = writeAll(lab, title, changing, deleting)
      for (const kind of kinds)
        expectErrorResponse(await present(lab, kind, lab.mark, upload), 'the access token was never issued')
      expectErrorResponse(await lab.request(upload), 'there is no access token')
      const full = await phone.listAll()
      const created = [...full.things.values()].filter(
        (thing) => thing.title === title && thing._id !== changing,
      ).length
      const came = [
        created,
        full.things.get(changing)?.title ?? null,
        full.things.has(deleting),
        full.tags.has(lab.mark),
      ]
      const expected =
        'things created by rejected uploads, the title of one they change, whether one they delete is there, and whether a tag has settings'
      expectSame(came, [0, before, true, false], expected, full)
    },
  },
  {
    id: 'TOKEN-AUTH-WAYS-01',
    title: 'MUST take the access token in each way for an upload, and work on the same account',
    requirements: ['C-5.3-1', 'C-5.3-3', 'C-4.3-2'],
    basis: 'implied',
    faults: [
      'header-token-rejected-with-upload',
      'form-token-rejected-with-upload',
      'form-token-other-account',
      'header-token-read-only',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const token = await phone.token()
      const titles = [lab.unique(), lab.unique()]
      for (const [index, kind] of (['header', 'form'] as const).entries()) {
        const title = titles[index] ?? ''
        await present(lab, kind, token, {
          path: 'sync',
          form: [
            ['from', `${from}`],
            ['new_thing', JSON.stringify({ local_id: title, title })],
          ],
        })
      }
      const response = await phone.sync({ from })
      const listed = new Set([...response.things.values()].map((thing) => thing.title))
      expect(
        titles.every((title) => listed.has(title)),
        `things titled ${titles.join(' and ')}`,
        showValue([...listed]),
        response,
      )
    },
  },
])

const look = { path: 'sync', query: [['limit', '1']] } as const

const expectHeaders = async (lab: Lab, templates: readonly string[]): Promise<void> => {
  const token = await (await lab.replica('phone')).token()
  for (const template of templates) {
    const reply = await lab.present(look, token, { kind: 'header', template })
    const expected = `a sync response, because the token is valid and the header reads Authorization: ${template}`
    expect(isSyncResponse(reply), expected, describeReply(reply), reply)
  }
}

const header: TokenPresentation = { kind: 'header', template: 'Bearer {token}' }
const ways: readonly TokenPresentation[] = [header, { kind: 'query' }, { kind: 'form' }]
const pairsOfWays: readonly (readonly [TokenPresentation, TokenPresentation])[] = [
  [header, { kind: 'query' }],
  [header, { kind: 'form' }],
  [{ kind: 'query' }, { kind: 'form' }],
]

/** Rules of section 5.3: the forms of the header, and the errors (contract, the access token). */
export const presentationRules: readonly Rule[] = [
  extensionRule({
    id: 'TOKEN-HEADER-BEARER-01',
    title: 'MUST take the header token as Bearer T',
    section: '5.3',
    requirements: ['K-token-1'],
    faults: ['bearer-rejected'],
    check: (lab) => expectHeaders(lab, ['Bearer {token}', 'bearer {token}']),
  }),
  extensionRule({
    id: 'TOKEN-HEADER-SCHEME-01',
    title: 'MUST take the header token as OAuth T',
    section: '5.3',
    requirements: ['K-token-1'],
    faults: ['oauth-scheme-rejected'],
    check: (lab) => expectHeaders(lab, ['OAuth {token}']),
  }),
  extensionRule({
    id: 'TOKEN-HEADER-SCHEME-02',
    title: 'MUST take the header token as Token T',
    section: '5.3',
    requirements: ['K-token-1'],
    faults: ['token-scheme-rejected'],
    check: (lab) => expectHeaders(lab, ['Token {token}']),
  }),
  extensionRule({
    id: 'TOKEN-HEADER-PAIR-01',
    title: 'MUST take the header token as name=T, with or without a word before it',
    section: '5.3',
    requirements: ['K-token-1'],
    faults: ['named-token-rejected'],
    check: (lab) => expectHeaders(lab, ['access_token={token}', 'access-token={token}', 'Bearer access_token={token}']),
  }),
  extensionRule({
    id: 'TOKEN-HEADER-PAIR-02',
    title: 'MUST take the header token as name=T with quotes around it',
    section: '5.3',
    requirements: ['K-token-1'],
    faults: ['quoted-token-rejected'],
    check: (lab) => expectHeaders(lab, ['access_token="{token}"', 'access-token="{token}"']),
  }),
  extensionRule({
    id: 'TOKEN-ACCESS-TWICE-02',
    title: 'MUST reject different tokens that are given in more than one way',
    section: '5.3',
    requirements: ['K-token-2'],
    faults: ['two-tokens-accepted'],
    check: async (lab) => {
      const token = await (await lab.replica('phone')).token()
      const another = await (await lab.replica('laptop')).token()
      for (const [one, other] of pairsOfWays) {
        const reply = await lab.request(presentToken(presentToken(look, token, one), another, other))
        expectError(reply, 400, 'invalid_request', `one token came as ${one.kind} and another as ${other.kind}`)
      }
    },
  }),
  extensionRule({
    // Generated clients fill in every scheme that a document offers.
    id: 'TOKEN-ACCESS-TWICE-03',
    title: 'MUST take the same token given in more than one way',
    section: '5.3',
    requirements: ['K-token-2'],
    faults: ['same-token-twice-rejected'],
    check: async (lab) => {
      const token = await (await lab.replica('phone')).token()
      for (const [one, other] of pairsOfWays) {
        const reply = await lab.request(presentToken(presentToken(look, token, one), token, other))
        const expected = `a sync response, because the same valid token came as ${one.kind} and as ${other.kind}`
        expect(isSyncResponse(reply), expected, describeReply(reply), reply)
      }
    },
  }),
  extensionRule({
    id: 'TOKEN-ACCESS-MISSING-01',
    title: 'MUST respond to a request without a token with 401 invalid_request and WWW-Authenticate',
    section: '5.3',
    requirements: ['K-token-3'],
    faults: ['missing-token-other-code', 'invalid-token-no-www-authenticate'],
    check: async (lab) => {
      const reply = await lab.request({ path: 'sync' })
      expectError(reply, 401, 'invalid_request', 'no token was given')
      expectChallenge(reply.headers['www-authenticate'], 'no token was given', reply)
    },
  }),
  extensionRule({
    id: 'TOKEN-ACCESS-INVALID-01',
    title: 'MUST respond to an invalid token with 401 invalid_grant, given any way',
    section: '7',
    requirements: ['K-token-3'],
    faults: ['invalid-token-status-400'],
    check: async (lab) => {
      for (const way of ways) {
        const reply = await lab.present({ path: 'sync' }, lab.mark, way)
        expectError(reply, 401, 'invalid_grant', `the ${way.kind} token was never issued`)
      }
    },
  }),
  extensionRule({
    id: 'TOKEN-ACCESS-INVALID-02',
    title: 'MUST send WWW-Authenticate: Bearer with the error for an invalid token',
    section: '7',
    requirements: ['K-token-3'],
    faults: ['invalid-token-no-www-authenticate'],
    check: async (lab) => {
      for (const way of ways) {
        const reply = await lab.present({ path: 'sync' }, lab.mark, way)
        expectChallenge(reply.headers['www-authenticate'], `the ${way.kind} token was never issued`, reply)
      }
    },
  }),
  extensionRule({
    id: 'TOKEN-ACCESS-FIRST-02',
    title: 'MUST check the token before the parameters',
    section: '5.3',
    requirements: ['K-token-4'],
    faults: ['parameters-before-token'],
    check: async (lab) => {
      const parameters = { path: 'sync', query: [['from', 'abc']] } as const
      const wrong = await lab.present(parameters, lab.mark, { kind: 'header', template: 'Bearer {token}' })
      expectError(wrong, 401, 'invalid_grant', 'the token is checked before from=abc')
    },
  }),
  extensionRule({
    // The body of an unauthenticated client must cost nothing: the server does not decode it.
    id: 'TOKEN-ACCESS-FIRST-03',
    title: 'MUST check a token in header or query before the body',
    section: '5.3',
    requirements: ['K-token-4'],
    faults: ['body-before-token'],
    check: async (lab) => {
      const headers = { 'content-type': 'text/plain' }
      const request = { method: 'POST', path: 'sync', headers, body: 'no form' } as const
      for (const way of [header, { kind: 'query' }] as const) {
        const reply = await lab.present(request, lab.mark, way)
        expectError(reply, 401, 'invalid_grant', `the ${way.kind} token is checked before a body that is text/plain`)
      }
    },
  }),
]

const expectChallenge = (header: string | undefined, because: string, at: Parameters<typeof expect>[3]): void =>
  expect(
    /^Bearer\b/i.test(header ?? ''),
    `the header WWW-Authenticate: Bearer …, because ${because}`,
    `it reads ${header ?? '(absent)'}`,
    at,
  )
