import { randomBytes } from 'node:crypto'
import { cleanUp, createTraces } from './clean-up.ts'
import { openClient, type RawRequest, type Reply } from './client.ts'
import { asSetup, Blocked, Finding, Inapplicable } from './finding.ts'
import { changePairs, type Lab, type LabOptions } from './lab.ts'
import { findHeaderForms, presentToken, type Way } from './present.ts'
import { createRandom } from './random.ts'
import { createReplica, type Replica } from './replica.ts'
import type { Exchange } from './result.ts'
import { createSessionPool, readAccessToken, type Session, writePasswordGrant } from './sessions.ts'
import { isSyncAnswer } from './sync-answer.ts'
import type { Target } from './target.ts'

/** What a whole run works with: one client, the sessions, and the traces it left in the accounts. */
export interface Bench {
  /** A lab for one rule; `close` gives its sessions back. */
  readonly openLab: (ruleId: string) => { readonly lab: Lab; readonly close: () => void }
  /** Deletes what the run made, in every account. Says what it could not; never throws for what the server does. */
  readonly cleanUp: () => Promise<readonly string[]>
  /** Deletes everything in every account; throws a Blocked when the server refuses. */
  readonly wipe: () => Promise<void>
  readonly redact: (text: string) => string
  readonly close: () => void
}

/** Name of the replica that cleans up; it goes on after the run was ended. */
const cleaner = 'clean-up'

const chooseWay = (template: string | undefined, request: RawRequest): Way => {
  if (template !== undefined) return { kind: 'header', template }
  return { kind: request.form === undefined ? 'query' : 'form' }
}

const ignore = (): void => {}

/** Opens a bench on the target; the caller cleans up and closes it. */
export const openBench = (target: Target, options: LabOptions, signal?: AbortSignal): Bench => {
  const client = openClient(target)
  const sessions = createSessionPool(client, target)
  const run = `tsc${randomBytes(4).toString('hex')}`
  const traces = createTraces(run)
  let headerForm: Promise<string | undefined> | undefined
  const latest = new Map<number, number>()

  const findHeaderForm = (token: string): Promise<string | undefined> => {
    headerForm ??= findHeaderForms(client, target, token, false).then(
      ([first]) => first,
      (error: unknown) => {
        headerForm = undefined
        throw error
      },
    )
    return headerForm
  }

  const refuseWhenEnded = (): void => {
    if (signal?.aborted === true) throw new Blocked('the run was ended during this rule')
  }

  const sendAs = async (
    session: Session,
    name: string,
    request: RawRequest,
    record: (exchange: Exchange) => void,
  ): Promise<Reply> => {
    if (name !== cleaner) refuseWhenEnded()
    const token = await asSetup(`a token for ${name}`, () => session.token(record))
    const way = chooseWay(await findHeaderForm(token), request)
    const reply = await client.send({ who: name, ...presentToken(request, token, way) }, record)
    traces.note(session.user, request, reply)
    return reply
  }

  const openReplica = (
    name: string,
    session: Session,
    unique: () => string,
    record: (exchange: Exchange) => void,
  ): Replica => {
    const { user } = session
    const send = async (request: RawRequest): Promise<Reply> => {
      const reply = await sendAs(session, name, request, record)
      if (isSyncAnswer(reply)) latest.set(user, Math.max(latest.get(user) ?? 0, Number(reply.json?.pos)))
      return reply
    }
    return createReplica({
      name,
      user,
      unique,
      latest: () => latest.get(user),
      send,
      token: () => asSetup(`a token for ${name}`, () => session.token(record)),
    })
  }

  const openLab = (ruleId: string): { lab: Lab; close: () => void } => {
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
    const request = async (raw: RawRequest): Promise<Reply> => {
      refuseWhenEnded()
      const reply = await client.send(raw, record)
      traces.note(0, raw, reply)
      return reply
    }
    const replica = (name: string, user: number): Replica => {
      const known = replicas.get(name)
      if (known !== undefined) return known
      const session = sessions.lease(user)
      leased.push(session)
      const made = openReplica(name, session, unique, record)
      replicas.set(name, made)
      return made
    }
    // Found out with a token that is surely good, whatever the one to present is.
    const headerFormOf = async (known: Replica): Promise<string | undefined> => findHeaderForm(await known.token())
    const headerFormOrFinding = async (): Promise<string> => {
      const template = await headerFormOf(replica('phone', 0))
      if (template !== undefined) return template
      const tried = target.authHeaders?.length ? target.authHeaders.join(', ') : 'none of the usual ones'
      throw new Finding('one form of the Authorization header that is accepted with a valid token', `${tried} is`)
    }
    const lab: Lab = {
      target,
      mark,
      unique,
      random: createRandom(`${options.seed} ${ruleId}`),
      replica: async (name) => replica(name, 0),
      stranger: async (name = 'stranger') => {
        if (target.users.length < 2) throw new Inapplicable('this needs a second account: give --user twice')
        return replica(name, 1)
      },
      token: (changes = {}) => {
        const grant = writePasswordGrant(target, 0)
        const isRefresh = changes.grant_type === 'refresh_token'
        const base = isRefresh ? changePairs(grant, { username: undefined, password: undefined }) : grant
        return request({ path: 'token', form: changePairs(base, changes) })
      },
      request,
      present: async (raw, token, way) => {
        const complete: Way =
          way.kind === 'header' && !('template' in way)
            ? { kind: 'header', template: await headerFormOrFinding() }
            : way
        return request(presentToken(raw, token, complete))
      },
      openSync: async (token, sync = { path: 'sync', query: [['limit', '1']] }) =>
        request(presentToken(sync, token, chooseWay(await headerFormOf(replica('phone', 0)), sync))),
      headerForm: headerFormOrFinding,
      exchanges,
      options,
    }
    const close = (): void => {
      for (const session of leased) sessions.giveBack(session)
    }
    return { lab, close }
  }

  const withEachUser = async (work: (replica: Replica) => Promise<void>): Promise<void> => {
    for (const user of target.users.keys()) {
      const session = sessions.lease(user)
      try {
        await work(openReplica(cleaner, session, () => `${run}x`, ignore))
      } finally {
        sessions.giveBack(session)
      }
    }
  }

  return {
    openLab,
    cleanUp: async () => {
      const left: string[] = []
      await withEachUser(async (replica) => {
        left.push(...(await cleanUp(replica, traces)))
      })
      return left
    },
    wipe: () =>
      withEachUser((replica) =>
        asSetup('wiping the account', async () => {
          const { changed } = await replica.listAll()
          for (let start = 0; start < changed.length; start += 200) {
            await replica.sync({ deleted_thing: changed.slice(start, start + 200) })
          }
        }),
      ),
    redact: client.redact,
    close: client.close,
  }
}

/** Asks for a token of user 1 outside any lab; throws what went wrong. For a look before the run. */
export const askForToken = async (target: Target): Promise<string> => {
  const client = openClient(target)
  try {
    return readAccessToken(await client.send({ path: 'token', form: writePasswordGrant(target, 0) }, ignore))
  } finally {
    client.close()
  }
}
