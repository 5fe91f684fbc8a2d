import type { Account, Accounts } from './accounts.ts'
import { type AttackedServer, userNames } from './attacked-server.ts'
import { type Exchange, openConnection, type Response, type Sending } from './connection.ts'
import type { Random } from './hostile-requests.ts'
import { type Draft, writeRequest } from './hostile-requests.ts'
import { allTargets, createRequests } from './requests.ts'

/** The parameters of an attack. */
export interface AttackPlan {
  readonly seed: number
  /** Numbers of the requests: from `first` to `end` - 1. */
  readonly first: number
  readonly end: number
  /** Port for the requests; the server's own port unless given. */
  readonly port?: number
  /** Called from time to time with the number of sent requests. */
  readonly onProgress?: (sent: number) => void
}

/** An event that must never happen. `number`: number of the request, if there is one. */
export interface Violation {
  readonly number?: number
  readonly what: string
}

/** The counts of the requests to one operation or page. */
export interface TargetCounts {
  sent: number
  /** Number of responses with 2xx or 3xx. */
  reached: number
  statuses: Map<string, number>
}

/** The result of an attack. */
export interface AttackResult {
  readonly violations: readonly Violation[]
  readonly sent: number
  /** Number of requests with a credential that was valid. */
  readonly credentialed: number
  readonly renewals: number
  /** Counts by the first digit of the status; `none` without a response. */
  readonly classes: ReadonlyMap<string, number>
  readonly targets: ReadonlyMap<string, TargetCounts>
  readonly slowest: readonly { readonly milliseconds: number; readonly number: number; readonly what: string }[]
  readonly seconds: number
  /** Number of bodies that the webhook receiver got. */
  readonly delivered: number
}

/** Number of concurrent requests. */
const connectionCount = 12
const timeoutMs = 20_000
/** Timeout for responses without an end, or requests whose end the server cannot see. */
const shortTimeoutMs = 250
const tidyEvery = 3_000
const maxViolations = 50
/** Number of requests after which an unreached page or operation is not a coincidence. */
const enoughToReach = 20_000

/** There is no identity provider. A link works once, and only until the next one: some seeds use none in time. */
const unreachable: ReadonlySet<string> = new Set([
  'GET /sign-in/provider',
  'GET /sign-in/provider/back',
  'GET /link',
  'POST /link',
])

/** Pages on which an administrator may read all data of a user. */
const readsAnyone: ReadonlySet<string> = new Set(['GET /admin/users/:id/export'])

const markers = /MARKER-([a-z]+)-[0-9a-f]{12}-END/g

const describe = (draft: Draft): string => {
  const changes = draft.mutations.length === 0 ? 'unchanged' : draft.mutations.join(', ')
  return `${draft.target} as ${draft.account?.name ?? 'nobody'}, ${changes}`
}

const isSentToSignIn = ({ headers }: Response): boolean => headers.get('location')?.[0]?.startsWith('/sign-in') === true

/** Returns bytes that are not HTTP, or nearly HTTP. */
const breakBytes = (bytes: Buffer, random: Random): Buffer => {
  const way = random.below(8)
  if (way === 0)
    return Buffer.from(
      random.pick([
        '\x16\x03\x01',
        'GET\r\n\r\n',
        '\r\n'.repeat(500),
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
        'A'.repeat(70_000),
      ]),
    )
  if (way === 1)
    return Buffer.from(
      bytes.toString('latin1').replace('HTTP/1.1', random.pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'http/1.1', ''])),
      'latin1',
    )
  if (way === 2) return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
  if (way === 3) return bytes.subarray(0, random.below(bytes.length))
  if (way === 4)
    return Buffer.from(
      bytes
        .toString('latin1')
        .replace(
          /content-length: \d+/,
          random.pick([
            'content-length: -1',
            'content-length: 1e3',
            'content-length: 99999999999999999999',
            'content-length: 5\r\ncontent-length: 6',
            'content-length: 5\r\ntransfer-encoding: chunked',
            'transfer-encoding: gzip, chunked',
            'content-length: 0x10',
          ]),
        ),
      'latin1',
    )
  if (way === 5)
    return Buffer.from(
      bytes
        .toString('latin1')
        .replace(' /', random.pick([' http://elsewhere.example/', ' *', ' //', ' http:', ' ///', ' /\u0000', ' #/'])),
      'latin1',
    )
  if (way === 6)
    return Buffer.from(bytes.toString('latin1').replace('\r\n', `\r\n${'x: y\r\n'.repeat(1_100)}`), 'latin1')
  const changed = Buffer.from(bytes)
  for (let count = 1 + random.below(4); count > 0; count -= 1) changed[random.below(changed.length)] = random.below(256)
  return changed
}

