/*
 * Generated cases of several clients and of the lifetime of tokens (interface 1, 5.1, 5.3, 8): what one client may do
 * with the credentials and tokens of another, and when and how a token ends. The rules of several clients need
 * `--other-client`; the rules of lifetimes need a server whose access tokens are valid for seconds.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { readAccessToken } from '../access-tokens.ts'
import type { RawRequest, Reply } from '../client.ts'
import type { Pair } from '../encoding.ts'
import { expectCreated, expectErrorResponse, expectSame, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import { asSetup, Skipped } from '../result.ts'
import { coreRulesOf, extensionRule, type Rule } from '../rule.ts'
import { isSyncResponse, readSyncResponse } from '../sync-messages.ts'
import { expectError } from './operation-steps.ts'
import { graceSeconds, readLifetimeSeconds, readRequestToken, refresh, takeGrant } from './token-responses-5-2.ts'

/** Parameters of the token endpoint that name a client. */
interface ClientParameters extends Record<string, string> {
  readonly client_id: string
  readonly client_secret: string
}

/** Returns the parameters of both clients. @throws Skipped without a second client. */
const readClients = (lab: Lab): { readonly own: ClientParameters; readonly other: ClientParameters } => {
  const { clientId, clientSecret } = lab.otherClient()
  return {
    own: { client_id: lab.target.clientId, client_secret: lab.target.clientSecret },
    other: { client_id: clientId, client_secret: clientSecret },
  }
}

const fullSync = { path: 'sync', query: [['from', '0']] } as const

const syncFrom = async (lab: Lab, token: string, what: string) =>
  readSyncResponse(await lab.openSync(token, fullSync), what)

