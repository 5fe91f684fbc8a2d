/*
 * Rules of the profile `replica` about what goes wrong: lost responses, broken connections, kills, expired tokens and
 * responses of other programs. Only the account counts: nothing twice, nothing lost. Start reading at `lostRules`.
 */
import { showValue } from '../../encoding.ts'
import { rightServer } from '../../model/behavior.ts'
import { arrivalOf, type ClientLab, expectThat, lastExchange, type ReplicaDevice, showError } from '../client-lab.ts'
import { clientRulesOf } from '../client-rule.ts'
import { expectConverged } from '../converge.ts'
import type { ScriptedServer } from '../scripted-server.ts'
import {
  type Act,
  cutBody,
  isRefresh,
  isUpload,
  loseRequest,
  loseResponse,
  pass,
  rejectToken,
  respondWith,
  type WireRequest,
} from '../wire.ts'
import { expectNoSecretInUrls, placesOf } from './api-tokens.ts'
import { expectTitles } from './replica-edits.ts'
import { rejectingUnknown } from './replica-listings.ts'

const isSync = ({ path }: WireRequest): boolean => path === 'sync'

/** What can happen to an upload, and what it is called. */
export const losses: readonly (readonly [how: string, act: Act])[] = [
  ['the response was lost after the commit', loseResponse],
  ['the request was lost before the commit', loseRequest],
  ['the connection broke before the first byte of the body', cutBody(0)],
  ['the connection broke in the middle of the body', cutBody(0.5)],
  ['the connection broke before the last byte of the body', cutBody(0.98)],
]

/** A server with three things, and a replica that has synced. */
export interface Prepared {
  readonly server: ScriptedServer
  readonly phone: ReplicaDevice
}

/** Opens a replica with two things of its own, "mine" and "gone", and one of another device, "theirs". */
export async function prepare(
  lab: ClientLab,
  behavior: Parameters<ClientLab['openServer']>[0] = {},
): Promise<Prepared> {
  const server = await lab.openServer(behavior)
  const other = await server.device()
  await other.create({ title: 'theirs', date: 1_700_000_000 })
  const phone = await lab.replica(server)
  for (const title of ['mine', 'gone']) await phone.create({ title, date: 1_700_000_000 })
  await phone.sync()
  return { server, phone }
}

/** Creates two things, changes two and deletes one. */
export async function edit(phone: ReplicaDevice): Promise<void> {
  await phone.create({ title: 'new 1', date: 1_700_000_001 })
  await phone.create({ title: 'new 2', date: 1_700_000_002 })
  await phone.change(await phone.refOf('mine'), { title: 'mine changed' })
  await phone.change(await phone.refOf('theirs'), { title: 'theirs changed' })
  await phone.remove(await phone.refOf('gone'))
}

/** The titles in the account after `edit`. */
export const edited = ['new 1', 'new 2', 'mine changed', 'theirs changed']

/** Loses an upload in each way, lets `then` happen, and expects each title once after the next syncs. */
async function afterEachLoss(
  lab: ClientLab,
  then: (prepared: Prepared) => Promise<void>,
  titles: readonly string[],
  what: string,
): Promise<void> {
  for (const [how, act] of losses) {
    const prepared = await prepare(lab)
    const { server, phone } = prepared
    await edit(phone)
    server.wire.once('upload', act)
    await phone.trySync()
    await then(prepared)
    await phone.syncUntilDone('the connection works again')
    await phone.syncUntilDone('the connection works again')
    expectTitles(server, titles, `${how}${what}`)
    await expectConverged(server, phone, `${how}${what}`)
    await lab.reset()
  }
}

