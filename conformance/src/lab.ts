import {
  chooseTokenPresentation,
  isMissing,
  presentToken,
  type Session,
  type SessionPool,
  type TokenPresentation,
  usualHeaders,
  writePasswordGrant,
} from './access-tokens.ts'
import type { Client, ClientCredentials, Incidents, OpenStream, RawRequest, Reply, Target } from './client.ts'
import type { Json, Pair } from './encoding.ts'
import type { Delivery, DeliveryResponse, Mailbox, Receiver, Respond } from './receiver/receiver.ts'
import type { Replica } from './replica.ts'
import { Blocked, type Exchange, Finding, NoResponse, Skipped } from './result.ts'

/** Creates a source of numbers from 0 (included) to 1 (excluded), the same for the same seed. Not for secrets. */
export const createRandom = (seed: string): (() => number) => {
  let state = 0x811c9dc5
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193)
  // mulberry32
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

/** The tools of one rule. Rules share nothing but the account. */
export interface Lab {
  readonly target: Target
  /** Text that nothing else in the account contains, for titles, tags and IDs of the rule; letters and digits only. */
  readonly mark: string
  /** Returns another text at every call; each contains the mark. */
  readonly unique: () => string
  /** Returns numbers from 0 to 1, the same for the same seed and rule. */
  readonly random: () => number
  /**
   * Returns a device of user 1 with a session (token grant) that no other replica uses meanwhile; the same name gives
   * the same replica.
   */
  readonly replica: (name: string) => Promise<Replica>
  /** Returns a device of user 2. @throws Skipped when no second user was given. */
  readonly otherUser: (name?: string) => Promise<Replica>
  /** Returns the second application. @throws Skipped when none was given. */
  readonly otherClient: () => ClientCredentials
  /**
   * Sends a request to the token endpoint. `changes` replaces, or with undefined removes, parameters of a correct
   * password grant of user 1, or of a refresh_token grant when `grant_type` says so.
   */
  readonly token: (changes?: Readonly<Record<string, string | undefined>>) => Promise<Reply>
  /** Sends a request unchanged, without a token. */
  readonly request: (request: RawRequest) => Promise<Reply>
  /**
   * Sends a request with the token presented in this way; `{kind: 'header'}` without a template stands for the first
   * header form that works here.
   */
  readonly present: (
    request: RawRequest,
    token: string,
    way: TokenPresentation | { readonly kind: 'header' },
  ) => Promise<Reply>
  /** Sends the request, a short full sync by default, with the token presented in a way that works here. */
  readonly openSync: (token: string, request?: RawRequest) => Promise<Reply>
  /** Returns the header form that works here. @throws Finding when no configured form works, else Blocked. */
  readonly headerForm: () => Promise<string>
  /** Opens a streamed response, with the token presented in a way that works here; the lab closes it at its end. */
  readonly listen: (token: string, request: RawRequest) => Promise<OpenStream>
  /**
   * Opens a URL of its own at the suite's receiver, which responds with 204 by default.
   * @throws Skipped when the suite has no receiver.
   */
  readonly mailbox: (respond?: Respond) => Mailbox
  /** Adds work for the end of the rule, also when the rule fails; errors of the server in it do not count. */
  readonly afterwards: (work: () => Promise<unknown>) => void
  /** Parses JSON that did not come in a response. */
  readonly readJson: (text: string) => Json | undefined
  /** Returns the _ids that the server gave to things of user 1 in this run so far. */
  readonly givenIds: () => ReadonlySet<string>
  /** Returns the incidents of the whole run so far. */
  readonly incidents: () => Incidents
  /**
   * For rules with `restarts`: waits for the other rules, does the last step, restarts the server, and waits until it
   * responds. After that, replicas have new sessions.
   */
  readonly restart: (lastStep?: () => Promise<void>) => Promise<void>
  /** The exchanges of this rule so far, oldest first. */
  readonly exchanges: readonly Exchange[]
  /** Options of the run that a rule may read. */
  readonly options: LabOptions
}