/** Several clients of one user (interface 1: an application is registered, with an ID and a secret of its own). */
export const severalClientRules = coreRulesOf('5.1', [
  {
    id: 'TOKEN-OTHER-01',
    title: 'MUST give each registered client tokens of the same account, by password and by refresh',
    requirements: ['C-5.1-1', 'C-5.1-2', 'C-1-2'],
    basis: 'implied',
    faults: ['other-client-rejected', 'other-client-own-account', 'other-client-refresh-rejected'],
    check: async (lab) => {
      const { other } = readClients(lab)
      const id = await (await lab.replica('phone')).create()
      const expectAccount = async (reply: Reply, how: string): Promise<void> => {
        const response = await syncFrom(lab, readAccessToken(reply), `a sync of the second client after ${how}`)
        expectThing(response, id, 'the same user created it with the first client')
      }
      const granted = await lab.token(other)
      await expectAccount(granted, 'a password grant')
      // A refresh may end the token of the grant.
      await expectAccount(await refresh(lab, readRequestToken(granted), other), 'a refresh')
    },
  },
  {
    id: 'TOKEN-OTHER-02',
    title: 'MUST reject the ID of one client with the secret of another, in every grant',
    requirements: ['C-5.1-3'],
    basis: 'implied',
    faults: [
      'secret-of-any-client',
      'grant-with-secret-of-any-client',
      'refresh-with-secret-of-any-client',
      'secret-of-first-client-for-all',
    ],
    check: async (lab) => {
      const { own, other } = readClients(lab)
      if (own.client_secret === other.client_secret) throw new Skipped('both clients have the same secret')
      const first = await asSetup('a grant', async () => readRequestToken(await lab.token(own)))
      const second = await asSetup('a grant of the second client', async () => readRequestToken(await lab.token(other)))
      const mixed = [
        { client_id: own.client_id, client_secret: other.client_secret },
        { client_id: other.client_id, client_secret: own.client_secret },
      ]
      for (const client of mixed) {
        const because = `client_id is ${client.client_id}, and client_secret is the secret of the other client`
        expectErrorResponse(await lab.token(client), because)
        const token = client.client_id === own.client_id ? first : second
        expectErrorResponse(await refresh(lab, token, client), because)
      }
    },
  },
  {
    // OAuth 2.0 binds a refresh token to the client that it was issued to (RFC 6749, 6 and 10.4).
    id: 'TOKEN-OTHER-03',
    title: 'MUST reject a refresh with the refresh token of another client',
    requirements: ['C-5.1-3'],
    basis: 'implied',
    faults: ['refresh-token-of-any-client', 'refresh-token-of-first-client-for-all', 'other-client-refresh-rejected'],
    check: async (lab) => {
      const { own, other } = readClients(lab)
      for (const [owner, presenter] of [
        [own, other],
        [other, own],
      ] as const) {
        const [used, taken] = [await lab.token(owner), await lab.token(owner)].map((reply) => readRequestToken(reply))
        readAccessToken(await refresh(lab, used ?? '', owner))
        const because = `the token was issued to ${owner.client_id}, and ${presenter.client_id} presents it`
        expectErrorResponse(await refresh(lab, taken ?? '', presenter), because)
      }
    },
  },
  {
    id: 'TOKEN-OTHER-04',
    title: 'MUST NOT end the tokens of one client when another client of the same user is granted or refreshed',
    requirements: ['C-5.2-6', 'C-8-1', 'C-5.1-2'],
    basis: 'implied',
    faults: [
      'grant-ends-other-clients',
      'refresh-ends-other-clients',
      'one-session-for-each-user',
      'grant-ends-refresh-tokens-of-first-client',
      'grant-ends-refresh-tokens-of-second-client',
    ],
    check: async (lab) => {
      const { own, other } = readClients(lab)
      const first = await asSetup('a grant', () => lab.token(own))
      const second = await asSetup('a grant of the second client', () => lab.token(other))
      const third = await asSetup('a refresh of the second client', () => refresh(lab, readRequestToken(second), other))
      const fourth = await asSetup('another grant of the first client', () => lab.token(own))
      for (const [reply, whose] of [
        [first, 'the first client'],
        [third, 'the second client, refreshed'],
        [fourth, 'the first client, granted later'],
      ] as const) {
        await syncFrom(lab, readAccessToken(reply), `a sync with the token of ${whose}`)
      }
      readAccessToken(await refresh(lab, readRequestToken(first), own))
      readAccessToken(await refresh(lab, readRequestToken(third), other))
    },
  },
  {
    id: 'TOKEN-OTHER-05',
    title: 'MUST keep the uploads of two clients apart that use the same local_id from the same position',
    section: '4.3',
    requirements: ['C-4.3-22', 'C-4.3-5'],
    basis: 'implied',
    faults: ['local-ids-of-all-clients', 'local-ids-give-fields-of-others', 'incremental-of-one-client'],
    check: async (lab) => {
      const { other } = readClients(lab)
      const phone = await lab.replica('phone')
      const token = readAccessToken(await asSetup('a grant of the second client', () => lab.token(other)))
      await phone.create()
      const from = await phone.position()
      const upload = (title: string): Pair[] => [
        ['from', `${from}`],
        ['new_thing', JSON.stringify({ local_id: 'same', title })],
      ]
      const titles = [lab.unique(), lab.unique()] as const
      const mine = readSyncResponse(await phone.send({ path: 'sync', form: upload(titles[0]) }), 'an upload')
      const what = 'an upload of the second client'
      const theirs = readSyncResponse(await lab.openSync(token, { path: 'sync', form: upload(titles[1]) }), what)
      const ids = [expectCreated(mine, 'same'), expectCreated(theirs, 'same')]
      const reply = await lab.openSync(token, { path: 'sync', query: [['from', `${from}`]] })
      const incremental = readSyncResponse(reply, 'an incremental sync of the second client')
      for (const [index, id] of ids.entries()) {
        const { title } = expectThing(incremental, id, 'one of the clients created it')
        expectSame(title, titles[index], `the title that its client gave the thing ${id}`, incremental)
      }
    },
  },
])

const firstPage = [['limit', '1']] as const

/** Each way to present a token, also in the query of a POST. */
const presentations: Readonly<Record<string, (lab: Lab, token: string) => Promise<Reply>>> = {
  'in the header': (lab, token) => lab.present({ path: 'sync', query: firstPage }, token, { kind: 'header' }),
  'as a GET parameter': (lab, token) => lab.present({ path: 'sync', query: firstPage }, token, { kind: 'query' }),
  'as a form parameter': (lab, token) => lab.present({ path: 'sync', form: firstPage }, token, { kind: 'form' }),
}