/** Rules about uploads whose response does not arrive. */
export const lostRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-LOST-01',
    title: 'MUST upload everything once after a lost response or request',
    requirements: ['D-4.3-8', 'D-7-3'],
    check: async (lab) => afterEachLoss(lab, async () => {}, edited, ''),
  },
  {
    id: 'CLIENT-LOST-02',
    title: 'MUST upload everything once when it is started again after a lost response',
    requirements: ['D-4.3-8', 'D-4.3-9'],
    check: async (lab) =>
      afterEachLoss(
        lab,
        async ({ phone }) => phone.restart(),
        edited,
        ', and the program was killed and started again',
      ),
  },
  {
    id: 'CLIENT-LOST-03',
    title: 'MUST create nothing twice when the user creates more after a lost response',
    requirements: ['D-4.3-8', 'D-4.3-16'],
    check: async (lab) =>
      afterEachLoss(
        lab,
        async ({ phone }) => void (await phone.create({ title: 'new 3', date: 1_700_000_003 })),
        [...edited, 'new 3'],
        ', and the user created another thing',
      ),
  },
  {
    id: 'CLIENT-LOST-04',
    title: 'MUST create nothing twice when the user changes the new thing after a lost response',
    requirements: ['D-4.3-8', 'D-4.3-16'],
    check: async (lab) =>
      afterEachLoss(
        lab,
        async ({ phone }) =>
          phone.change(await phone.refOf('new 1'), { title: 'new 1 changed', html: 'typed after it' }),
        ['new 1 changed', ...edited.slice(1)],
        ', and the user changed the new thing',
      ),
  },
  {
    id: 'CLIENT-LOST-05',
    title: 'MUST delete a new thing whose response was lost, when the user deletes it',
    requirements: ['D-4.3-8', 'D-4.3-16'],
    check: async (lab) =>
      afterEachLoss(
        lab,
        async ({ phone }) => phone.remove(await phone.refOf('new 1')),
        edited.slice(1),
        ', and the user deleted the new thing',
      ),
  },
  {
    id: 'CLIENT-LOST-06',
    title: 'MUST upload everything once when responses are lost again and again',
    requirements: ['D-4.3-8'],
    check: async (lab) => {
      const { server, phone } = await prepare(lab)
      await edit(phone)
      for (let count = 0; count < 3; count += 1) {
        server.wire.once('upload', loseResponse)
        await phone.trySync()
      }
      await phone.syncUntilDone('the connection works again')
      await phone.syncUntilDone('the connection works again')
      expectTitles(server, edited, 'three responses were lost')
      await expectConverged(server, phone, 'three responses were lost')
    },
  },
  {
    id: 'CLIENT-LOST-07',
    title: 'MUST go on after a lost response when another device wrote meanwhile',
    requirements: ['D-4.3-8', 'D-2.3-2'],
    check: async (lab) => {
      const { server, phone } = await prepare(lab)
      await edit(phone)
      server.wire.once('upload', loseResponse)
      await phone.trySync()
      const other = await server.device()
      const mine = server.titled('mine changed')[0] ?? server.titled('mine')[0]
      await other.change(String(mine?._id), { title: 'changed by another' })
      await other.create({ title: 'created by another' })
      await phone.syncUntilDone('the connection works again')
      await phone.syncUntilDone('the connection works again')
      const titles = server.things().map(({ title }) => title)
      const twice = titles.find((title, index) => titles.indexOf(title) !== index)
      expectThat(
        twice === undefined && titles.length === 5,
        'five things, each once',
        `the account has ${showValue(titles)}`,
      )
      await expectConverged(server, phone, 'a response was lost, and another device wrote meanwhile')
    },
  },
  {
    id: 'CLIENT-LOST-08',
    title:
      'SHOULD create a thing at most once more for a lost response, and hold every copy, where the server does not recognize a retry',
    requirements: ['D-4.3-15'],
    check: async (lab) => {
      const { server, phone } = await prepare(lab, { behavior: { rememberedUploads: () => undefined } })
      await edit(phone)
      server.wire.once('upload', loseResponse)
      await phone.trySync()
      for (let count = 0; count < 3; count += 1) await phone.syncUntilDone('the connection works again')
      for (const title of edited) {
        const most = title.startsWith('new') ? 2 : 1
        const { length } = server.titled(title)
        expectThat(
          length >= 1 && length <= most,
          `"${title}" in the account at least once and at most ${most} times, because one response was lost`,
          `the account has it ${length} times`,
          lastExchange(server.wire.exchanges, isUpload),
        )
      }
      await expectConverged(server, phone, 'the response was lost, and the server creates what it gets')
    },
  },
  {
    id: 'CLIENT-LOST-09',
    title: 'MUST go on after a lost response to a deletion that the server then does not know',
    requirements: ['D-4.3-24', 'D-4.3-8'],
    check: async (lab) => {
      const { server, phone } = await prepare(lab, { behavior: rejectingUnknown })
      await phone.remove(await phone.refOf('gone'))
      server.wire.once('upload', loseResponse)
      await phone.trySync()
      await phone.create({ title: 'after it' })
      for (let count = 0; count < 3; count += 1) await phone.trySync()
      await phone.syncUntilDone('the thing is deleted already')
      expectTitles(server, ['mine', 'theirs', 'after it'], 'the deletion was lost and sent again')
      await expectConverged(server, phone, 'the deletion was lost and sent again')
    },
  },
  {
    id: 'CLIENT-LOST-10',
    title: 'MUST upload tag settings after a lost response or request',
    section: '2.2',
    features: ['set-tag'],
    requirements: ['D-4.3-8'],
    check: async (lab) => {
      for (const [how, act] of losses) {
        const { server, phone } = await prepare(lab)
        await phone.setTag('home', { favorite: true, color: '#a1b2c3' })
        server.wire.once('upload', act)
        await phone.trySync()
        await phone.restart()
        await phone.syncUntilDone('the connection works again')
        await expectConverged(server, phone, how)
        const favorite = server.account().tags.get('home')?.settings.favorite
        expectThat(favorite === true, `the tag "home" as a favorite, because ${how}`, 'the account does not have it')
        await lab.reset()
      }
    },
  },
])