/**
 * Sends the requests of a plan, several at once, as users with valid credentials, and checks every response. It reports
 * violations in the result, and does not throw for them.
 */
export const runAttack = async (
  server: AttackedServer,
  accounts: Accounts,
  plan: AttackPlan,
): Promise<AttackResult> => {
  const { seed, first, end, port = server.port, onProgress } = plan
  const requests = createRequests(server, accounts, seed)
  const violations: Violation[] = []
  const classes = new Map<string, number>()
  const targets = new Map<string, TargetCounts>()
  const slowest: { milliseconds: number; number: number; what: string }[] = []
  const [logBefore, deliveredBefore, renewalsBefore] = [
    server.errors.length,
    server.received.length,
    accounts.countRenewals(),
  ]
  const before = await accounts.readReader()
  let [credentialed, next, begun] = [0, first, performance.now()]

  // Repeated violations are reported once. Lines of the log differ only in times and request ids.
  const known = new Set<string>()
  const report = (violation: Violation): void => {
    const key = violation.what
      .replace(/ as [a-z]+, .*/s, '')
      .replace(/"(time|requestId)":"[^"]*"/g, '')
      .slice(0, 500)
    if (known.has(key) || violations.length >= maxViolations) return
    known.add(key)
    violations.push(violation)
  }
  const count = (map: Map<string, number>, key: string): void => void map.set(key, (map.get(key) ?? 0) + 1)
  const noteStatus = (target: string, status: number | undefined, isTurnedAway = false): void => {
    const key = status === undefined ? 'none' : `${Math.floor(status / 100)}xx`
    count(classes, key)
    const counts = targets.get(target) ?? { sent: 0, reached: 0, statuses: new Map() }
    targets.set(target, counts)
    counts.sent += 1
    if (!isTurnedAway && (key === '2xx' || key === '3xx')) counts.reached += 1
    count(counts.statuses, String(status ?? 'none'))
  }
  const noteTime = (milliseconds: number, number: number, what: string): void => {
    slowest.push({ milliseconds, number, what })
    slowest.sort((a, b) => b.milliseconds - a.milliseconds)
    slowest.length = Math.min(slowest.length, 10)
  }

  /** Checks a response for rules that hold for every response. `reader`: the user whose data it may contain. */
  const check = (
    number: number,
    what: string,
    reader: Account | undefined,
    sent: Buffer,
    response: Response,
    mayReadAll = false,
  ): void => {
    const { status, text, headers, isWhole } = response
    if (status >= 500) report({ number, what: `${status} to ${what}: ${text.slice(0, 200)}` })
    if (!(status >= 200)) report({ number, what: `no status to ${what}` })
    const texts = [text, ...[...headers.values()].flat()]
    for (const [marker, name] of texts.flatMap((part) => [...part.matchAll(markers)])) {
      if (name === reader?.name || (mayReadAll && reader?.name === userNames.admin) || sent.includes(marker)) continue
      report({ number, what: `${reader?.name ?? 'nobody'} got what ${name} had stored, by ${what}` })
      break
    }
    if (!isWhole || status === 304 || !headers.get('content-type')?.[0]?.startsWith('application/json')) return
    try {
      if (text !== '') JSON.parse(text)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      report({ number, what: `no JSON to ${what}: ${text.slice(0, 200)}` })
    }
  }

  /** Replaces the credential of a request if it is no longer valid, and returns whether it was invalid. */
  const replaceDead = async ({ account, credential, path }: Draft, response: Response): Promise<boolean> => {
    if (account === undefined || credential === undefined) return false
    if (credential.kind === 'token') {
      if (response.status !== 401) return false
      await accounts.replaceToken(account, credential.value)
      return true
    }
    const adopted = response.headers.get('set-cookie')?.[0]
    const isSignIn = path !== '/sign-in' && /<form[^>]*action="\/sign-in"/.test(response.text)
    const isSentAway = isSentToSignIn(response)
    const isSignedOut = /Max-Age=0/.test(adopted ?? '')
    if (!isSignIn && !isSentAway && !isSignedOut) return false
    await accounts.replaceCookie(account, credential.value)
    return !isSignedOut
  }

  /** Adopts a new password and a new cookie, which later requests need, from any successful form. */
  const adopt = async ({ account, body, method, path, credential }: Draft, response: Response): Promise<void> => {
    if (account === undefined || response.status !== 303) return
    const cookie = response.headers.get('set-cookie')?.[0]
    if (cookie !== undefined && !/Max-Age=0/.test(cookie) && account.cookie === credential?.value) {
      account.cookie = cookie.split(';')[0]
      account.forms.clear()
    }
    if (method !== 'POST' || isSentToSignIn(response)) return
    if (path === '/account/password') {
      account.password = String(body?.fields.find(([name]) => name === 'password')?.[1] ?? account.password)
      await accounts.noteEnd(account, true)
    } else if (path === '/account/sessions/end-others') await accounts.noteEnd(account, true)
  }

  const connection = async (): Promise<void> => {
    const kept = openConnection(port)
    while (next < end && server.findExit() === undefined && violations.length < maxViolations) {
      const number = next
      next += 1
      if ((number - first) % 1_000 === 0) onProgress?.(number - first)
      if ((number - first) % tidyEvery === tidyEvery - 1) await accounts.tidy()
      await sendOne(number, kept)
    }
    kept.close()
  }

  const exchange = async (
    kept: ReturnType<typeof openConnection>,
    bytes: Buffer,
    sending: Sending,
    number: number,
  ): Promise<Exchange | undefined> => {
    try {
      return await kept.exchange(bytes, sending)
    } catch (error) {
      // A system call failed: no process listens any more.
      if (!(error instanceof Error && 'code' in error)) throw error
      report({ number, what: `the server took no connection: ${error.message}` })
      return undefined
    }
  }

  const sendOne = async (number: number, kept: ReturnType<typeof openConnection>): Promise<void> => {
    await accounts.ready()
    const { draft, random } = requests.draft(number)
    const bytes = writeRequest(draft, random)
    const way = random.below(100)
    // The attack must read the response to a change of the password, or the new password would be lost.
    const mustBeRead = draft.path === '/account/password'
    if (way < 3 && !mustBeRead) return sendBroken(number, draft, bytes, random, kept)
    if (way < 5) return sendPipelined(number, draft, bytes, kept)
    const [isEndless, isAborted] = [/events|wait=/.test(bytes.toString('latin1', 0, 300)), way === 5]
    const sending: Sending = {
      methods: [draft.method],
      timeoutMs: isEndless ? shortTimeoutMs : timeoutMs,
      ...(isEndless ? { alone: 'keep' as const } : isAborted ? { alone: 'abort' as const } : {}),
    }
    const sent = isAborted ? bytes.subarray(0, random.below(bytes.length)) : bytes
    const result = await exchange(kept, sent, sending, number)
    if (result === undefined) return
    const [response] = result.responses
    if (isAborted) return noteStatus('aborted requests', response?.status)
    noteTime(isEndless ? 0 : result.milliseconds, number, describe(draft))
    if (response === undefined) {
      noteStatus(draft.target, undefined)
      if (!isEndless) report({ number, what: `no response (${result.outcome}) to ${describe(draft)}` })
      return
    }
    if (!response.isWhole && !isEndless) report({ number, what: `a response that breaks off, to ${describe(draft)}` })
    await checkAndLearn(number, draft, bytes, response)
  }

  const checkAndLearn = async (number: number, draft: Draft, bytes: Buffer, response: Response): Promise<void> => {
    check(number, describe(draft), draft.account, bytes, response, readsAnyone.has(draft.target))
    await adopt(draft, response)
    const isDead = await replaceDead(draft, response)
    if (draft.credential !== undefined && !isDead) credentialed += 1
    noteStatus(draft.target, response.status, isDead || isSentToSignIn(response))
    if (draft.account !== undefined) accounts.learn(draft.account, draft.path, response)
  }

  const sendBroken = async (
    number: number,
    draft: Draft,
    bytes: Buffer,
    random: Random,
    kept: ReturnType<typeof openConnection>,
  ) => {
    const broken = breakBytes(bytes, random)
    const alone = random.chance(0.3) ? 'keep' : 'end'
    const result = await exchange(kept, broken, { methods: [draft.method], timeoutMs: shortTimeoutMs, alone }, number)
    for (const response of result?.responses ?? [])
      check(number, `broken ${describe(draft)}`, draft.account, broken, response, readsAnyone.has(draft.target))
    if (result?.responses[0] !== undefined) await adopt(draft, result.responses[0])
    noteStatus('broken requests', result?.responses[0]?.status)
  }

  /** Sends requests of different users in one pipeline: each response must belong to its own request. */
  const sendPipelined = async (
    number: number,
    draft: Draft,
    bytes: Buffer,
    kept: ReturnType<typeof openConnection>,
  ) => {
    const others = accounts.all.filter(({ tokens }) => tokens.length > 0)
    const syncs = others.map((account) => {
      const head = `GET /v1/sync?limit=3 HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${account.tokens[0]?.access}\r\n\r\n`
      return { account, bytes: Buffer.from(head), name: 'GET /v1/sync?limit=3' }
    })
    const all = [...syncs, { account: draft.account, bytes, name: describe(draft) }]
    const methods = all.map((_, index) => (index < syncs.length ? 'GET' : draft.method))
    const isEndless = /events|wait=/.test(bytes.toString('latin1', 0, 300))
    const together = Buffer.concat(all.map((one) => one.bytes))
    const sending: Sending = { methods, timeoutMs: isEndless ? shortTimeoutMs : timeoutMs, alone: 'keep' }
    const result = await exchange(kept, together, sending, number)
    for (const [index, response] of (result?.responses ?? []).entries()) {
      const one = all[index]
      if (one !== undefined)
        check(
          number,
          `pipelined ${one.name} as ${one.account?.name}`,
          one.account,
          one.bytes,
          response,
          index === syncs.length && readsAnyone.has(draft.target),
        )
    }
    const last = result?.responses[syncs.length]
    if (last !== undefined) await adopt(draft, last)
    noteStatus('pipelined requests', last?.status)
  }

  await Promise.all(Array.from({ length: connectionCount }, connection))
  const seconds = (performance.now() - begun) / 1000
  const exit = server.findExit()
  if (exit !== undefined) report({ what: `the server ended: ${exit}` })
  else if ((await accounts.readReader()) !== before) report({ what: 'the data of the read-only user changed' })
  for (const line of server.errors.slice(logBefore)) report({ what: `in the log: ${line.slice(0, 600)}` })
  for (const { name, body } of server.received.slice(deliveredBefore)) {
    for (const [, owner] of body.matchAll(markers))
      if (owner !== name) report({ what: `a webhook of ${name} got what ${owner} had stored` })
  }
  if (next - first >= enoughToReach) {
    for (const target of allTargets)
      if (!unreachable.has(target) && (targets.get(target)?.reached ?? 0) === 0)
        report({ what: `never reached: ${target}` })
  }
  return {
    violations,
    sent: next - first,
    credentialed,
    renewals: accounts.countRenewals() - renewalsBefore,
    classes,
    targets,
    slowest,
    seconds,
    delivered: server.received.length - deliveredBefore,
  }
}