/** An upload by POST with the token in the query; whether that is a way to present it, the interface leaves open. */
const postWithQueryToken = (lab: Lab, token: string, title: string): Promise<Reply> => {
  const request: RawRequest = {
    method: 'POST',
    path: 'sync',
    query: [['access_token', token]],
    form: [['new_thing', JSON.stringify({ local_id: 'q', title })]],
  }
  return lab.request(request)
}

/** Expects a token to be accepted in every way, unless its lifetime may be over by the time of the response. */
const expectAccepted = async (lab: Lab, token: string, grantedAt: number, seconds: number): Promise<void> => {
  for (const [how, send] of Object.entries(presentations)) {
    const reply = await send(lab, token)
    const ageSeconds = (performance.now() - grantedAt) / 1000
    if (isSyncResponse(reply)) continue
    if (ageSeconds > seconds * 0.9) throw new Skipped(`the server's access tokens expired before they could be checked`)
    readSyncResponse(
      reply,
      `a sync with a token (${how}) that is valid for ${seconds} s, after ${ageSeconds.toFixed(1)} s,`,
    )
  }
}

/** Lifetimes of access tokens (interface 8); only lifetimes of a few seconds can be checked. */
export const tokenLifetimeRules = coreRulesOf('8', [
  {
    id: 'TOKEN-LIFE-01',
    title: 'MUST accept an access token in every way of presenting it, as long as its expires_in says',
    requirements: ['C-8-1', 'C-5.3-1', 'C-5.3-2', 'C-5.3-3'],
    faults: ['token-ends-at-once', 'token-lives-half-as-long', 'token-lives-half-as-long-in-query'],
    waits: true,
    check: async (lab) => {
      const grantedAt = performance.now()
      const { reply, token } = await asSetup('a grant', () => takeGrant(lab))
      const seconds = readLifetimeSeconds(reply)
      for (const share of [0.25, 0.6, 0.75]) {
        const waitMs = share * seconds * 1000 - (performance.now() - grantedAt)
        if (waitMs > 0) await pause(waitMs)
        await expectAccepted(lab, token, grantedAt, seconds)
      }
    },
  },
  {
    id: 'TOKEN-LIFE-02',
    title: 'MUST NOT make the life of an access token longer when it is used or when its session is refreshed',
    requirements: ['C-8-1', 'C-7-2'],
    faults: ['token-renewed-by-use', 'token-renewed-by-query-use', 'token-renewed-by-refresh'],
    waits: true,
    check: async (lab) => {
      const grantedAt = performance.now()
      const { reply, token } = await asSetup('a grant', () => takeGrant(lab))
      const seconds = readLifetimeSeconds(reply)
      await asSetup('a refresh', async () => readAccessToken(await refresh(lab, readRequestToken(reply))))
      for (const share of [0.3, 0.6, 0.8]) {
        const waitMs = share * seconds * 1000 - (performance.now() - grantedAt)
        if (waitMs > 0) await pause(waitMs)
        for (const send of Object.values(presentations)) await send(lab, token)
      }
      const leftMs = (seconds + graceSeconds) * 1000 - (performance.now() - grantedAt)
      if (leftMs > 0) await pause(leftMs)
      for (const [how, send] of Object.entries(presentations)) {
        expectErrorResponse(
          await send(lab, token),
          `its expires_in of ${seconds} s is over, although it was used (${how})`,
        )
      }
    },
  },
  {
    id: 'TOKEN-LIFE-03',
    title: 'MUST NOT apply an upload by POST whose token in the query has expired',
    requirements: ['C-8-1', 'C-1-4'],
    faults: ['token-in-query-of-post-unlimited', 'expired-upload-applied'],
    waits: true,
    check: async (lab) => {
      const { reply, token } = await asSetup('a grant', () => takeGrant(lab))
      const seconds = readLifetimeSeconds(reply)
      await pause((seconds + graceSeconds) * 1000)
      const title = lab.unique()
      expectErrorResponse(await postWithQueryToken(lab, token, title), `its expires_in of ${seconds} s is over`)
      const full = await (await lab.replica('phone')).listAll()
      const titled = [...full.things].filter(([, thing]) => thing.title === title).map(([id]) => id)
      expectSame(titled, [], 'things from the upload with an expired token', full)
    },
  },
  {
    id: 'TOKEN-LIFE-04',
    title: 'MUST accept a refresh after the access token has expired, and give a token that opens sync',
    section: '5.1',
    requirements: ['C-5.1-2', 'C-8-1'],
    basis: 'implied',
    faults: ['refresh-token-expires-with-access', 'refreshed-token-expires-with-first'],
    waits: true,
    check: async (lab) => {
      const { reply } = await asSetup('a grant', () => takeGrant(lab))
      const seconds = readLifetimeSeconds(reply)
      await pause((seconds + graceSeconds) * 1000)
      const again = await refresh(lab, readRequestToken(reply))
      const token = readAccessToken(again)
      readSyncResponse(await lab.openSync(token), `a sync with the token of a refresh ${seconds} s after the grant`)
    },
  },
  {
    // Whatever a server does with a valid token there: an invalid one opens nothing.
    id: 'TOKEN-POSTQUERY-01',
    title: 'MUST reject an invalid token in the query of a POST, and apply nothing',
    section: '5.3',
    requirements: ['C-5.3-4', 'C-1-4'],
    basis: 'implied',
    faults: ['token-in-query-of-post-unchecked', 'invalid-token-upload-applied', 'incremental-omits-created'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const title = lab.unique()
      const token = `${await phone.token()}x`
      expectErrorResponse(await postWithQueryToken(lab, token, title), 'a token with one more letter was never issued')
      const id = await phone.create()
      const incremental = await (await lab.replica('laptop')).sync({ from })
      expectThing(incremental, id, 'phone created it with a valid token')
      const titled = [...incremental.things].filter(([, thing]) => thing.title === title).map(([other]) => other)
      expectSame(titled, [], 'things from the upload with an invalid token', incremental)
    },
  },
])