/** Responses of something that is not a server of this protocol, or of a server in trouble. */
export const strange: readonly (readonly [how: string, act: Act])[] = [
  ['a page of HTML came', respondWith(200, '<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' })],
  ['an empty object came', respondWith(200, '{}')],
  ['nothing came', respondWith(200, '')],
  ['JSON came that ends early', respondWith(200, '{"pos":9007199254740000,"things":{"new":{"a"')],
  ['a page with status 502 came', respondWith(502, '<html>Bad Gateway</html>', { 'content-type': 'text/html' })],
  [
    'an error came with status 200',
    respondWith(200, { error: 'temporarily_unavailable', error_description: 'later' }, { 'retry-after': '0' }),
  ],
  [
    'an error came with status 500',
    respondWith(500, { error: 'server_error', error_description: 'bug' }, { 'retry-after': '0' }),
  ],
]

/** Rules about responses that are not of this protocol. */
export const strangeRules = clientRulesOf('replica', '7', [
  {
    id: 'CLIENT-STRANGE-01',
    title: 'MUST keep its edits when a response is not of this protocol',
    requirements: ['D-7-2', 'D-4.3-9'],
    check: async (lab) => {
      for (const [how, act] of strange) {
        const { server, phone } = await prepare(lab)
        await edit(phone)
        const stop = server.wire.always('sync', act)
        const { error } = await phone.trySync()
        expectThat(
          error !== undefined && error.kind !== 'internal',
          `an error of sync, because ${how}`,
          `${showError(error)} came`,
          lastExchange(server.wire.exchanges, isSync),
        )
        const titles = (await phone.read()).things.map(({ title }) => title)
        expectThat(
          edited.every((title) => titles.includes(title)),
          `the edits in read, because ${how}`,
          `read lists ${showValue(titles)}`,
        )
        stop()
        await phone.syncUntilDone('the server works again')
        await phone.syncUntilDone('the server works again')
        expectTitles(server, edited, `${how}, and the server worked after that`)
        await expectConverged(server, phone, `${how}, and the server worked after that`)
        await lab.reset()
      }
    },
  },
])

