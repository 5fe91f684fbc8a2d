import {
  chooseWay,
  isMissing,
  presentToken,
  type Session,
  type SessionPool,
  usualHeaders,
  type Way,
  writePasswordGrant,
} from './access-tokens.ts'
import type { Client, ClientCredentials, Incidents, OpenStream, RawRequest, Reply, Target } from './client.ts'
import type { Json, Pair } from './encoding.ts'
import type { Delivery, DeliveryResponse, Mailbox, Receiver, Respond } from './receiver/receiver.ts'
import type { Replica } from './replica.ts'
import { Blocked, type Exchange, Finding, NoResponse, Skipped } from './result.ts'

/** A source of numbers from 0 (included) to 1 (excluded) that gives the same series for the same text; not for secrets. */
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

/** What a rule works with. Nothing in it is shared with another rule, but the account. */
export interface Lab {
  readonly target: Target
  /** Text that nothing else in the account holds; letters and digits only. For titles, tags and local ids of the rule. */
  readonly mark: string
  /** Differs at every call and holds the mark. */
  readonly unique: () => string
  /** Numbers from 0 to 1, the same for the same seed and rule. */
  readonly random: () => number
  /**
   * A device of user 1 with a session (token grant) that no other replica uses meanwhile; the same name gives the same
   * replica.
   */
  readonly replica: (name: string) => Promise<Replica>
  /** A device of user 2; the rule is inapplicable when no second user was given. */
  readonly otherUser: (name?: string) => Promise<Replica>
  /** The second application; the rule is inapplicable when none was given. */
  readonly otherClient: () => ClientCredentials
  /**
   * Asks the token endpoint. `changes` replace, or with undefined remove, parameters of a correct password grant of
   * user 1, or of a refresh_token grant when `grant_type` says so.
   */
  readonly token: (changes?: Readonly<Record<string, string | undefined>>) => Promise<Reply>
  /** Sends a request as it is, without any token. */
  readonly request: (request: RawRequest) => Promise<Reply>
  /**
   * Sends a request with the token presented in the way given; the first header form that works here for `{kind:
   * 'header'}` without template.
   */
  readonly present: (request: RawRequest, token: string, way: Way | { readonly kind: 'header' }) => Promise<Reply>
  /** Sends the request, a short full sync by default, with the token presented in a way that works here. */
  readonly openSync: (token: string, request?: RawRequest) => Promise<Reply>
  /** The header form that works here; a Finding when none does. */
  readonly headerForm: () => Promise<string>
  /** Opens an answer that comes bit by bit, with the token presented in a way that works here; it is closed with the lab. */
  readonly listen: (token: string, request: RawRequest) => Promise<OpenStream>
  /**
   * An address of its own at the suite's receiver, which answers 204 if not told otherwise; the rule is inapplicable
   * when the suite plays none.
   */
  readonly mailbox: (respond?: Respond) => Mailbox
  /** Work for when the rule is over, also when it fails; what the server does wrong in it decides nothing. */
  readonly afterwards: (work: () => Promise<unknown>) => void
  /** Parses JSON that came another way than in an answer. */
  readonly readJson: (text: string) => Json | undefined
  /** What happened so far in the whole run that is no single rule's business. */
  readonly incidents: () => Incidents
  /**
   * For rules with `restarts`: waits for the other ones, does the last step, restarts the server, and waits until it
   * answers. Sessions of replicas are new afterwards.
   */
  readonly restart: (lastStep?: () => Promise<void>) => Promise<void>
  /** What passed so far in this rule, oldest first. */
  readonly exchanges: readonly Exchange[]
  /** Options of the run that a rule may read. */
  readonly options: LabOptions
}

/** Options of the run that a rule may read. */
export interface LabOptions {
  /** Number of random histories. */
  readonly histories: number
  readonly seed: number
  /** Time that is left for all rules, in milliseconds. */
  readonly remainingMs: () => number
  /** How long to wait for what has to come. */
  readonly timeouts: Timeouts
  /** The receiver that the suite plays; absent: none. */
  readonly receiver?: Receiver
}

/** How long to wait for what has to come, in milliseconds. */
export interface Timeouts {
  /** An event, or a message to a webhook. */
  readonly eventMs: number
  /** A message that failed and is tried again. */
  readonly retryMs: number
}

/** Parameters with the changes applied, in order; new names come last. */
const changePairs = (pairs: readonly Pair[], changes: Readonly<Record<string, string | undefined>>): Pair[] => {
  const kept = pairs.filter(([name]) => !Object.hasOwn(changes, name))
  const added = Object.entries(changes).flatMap(([name, value]): Pair[] => (value === undefined ? [] : [[name, value]]))
  return [...kept, ...added]
}

/** What a lab needs from the bench that it stands on. */
interface LabParts {
  readonly target: Target
  readonly options: LabOptions
  /** Beginning of every mark of the run. */
  readonly run: string
  readonly send: Client['send']
  readonly listen: Client['listen']
  readonly readJson: Client['readJson']
  readonly redact: Client['redact']
  readonly incidents: Client['incidents']
  readonly sessions: SessionPool
  /** The header form that works here, found out with a good token. */
  readonly findHeaderForm: (token: string) => Promise<string | undefined>
  readonly openReplica: (
    name: string,
    session: Session,
    unique: () => string,
    record: (exchange: Exchange) => void,
    follow: <T>(send: () => Promise<T>) => Promise<T>,
  ) => Replica
}