const revoke = (lab: Lab, client: ClientParameters, token: string): Promise<Reply> =>
  lab.request({ path: 'revoke', form: [...Object.entries(client), ['token', token]] })

/** Rules of section 5: revocation by several clients (contract, token; RFC 7009, 2.1). */
export const revocationRules: readonly Rule[] = [
  extensionRule({
    id: 'GRANT-REVOKE-02',
    title: 'MUST NOT end a session for a revocation by another client, or with a wrong secret',
    section: '5.2',
    requirements: ['K-grant-4'],
    faults: ['revoke-by-any-client', 'revoke-with-any-secret', 'revoke-by-any-client-ends-refresh'],
    check: async (lab) => {
      const { own, other } = readClients(lab)
      const granted = await asSetup('a grant', () => lab.token(own))
      const [access, request] = [readAccessToken(granted), readRequestToken(granted)]
      await revoke(lab, other, request)
      await revoke(lab, other, access)
      await revoke(lab, { ...own, client_secret: lab.mark }, request)
      await syncFrom(lab, access, 'a sync with a token that another client tried to revoke')
      readAccessToken(await refresh(lab, request, own))
    },
  }),
  extensionRule({
    id: 'GRANT-REVOKE-03',
    title: 'MUST end one session of a client by a revocation, and no other session of the user',
    section: '5.2',
    requirements: ['K-grant-4'],
    faults: ['revoke-ends-all-of-user', 'revoke-ends-all-of-client', 'revoke-access-only', 'revoke-refresh-only'],
    check: async (lab) => {
      const { own, other } = readClients(lab)
      const [first, second] = [await lab.token(own), await lab.token(own)]
      const third = await asSetup('a grant of the second client', () => lab.token(other))
      await revoke(lab, own, readAccessToken(first))
      expectError(await lab.openSync(readAccessToken(first)), 401, 'invalid_grant', 'its client revoked it')
      expectError(await refresh(lab, readRequestToken(first), own), 400, 'invalid_grant', 'its session was revoked')
      for (const [reply, whose] of [
        [second, 'another session of the client'],
        [third, 'the second client'],
      ] as const) {
        await syncFrom(lab, readAccessToken(reply), `a sync of ${whose} after the revocation`)
      }
    },
  }),
]
