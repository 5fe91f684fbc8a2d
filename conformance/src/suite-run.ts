import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import {
  chooseTokenPresentation,
  createSessionPool,
  findHeaderForms,
  presentToken,
  type Session,
} from './access-tokens.ts'
import { cleanUp, createRunLedger, createSweep, type OpenReplica, trackCreated, wipe } from './clean-up.ts'
import { type Incidents, openClient, type RawRequest, type Reply, type Target } from './client.ts'
import { allMistakes, type Mistake } from './known-mistakes.ts'
import { type Lab, type LabOptions, type OpenLab, openLab } from './lab.ts'
import { createReplica, type Replica } from './replica.ts'
import { type Restart, waitUntilResponding } from './restart.ts'
import { asSetup, type Exchange, NoResponse, RunEnded, Skipped } from './result.ts'
import { isSyncResponse } from './sync-messages.ts'

/** The time budget of the rules. */
export interface Budget {
  /** Aborted when the time is used up or the run is interrupted. */
  readonly signal: AbortSignal
  readonly remainingMs: () => number
  /** Returns the reason for the end, as the beginning of a sentence. */
  readonly reason: () => string
  readonly end: () => void
}

/** The shared parts of a run: one client, the sessions, and the ledger of the data that it left in the accounts. */
export interface SuiteRun {
  /** Prefix of every name that the run gives. */
  readonly run: string
  /** Rejects with RunEnded when the time is used up. */
  readonly ended: Promise<never>
  readonly openLab: (ruleId: string, restart?: Lab['restart']) => OpenLab
  /** Records the contents of the accounts before the first rule, so that the clean-up never deletes them. */
  readonly takeBaseline: () => Promise<void>
  /** Restarts the server, waits until it responds, and uses new tokens from then on. @throws Blocked if that fails. */
  readonly restart: (restart: Restart) => Promise<void>
  /** Waits for the uploads in flight for at most `maxMs`, ends the others, and resolves to the number of those. */
  readonly settle: (maxMs: number) => Promise<number>
  readonly incidents: () => Incidents
  /** Returns the known mistakes that the run has shown so far. */
  readonly mistakes: () => readonly Mistake[]
  /** Deletes what the run created, in every account; resolves to sentences about failures of the server. */
  readonly cleanUp: (isHurried: boolean) => Promise<readonly string[]>
  /** Deletes everything in every account. @throws Blocked when the server does not do it. */
  readonly wipe: () => Promise<void>
  readonly redact: (text: string) => string
  /** The URL of the suite's receiver; undefined without one. */
  readonly receiverUrl: string | undefined
  readonly close: () => void
}

const ignore = (): void => {}

const noRestart = async (): Promise<void> => {
  throw new Skipped('this rule does not take part in the restart')
}