/** Options of the run that a rule may read. */
export interface LabOptions {
  /** Number of random histories in all. */
  readonly histories: number
  readonly seed: number
  /** Returns the time that is left for all rules, in milliseconds. */
  readonly remainingMs: () => number
  /** How long the suite waits for events and messages. */
  readonly timeouts: Timeouts
  /** The receiver that the suite runs; absent without one. */
  readonly receiver?: Receiver
}

/** How long the suite waits for what the server has to send, in milliseconds. */
export interface Timeouts {
  /** An event, or a message to a webhook. */
  readonly eventMs: number
  /** A retry of a failed message. */
  readonly retryMs: number
}

/** Applies the changes to the parameters, in order; new names come last. */
const changePairs = (pairs: readonly Pair[], changes: Readonly<Record<string, string | undefined>>): Pair[] => {
  const kept = pairs.filter(([name]) => !Object.hasOwn(changes, name))
  const added = Object.entries(changes).flatMap(([name, value]): Pair[] => (value === undefined ? [] : [[name, value]]))
  return [...kept, ...added]
}

/** The parts of a run that a lab uses. */
interface LabParts {
  readonly target: Target
  readonly options: LabOptions
  /** Prefix of every mark of the run. */
  readonly run: string
  readonly send: Client['send']
  readonly listen: Client['listen']
  readonly readJson: Client['readJson']
  readonly redact: Client['redact']
  readonly givenIds: Lab['givenIds']
  readonly incidents: Client['incidents']
  readonly sessions: SessionPool
  /** Finds the header form that works here, with a valid token. */
  readonly findHeaderForm: (token: string) => Promise<string | undefined>
  readonly openReplica: (
    name: string,
    session: Session,
    unique: () => string,
    record: (exchange: Exchange) => void,
    follow: <T>(send: () => Promise<T>) => Promise<T>,
  ) => Replica
}

/** A lab for one rule; `close` waits for the requests in flight, and releases its sessions. */
export interface OpenLab {
  readonly lab: Lab
  readonly close: () => Promise<void>
}

/** Describes a delivery to the receiver as an exchange of the rule. */
const describeDelivery = (
  url: string,
  { method, headers, body }: Delivery,
  response: DeliveryResponse,
  redact: (text: string) => string,
): Exchange => ({
  ...{ who: 'server', isReceived: true, method, url, ms: 0 },
  requestHeaders: headers,
  requestBody: redact(body.toString('utf8').slice(0, 20_000)),
  ...(response === 'close' ? {} : { status: response.status, responseHeaders: response.headers ?? {} }),
})

/** Ignores errors of the server in the clean-up of a rule. */
const ignoreServerErrors = async (work: () => Promise<unknown>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Finding || error instanceof NoResponse || error instanceof Blocked)) throw error
  }
}