/** A lab for one rule; `close` waits for what is still under way, and gives its sessions back. */
export interface OpenLab {
  readonly lab: Lab
  readonly close: () => Promise<void>
}

/** What came to the receiver, as an exchange of the rule. */
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

/** What a server does wrong while a rule tidies up after itself decides nothing. */
const ignoringTheServer = async (work: () => Promise<unknown>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Finding || error instanceof NoResponse || error instanceof Blocked)) throw error
  }
}

/** Opens a lab for the rule. */
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
  // A rule may end while requests of it are under way: its next one would meet them.
  const underWay = new Set<Promise<unknown>>()
  let isOver = false
  const follow = <T>(send: () => Promise<T>): Promise<T> => {
    if (isOver) return Promise.reject(new Blocked('the rule was over before this request'))
    const sending = send()
    const done: Promise<unknown> = sending.then(
      () => underWay.delete(done),
      () => underWay.delete(done),
    )
    underWay.add(done)
    return sending
  }
  const request = (raw: RawRequest): Promise<Reply> => follow(() => parts.send(raw, record))
  const findReplica = (name: string, user: number): Replica => {
    const known = replicas.get(name)
    if (known !== undefined) return known
    const session = sessions.lease(user)
    leased.push(session)
    const made = parts.openReplica(name, session, unique, record, follow)
    replicas.set(name, made)
    return made
  }
  const endings: (() => Promise<unknown>)[] = []
  const lendMailbox = (respond: Respond = () => ({ status: 204 })): Mailbox => {
    const { receiver } = options
    if (receiver === undefined) {
      throw new Skipped('this needs a receiver that the server can reach: name one with --webhook-listen HOST:PORT')
    }
    const { mailbox, shut } = receiver.lend(respond, (delivery, response) =>
      record(describeDelivery(mailbox.url, delivery, response, parts.redact)),
    )
    endings.push(async () => shut())
    return mailbox
  }

  // Found out with a token that is surely good, whatever the one to present is.
  const askHeaderForm = async (): Promise<string | undefined> => findHeaderForm(await findReplica('phone', 0).token())
  const headerForm = async (): Promise<string> => {
    const template = await askHeaderForm()
    if (template !== undefined) return template
    const token = await findReplica('phone', 0).token()
    const { status } = await request(presentToken({ path: 'sync', query: [['limit', '1']] }, token, { kind: 'query' }))
    if (isMissing(status)) {
      throw new Blocked(`GET sync does not exist (it is answered ${status}): which header it takes is not to be seen`)
    }
    const given = target.authHeaders ?? []
    if (given.length > 0) {
      const expected = 'one form of the Authorization header that is accepted with a valid token'
      throw new Finding(expected, `of ${given.join(' · ')}, which --auth-header names, none is`)
    }
    // Which form a server takes is not shown (interface 5.3): one that is not among the usual ones is no fault.
    throw new Blocked(
      [
        "none of the usual forms of the Authorization header is accepted; name the server's with --auth-header 'Bearer {token}'",
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
    otherUser: async (name = 'stranger') => {
      if (target.users.length < 2) throw new Skipped('this needs a second account: give --user twice')
      return findReplica(name, 1)
    },
    otherClient: () => {
      const { otherClient } = target
      if (otherClient !== undefined) return otherClient
      throw new Skipped('this needs a second application: name it with --other-client ID:SECRET')
    },
    token: (changes = {}) => {
      const grant = writePasswordGrant(target, 0)
      const isRefresh = changes.grant_type === 'refresh_token'
      const base = isRefresh ? changePairs(grant, { username: undefined, password: undefined }) : grant
      return request({ path: 'token', form: changePairs(base, changes) })
    },
    request,
    present: async (raw, token, way) => {
      const isOpen = way.kind === 'header' && !('template' in way)
      const complete: Way = isOpen ? { kind: 'header', template: await headerForm() } : (way as Way)
      return request(presentToken(raw, token, complete))
    },
    openSync: async (token, sync = { path: 'sync', query: [['limit', '1']] }) =>
      request(presentToken(sync, token, chooseWay(await askHeaderForm(), sync))),
    headerForm,
    listen: async (token, raw) => {
      const way = chooseWay(await askHeaderForm(), raw)
      const stream = await follow(() => parts.listen(presentToken(raw, token, way), record))
      endings.push(async () => stream.close())
      return stream
    },
    mailbox: lendMailbox,
    afterwards: (work) => void endings.unshift(work),
    readJson: parts.readJson,
    incidents: parts.incidents,
    restart,
    exchanges,
    options,
  }
  return {
    lab,
    close: async () => {
      for (const ending of endings) await ignoringTheServer(ending)
      isOver = true
      await Promise.all(underWay)
      for (const session of leased) sessions.giveBack(session)
    },
  }
}