/** Opens a run on the target; the caller cleans up and closes it. After the budget's end, labs send no requests. */
export const openSuiteRun = (target: Target, options: LabOptions, budget: Budget): SuiteRun => {
  const client = openClient(target)
  const sessions = createSessionPool(client, target)
  const run = `tsc${randomBytes(4).toString('hex')}`
  const ledger = createRunLedger(run)
  const sweep = createSweep(ledger.isSurelyCreatedByRun)
  const watches = allMistakes.map((mistake) => ({ mistake, watch: mistake.watch() }))
  const latest = new Map<number, number>()
  let headerForm: Promise<string | undefined> | undefined

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

  const send = async (request: RawRequest, record: (exchange: Exchange) => void, user = 0): Promise<Reply> => {
    ledger.noteSending(user, request)
    for (const { watch } of watches) watch.noteSending(user, request)
    const reply = await client.send(request, record)
    ledger.note(user, request, reply)
    for (const { watch } of watches) watch.note(user, request, reply)
    return reply
  }

  const end = new Promise<never>((_resolve, reject) => {
    const throwError = (): void => reject(new RunEnded(`${budget.reason()} during this rule`))
    if (budget.signal.aborted) throwError()
    budget.signal.addEventListener('abort', throwError, { once: true })
  })
  end.catch(ignore)
  // An upload that is in flight when the run ends may still create something: the clean-up waits for its response.
  const inFlight = new Set<Promise<unknown>>()
  const sendUnlessEnded: typeof send = (request, record, user) => {
    if (budget.signal.aborted) return end
    const sending = send(request, record, user)
    if (request.form === undefined && request.body === undefined) return Promise.race([end, sending])
    const done: Promise<unknown> = sending.then(
      () => inFlight.delete(done),
      () => inFlight.delete(done),
    )
    inFlight.add(done)
    return Promise.race([end, sending])
  }

  const openReplica = (
    name: string,
    session: Session,
    unique: () => string,
    record: (exchange: Exchange) => void,
    sendOne: typeof send,
  ): Replica => {
    const { user } = session
    const token = (): Promise<string> => asSetup(`a token for ${name}`, () => session.token(record))
    return createReplica({
      name,
      user,
      unique,
      latest: () => latest.get(user),
      token,
      send: async (request) => {
        const known = await token()
        const way = chooseTokenPresentation(await findHeaderForm(known), request)
        const reply = await sendOne({ who: name, ...presentToken(request, known, way) }, record, user)
        if (isSyncResponse(reply)) latest.set(user, Math.max(latest.get(user) ?? 0, Number(reply.json?.pos)))
        return reply
      },
    })
  }

  const withUser = async <T>(user: number, work: (replica: Replica) => Promise<T>): Promise<T> => {
    const session = sessions.lease(user)
    try {
      return await work(openReplica('clean-up', session, () => `${run}x`, ignore, send))
    } finally {
      sessions.release(session)
    }
  }
  const withEachUser = async (work: (replica: Replica) => Promise<void>): Promise<void> => {
    for (const user of target.users.keys()) await withUser(user, work)
  }

  const parts = {
    ...{ target, options, run, sessions, findHeaderForm },
    send: sendUnlessEnded,
    listen: (request: RawRequest, record: (exchange: Exchange) => void) =>
      Promise.race([end, client.listen(request, record)]),
    readJson: client.readJson,
    redact: client.redact,
    incidents: client.incidents,
    givenIds: () => ledger.idsOf(0),
  }
  const openSweeper = (user: number): OpenReplica => {
    const session = sessions.lease(user)
    const replica = openReplica('clean-up', session, () => `${run}x`, ignore, sendUnlessEnded)
    return { replica, close: () => sessions.release(session) }
  }

  const openSweptLab = (ruleId: string, restart: Lab['restart']): OpenLab => {
    const createdThings = trackCreated()
    const opened = openLab(
      {
        ...parts,
        openReplica: (name, session, unique, record, follow) =>
          openReplica(name, session, unique, record, async (request, note, user) => {
            const reply = await follow(() => sendUnlessEnded(request, note, user))
            createdThings.note(user ?? 0, request, reply)
            return reply
          }),
      },
      ruleId,
      restart,
    )
    const close = async (): Promise<void> => {
      await opened.close()
      for (const user of target.users.keys()) {
        await sweep.take(user, createdThings, () => openSweeper(user))
      }
    }
    return { lab: opened.lab, close }
  }

  const findStatus = async (): Promise<number | undefined> => {
    try {
      return (await client.send({ path: 'sync' }, ignore)).status
    } catch (error) {
      if (error instanceof NoResponse) return undefined
      throw error
    }
  }

  return {
    run,
    ended: end,
    openLab: (ruleId, restart = noRestart) => openSweptLab(ruleId, restart),
    takeBaseline: () => withEachUser((replica) => ledger.noteBaseline(replica)),
    restart: async (restart) => {
      // A graceful shutdown of the server waits for its connections.
      client.disconnect()
      await restart(budget.signal)
      sessions.invalidate()
      await waitUntilResponding(findStatus, budget.signal)
    },
    settle: async (maxMs) => {
      const limit = new AbortController()
      const late = wait(maxMs, undefined, { signal: limit.signal }).catch(ignore)
      await Promise.race([Promise.all(inFlight), late])
      limit.abort()
      const withoutResponse = inFlight.size
      client.interrupt()
      return withoutResponse
    },
    incidents: client.incidents,
    mistakes: () => watches.flatMap(({ mistake, watch }) => (watch.isSeen() ? [mistake] : [])),
    cleanUp: async (isHurried) => {
      const left: string[] = []
      const clean = (user: number) =>
        withUser(user, async (replica) => void left.push(...(await cleanUp(replica, ledger, isHurried))))
      if (isHurried) await Promise.all([...target.users.keys()].map(clean))
      else for (const user of target.users.keys()) await clean(user)
      return left
    },
    wipe: () => withEachUser(wipe),
    redact: client.redact,
    receiverUrl: options.receiver?.url,
    close: client.close,
  }
}