/** Opens a lab for the rule; the caller closes it. */
export const openLab = (parts: LabParts, ruleId: string, restart: Lab['restart']): OpenLab => {
  const { target, options, run, sessions, findHeaderForm } = parts
  const mark = `${run}${ruleId.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`
  const exchanges: Exchange[] = []
  const leased: Session[] = []
  const replicas = new Map<string, Replica>()
  let count = 0

  const record = (exchange: Exchange): void => {
    exchanges.push(exchange)
  }
  const unique = (): string => {
    count += 1
    return `${mark}x${count}`
  }
  // A rule may end while its requests are in flight: the next rule with the same session would meet them.
  const inFlight = new Set<Promise<unknown>>()
  let isOver = false
  const follow = <T>(send: () => Promise<T>): Promise<T> => {
    if (isOver) return Promise.reject(new Blocked('the rule ended before this request'))
    const sending = send()
    const done: Promise<unknown> = sending.then(
      () => inFlight.delete(done),
      () => inFlight.delete(done),
    )
    inFlight.add(done)
    return sending
  }
  const request = (raw: RawRequest): Promise<Reply> => follow(() => parts.send(raw, record))
  const findReplica = (name: string, user: number): Replica => {
    const known = replicas.get(name)
    if (known !== undefined) return known
    const session = sessions.lease(user)
    leased.push(session)
    const created = parts.openReplica(name, session, unique, record, follow)
    replicas.set(name, created)
    return created
  }
  const endings: (() => Promise<unknown>)[] = []
  const openMailbox = (respond: Respond = () => ({ status: 204 })): Mailbox => {
    const { receiver } = options
    if (receiver === undefined) {
      throw new Skipped(
        'this needs a receiver that the server can reach: name one with --webhook-listen HOST:PORT',
        '--webhook-listen',
      )
    }
    const { mailbox, shut } = receiver.openMailbox(respond, (delivery, response) =>
      record(describeDelivery(mailbox.url, delivery, response, parts.redact)),
    )
    endings.push(async () => shut())
    return mailbox
  }

  // The form is found with a token that is certainly valid, not with the token to present.
  const findForm = async (): Promise<string | undefined> => findHeaderForm(await findReplica('phone', 0).token())
  const headerForm = async (): Promise<string> => {
    const template = await findForm()
    if (template !== undefined) return template
    const token = await findReplica('phone', 0).token()
    const { status } = await request(presentToken({ path: 'sync', query: [['limit', '1']] }, token, { kind: 'query' }))
    if (isMissing(status)) {
      throw new Blocked(`GET sync does not exist (status ${status}): the header form that it accepts cannot be found`)
    }
    const configured = target.authHeaders ?? []
    if (configured.length > 0) {
      const expected = 'one form of the Authorization header that is accepted with a valid token'
      throw new Finding(expected, `of ${configured.join(' · ')}, which --auth-header names, none is`)
    }
    // The interface leaves the form open (interface 5.3): an unusual form is no error.
    throw new Blocked(
      [
        "none of the usual forms of the Authorization header is accepted; give the form that the server accepts with --auth-header 'Bearer {token}'",
        `tried: ${usualHeaders.join(' · ')}`,
        `try one: curl -sS '${target.baseUrl.replace(/\/*$/, '')}/sync?limit=1' -H 'Authorization: Bearer '"$ACCESS_TOKEN"`,
      ].join('\n'),
    )
  }

  const lab: Lab = {
    target,
    mark,
    unique,
    random: createRandom(`${options.seed} ${ruleId}`),
    replica: async (name) => findReplica(name, 0),
    otherUser: async (name = 'other-user') => {
      if (target.users.length < 2)
        throw new Skipped('this needs a second account: give --user twice', 'a second --user')
      return findReplica(name, 1)
    },
    otherClient: () => {
      const { otherClient } = target
      if (otherClient !== undefined) return otherClient
      throw new Skipped('this needs a second app: name it with --other-client ID:SECRET', '--other-client')
    },
    token: (changes = {}) => {
      const grant = writePasswordGrant(target, 0)
      const isRefresh = changes.grant_type === 'refresh_token'
      const base = isRefresh ? changePairs(grant, { username: undefined, password: undefined }) : grant
      return request({ path: 'token', form: changePairs(base, changes) })
    },
    request,
    present: async (raw, token, way) => {
      const hasNoTemplate = way.kind === 'header' && !('template' in way)
      const complete: TokenPresentation = hasNoTemplate
        ? { kind: 'header', template: await headerForm() }
        : (way as TokenPresentation)
      return request(presentToken(raw, token, complete))
    },
    openSync: async (token, sync = { path: 'sync', query: [['limit', '1']] }) =>
      request(presentToken(sync, token, chooseTokenPresentation(await findForm(), sync))),
    headerForm,
    listen: async (token, raw) => {
      const way = chooseTokenPresentation(await findForm(), raw)
      const stream = await follow(() => parts.listen(presentToken(raw, token, way), record))
      endings.push(async () => stream.close())
      return stream
    },
    mailbox: openMailbox,
    afterwards: (work) => void endings.unshift(work),
    readJson: parts.readJson,
    givenIds: parts.givenIds,
    incidents: parts.incidents,
    restart,
    exchanges,
    options,
  }
  return {
    lab,
    close: async () => {
      for (const ending of endings) await ignoreServerErrors(ending)
      isOver = true
      await Promise.all(inFlight)
      for (const session of leased) sessions.release(session)
    },
  }
}
