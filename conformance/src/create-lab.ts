import type { Client, RawRequest, Reply } from './client.ts'
import { Blocked, Finding, Inapplicable, NoAnswer } from './finding.ts'
import { changePairs, type Lab, type LabOptions } from './lab.ts'
import { chooseWay, isMissing, presentToken, usualHeaders, type Way } from './present.ts'
import { createRandom } from './random.ts'
import type { Answer, Answering, Delivery, Mailbox } from './receiver/mailbox.ts'
import type { Replica } from './replica.ts'
import type { Exchange } from './result.ts'
import { type Session, type SessionPool, writePasswordGrant } from './sessions.ts'
import type { Target } from './target.ts'

/** What a lab needs from the bench that it stands on. */
export interface LabParts {
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
  answer: Answer,
  redact: (text: string) => string,
): Exchange => ({
  ...{ who: 'server', isReceived: true, method, url, ms: 0 },
  requestHeaders: headers,
  requestBody: redact(body.toString('utf8').slice(0, 20_000)),
  ...(answer === 'close' ? {} : { status: answer.status, responseHeaders: answer.headers ?? {} }),
})

/** What a server does wrong while a rule tidies up after itself decides nothing. */
const ignoringTheServer = async (work: () => Promise<unknown>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Finding || error instanceof NoAnswer || error instanceof Blocked)) throw error
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
  const lendMailbox = (answering: Answering = () => ({ status: 204 })): Mailbox => {
    const { receiver } = options
    if (receiver === undefined) {
      throw new Inapplicable(
        'this needs a receiver that the server can reach: name one with --webhook-listen HOST:PORT',
      )
    }
    const { mailbox, shut } = receiver.lend(answering, (delivery, answer) =>
      record(describeDelivery(mailbox.url, delivery, answer, parts.redact)),
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
    stranger: async (name = 'stranger') => {
      if (target.users.length < 2) throw new Inapplicable('this needs a second account: give --user twice')
      return findReplica(name, 1)
    },
    otherClient: () => {
      const { otherClient } = target
      if (otherClient !== undefined) return otherClient
      throw new Inapplicable('this needs a second application: name it with --other-client ID:SECRET')
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