/** Moments of an upload at which the program can be killed. */
const moments: readonly (readonly [when: string, start: (server: ScriptedServer) => Promise<unknown>])[] = [
  [
    'before the server got the upload',
    (server) => {
      server.wire.once('upload', loseRequest)
      return server.wire.arrival('upload')
    },
  ],
  [
    'after the server committed the upload, before the response',
    (server) =>
      new Promise((resolve) => {
        server.wire.once('upload', async (step) => {
          await step.forward()
          resolve(undefined)
          await new Promise((wait) => void setTimeout(wait, 200))
          step.drop('the program was killed before the response')
        })
      }),
  ],
  [
    'in the middle of the response',
    (server) =>
      new Promise((resolve) => {
        server.wire.once('upload', async (step) => {
          const response = await step.forward()
          await step.begin(response, response.body.length)(response.body.subarray(0, 20))
          resolve(undefined)
          await new Promise((wait) => void setTimeout(wait, 200))
          step.drop('the program was killed in the middle of the response')
        })
      }),
  ],
  ...[0, 2, 6].map(
    (ms) =>
      [
        `${ms} ms after the response`,
        (server: ScriptedServer) =>
          new Promise((resolve) => {
            server.wire.once('upload', async (step) => {
              await pass(step)
              setTimeout(() => resolve(undefined), ms)
            })
          }),
      ] as const,
  ),
]

/** Rules about a program that ends at any moment. */
export const killRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-KILL-01',
    title: 'MUST keep an edit whose result it returned, when it is killed',
    requirements: ['D-4.3-9'],
    check: async (lab) => {
      const { server, phone } = await prepare(lab)
      await phone.create({ title: 'new 1' })
      await phone.restart()
      await phone.change(await phone.refOf('mine'), { title: 'mine changed' })
      await phone.restart()
      await phone.remove(await phone.refOf('gone'))
      await phone.restart()
      const { pending } = await phone.state()
      expectThat(pending > 0, 'pending edits after a restart', 'state says that none waits')
      await phone.change(await phone.refOf('new 1'), { html: 'typed after a restart' })
      await phone.restart()
      await phone.sync()
      expectTitles(server, ['new 1', 'mine changed', 'theirs'], 'the program was killed after each edit')
      expectThat(
        server.titled('new 1')[0]?.html === 'typed after a restart',
        'html of the new thing in the account',
        showValue(server.titled('new 1')),
      )
      await expectConverged(server, phone, 'the program was killed after each edit')
    },
  },
  {
    id: 'CLIENT-KILL-02',
    title: 'MUST upload everything once when it is killed at any moment of a sync',
    requirements: ['D-4.3-8', 'D-4.3-9', 'D-2.3-2'],
    maxMs: 180_000,
    check: async (lab) => {
      for (const [when, start] of moments) {
        const { server, phone } = await prepare(lab)
        const other = await server.device()
        await edit(phone)
        await other.create({ title: 'meanwhile' })
        const moment = start(server)
        const outcome = phone.trySync()
        outcome.catch(() => undefined)
        await Promise.race([moment, outcome.catch(() => undefined)])
        await phone.kill()
        await phone.start()
        await phone.syncUntilDone('it was started again')
        await phone.syncUntilDone('it was started again')
        expectTitles(server, [...edited, 'meanwhile'], `the program was killed ${when}`)
        await expectConverged(server, phone, `the program was killed ${when}`)
        await lab.reset()
      }
    },
  },
])

/** A server that takes each refresh token once. */
const refreshOnce = {
  endsReusedSession: false,
  findRequestToken: (...[state, token]: Parameters<typeof rightServer.findRequestToken>) => {
    const found = rightServer.findRequestToken(state, token)
    return found?.session.pairs.some(({ parent }) => parent === found.pair) === true ? undefined : found
  },
}

/** Rules about tokens of an offline client. */
export const replicaTokenRules = clientRulesOf('replica', '5.2', [
  {
    id: 'CLIENT-SESSION-01',
    title: 'MUST refresh an expired access token and continue, and upload once',
    requirements: ['D-5.2-3', 'D-5.1-2'],
    check: async (lab) => {
      const { server, phone } = await prepare(lab, {
        behavior: { tokenResponse: ({ refresh_token: _alias, ...response }) => response },
      })
      for (const step of ['upload', 'listing'] as const) {
        if (step === 'upload') await edit(phone)
        server.expireAccessTokens()
        await phone.sync('the access token expired, and the refresh token is valid')
      }
      expectTitles(server, edited, 'the token expired before the upload')
      await expectConverged(server, phone, 'the token expired twice')
    },
  },
  {
    id: 'CLIENT-SESSION-02',
    title: 'SHOULD NOT send the password again while it has a refresh token',
    section: '5.1',
    requirements: ['D-5.1-3'],
    check: async (lab) => {
      const { server, phone } = await prepare(lab)
      server.expireAccessTokens()
      await phone.sync()
      await phone.restart()
      await phone.sync()
      const grants = server.wire.requests((request) => request.path === 'token' && !isRefresh(request)).length
      expectThat(grants === 1, 'one password grant in all', `${grants} came`)
    },
  },
  {
    id: 'CLIENT-SESSION-03',
    title: 'MUST store both new tokens before it uses one of them',
    features: ['tokens'],
    requirements: ['D-5.2-1'],
    check: async (lab) => {
      const server = await lab.openServer({ behavior: refreshOnce })
      const phone = await lab.replica(server, 'phone', await server.withTokens())
      await phone.sync()
      await phone.create({ title: 'new 1' })
      server.expireAccessTokens()
      const seen = new Set(server.wire.exchanges.map(({ request }) => request.number))
      const isAfterRefresh = (request: WireRequest): boolean =>
        isSync(request) &&
        server.wire.exchanges.some((each) => isRefresh(each.request) && !seen.has(each.request.number))
      const { outcome, arrived } = arrivalOf(server, isAfterRefresh, () => phone.trySync(), 'a sync after a refresh')
      await arrived
      await phone.kill()
      await outcome.catch(() => undefined)
      await phone.start()
      await phone.syncUntilDone('it got new tokens before it was killed, and the server takes each refresh token once')
      await expectConverged(server, phone, 'it was killed when it used its new token')
    },
  },
  {
    id: 'CLIENT-SESSION-04',
    title: 'MUST use its stored tokens after a restart, and not those that it began with',
    features: ['tokens'],
    requirements: ['D-5.2-1'],
    check: async (lab) => {
      const server = await lab.openServer({ behavior: refreshOnce })
      const phone = await lab.replica(server, 'phone', await server.withTokens())
      for (let count = 0; count < 2; count += 1) {
        server.expireAccessTokens()
        await phone.sync('the last refresh token is valid')
        await phone.restart()
        server.expireAccessTokens()
        await phone.sync('the last refresh token is valid, and was stored before a restart')
      }
    },
  },
  {
    id: 'CLIENT-SESSION-05',
    title: 'MUST continue after a lost response to a refresh',
    requirements: ['D-5.2-3'],
    check: async (lab) => {
      for (const act of [loseResponse, cutBody(0.5), loseRequest]) {
        const { server, phone } = await prepare(lab)
        await edit(phone)
        server.expireAccessTokens()
        server.wire.once('token', act)
        await phone.trySync()
        const { lost } = await phone.state()
        expectThat(lost.length === 0, 'nothing in lost', `${showValue(lost)} came`)
        await phone.syncUntilDone('the server accepts the old refresh token until the new pair is used')
        await phone.syncUntilDone('the server works')
        expectTitles(server, edited, 'a response to a refresh was lost')
        await expectConverged(server, phone, 'a response to a refresh was lost')
        await lab.reset()
      }
    },
  },
  {
    id: 'CLIENT-SESSION-06',
    title: 'MUST keep its edits when the user has to sign in again, and say so',
    features: ['tokens'],
    requirements: ['D-5.2-4', 'D-4.3-9'],
    check: async (lab) => {
      const server = await lab.openServer()
      const phone = await lab.replica(server, 'phone', await server.withTokens())
      await phone.sync()
      await phone.create({ title: 'kept' })
      server.endSessions()
      const before = server.wire.exchanges.length
      const { error } = await phone.trySync()
      expectThat(
        error?.kind === 'signed_out',
        'an error of the kind signed_out, because no token is valid',
        `${showError(error)} came`,
      )
      const requests = server.wire.exchanges.length - before
      expectThat(requests <= 8, 'at most 8 requests', `${requests} came`)
      await phone.restart()
      const { things } = await phone.read()
      expectThat(
        things.some(({ title }) => title === 'kept'),
        'the thing "kept" in read',
        `read lists ${showValue(things)}`,
      )
      const { pending } = await phone.state()
      expectThat(pending > 0, 'a pending edit', 'state says that none waits')
    },
  },
  {
    id: 'CLIENT-SESSION-07',
    title: 'MUST NOT take a token endpoint that is busy or broken for a rejected refresh token',
    features: ['tokens'],
    requirements: ['D-5.2-3', 'D-8-2'],
    check: async (lab) => {
      for (const [how, act] of [
        ['429', respondWith(429, { error: 'slow_down', error_description: 'later' }, { 'retry-after': '0' })],
        [
          '503',
          respondWith(503, { error: 'temporarily_unavailable', error_description: 'later' }, { 'retry-after': '0' }),
        ],
        ['a page of HTML', respondWith(502, '<html>Bad Gateway</html>', { 'content-type': 'text/html' })],
        ['no response', loseRequest],
      ] as const) {
        const server = await lab.openServer()
        const phone = await lab.replica(server, 'phone', await server.withTokens())
        await phone.sync()
        await phone.create({ title: 'new 1' })
        server.expireAccessTokens()
        const stop = server.wire.always('token', act)
        const { error } = await phone.trySync()
        expectThat(
          error !== undefined && error.kind !== 'signed_out' && error.kind !== 'internal',
          `an error of another kind than signed_out, because the token endpoint responded with ${how}`,
          `${showError(error)} came`,
        )
        stop()
        await phone.syncUntilDone('the token endpoint works again, and the refresh token is valid')
        expectTitles(server, ['new 1'], 'the token endpoint works again')
        await lab.reset()
      }
    },
  },
  {
    id: 'CLIENT-SESSION-08',
    title: 'MUST end when every access token is rejected, and keep its edits',
    requirements: ['D-5.2-4'],
    check: async (lab) => {
      const { server, phone } = await prepare(lab)
      await edit(phone)
      const stop = server.wire.always('sync', rejectToken)
      const before = server.wire.exchanges.length
      const { error } = await phone.trySync()
      expectThat(error !== undefined && error.kind !== 'internal', 'an error of sync', `${showError(error)} came`)
      const requests = server.wire.exchanges.length - before
      expectThat(requests <= 20, 'at most 20 requests', `${requests} came`)
      stop()
      await phone.syncUntilDone('the server accepts tokens again')
      expectTitles(server, edited, 'the server accepts tokens again')
    },
  },
  {
    id: 'CLIENT-SESSION-09',
    title: 'MUST present its token in one way, and no secret in a URL',
    section: '5.3',
    requirements: ['D-5.3-1', 'D-5.3-2'],
    check: async (lab) => {
      const { server, phone } = await prepare(lab)
      await edit(phone)
      server.expireAccessTokens()
      await phone.sync()
      expectNoSecretInUrls(server)
      const pairs = server.model.state.sessions.flatMap((session) => session.pairs)
      for (const exchange of server.wire.exchanges.filter(({ request }) => isSync(request))) {
        const places = pairs.flatMap(({ access }) => placesOf(exchange.request, access))
        expectThat(
          places.length === 1,
          'an access token in one place of the request',
          `it is in ${places.join(' and ') || 'none'}`,
          exchange,
        )
      }
      expectThat(server.wire.requests('upload').every(isUpload), 'uploads', 'none came')
    },
  },
])
