import { setTimeout as wait } from 'node:timers/promises'
import { readAccessToken } from '../access-tokens.ts'
import type { RawRequest, Reply } from '../client.ts'
import { type Pair, showValue, writeUpload } from '../encoding.ts'
import type { Lab } from '../lab.ts'
import { type Exchange, Finding, NoResponse } from '../result.ts'
import { isSyncResponse } from '../sync-messages.ts'
import { type Anomaly, findAnomaly } from './find-anomaly.ts'
import {
  type ListStep,
  type PagesStep,
  type Plan,
  type PlannedStep,
  type ReplicaName,
  replicasOf,
  type UploadStep,
} from './plan.ts'
import {
  encodeUploadStep,
  isSync,
  type ListingResponse,
  localIdOf,
  type Precedence,
  precedesInTime,
  readListingResponse,
  type SyncEvent,
  type Trace,
  type TraceEvent,
  uploadOf,
} from './trace.ts'

/** The requests of histories: syncs of one replica, and its refresh. Both throw NoResponse when no response comes. */
export interface Connection {
  /** Sends the parameters with the replica's token: an upload by POST, any other sync by GET. */
  readonly sync: (who: ReplicaName, pairs: readonly Pair[], kind: 'list' | 'upload') => Promise<Reply>
  readonly refresh: (who: ReplicaName) => Promise<void>
}

/** Creates a connection with a random delay of up to `maxMs` milliseconds before each request, as in a script. */
export const withDelays = (connection: Connection, maxMs: number, random: () => number): Connection => ({
  refresh: connection.refresh,
  sync: async (who, pairs, kind) => {
    await wait(random() * maxMs)
    return connection.sync(who, pairs, kind)
  },
})

const maxAttempts = 4

/**
 * Creates a connection that retries after an error while another of its requests was in flight: a server may resolve a
 * conflict with an error, and a client then repeats its request.
 */
const withRetries = (connection: Connection): Connection => {
  let inFlight = 0
  return {
    refresh: connection.refresh,
    sync: async (who, pairs, kind) => {
      for (let attempt = 1; ; attempt += 1) {
        inFlight += 1
        const overlapsAtStart = inFlight > 1
        const reply = await connection.sync(who, pairs, kind).finally(() => {
          inFlight -= 1
        })
        const overlaps = overlapsAtStart || inFlight > 0
        if (isSyncResponse(reply) || !overlaps || attempt === maxAttempts) return reply
        await wait(10 * attempt)
      }
    },
  }
}

interface OwnPair {
  readonly access: string
  readonly request: string
  /** Time at which a new grant is due, by `performance.now()`. */
  readonly until: number
}

/**
 * Opens a connection for a lab's replicas. A replica uses the lab's session until its first refresh. From then on it
 * has its own pair of tokens, because other rules use the lab's tokens later.
 */
export const openLabConnection = (lab: Lab): Connection => {
  const pairs = new Map<ReplicaName, OwnPair>()

  const grant = async (changes: Readonly<Record<string, string>> = {}): Promise<OwnPair> => {
    const reply = await lab.token(changes)
    const access = readAccessToken(reply)
    const request = reply.json?.request_token
    if (typeof request !== 'string') {
      throw new Finding('the grant response to have a request_token', 'there is none', reply.exchange)
    }
    const seconds = Number(reply.json?.expires_in)
    return { access, request, until: performance.now() + (seconds > 0 ? seconds : 3600) * 700 }
  }

  const ownPair = async (who: ReplicaName): Promise<OwnPair | undefined> => {
    const pair = pairs.get(who)
    if (pair === undefined || performance.now() < pair.until) return pair
    const renewed = await grant()
    pairs.set(who, renewed)
    return renewed
  }

  return {
    sync: async (who, parameters, kind) => {
      const body = kind === 'upload' ? { form: parameters } : { query: parameters }
      const request: RawRequest = { who, path: 'sync', ...body }
      const pair = await ownPair(who)
      if (pair === undefined) return (await lab.replica(who)).send(request)
      return lab.present(request, pair.access, { kind: kind === 'upload' ? 'form' : 'query' })
    },
    refresh: async (who) => {
      const { request } = (await ownPair(who)) ?? (await grant())
      pairs.set(who, await grant({ grant_type: 'refresh_token', refresh_token: request }))
    },
  }
}

/** The memory of the replicas of one history: IDs, positions, and the things that they have seen. */
interface ReplicaMemory {
  /** The `_id` of each created thing. */
  readonly idOf: ReadonlyMap<string, string>
  /** Returns the event whose position is the start; undefined for a full sync. */
  readonly findBase: (who: ReplicaName, from: ListStep['from']) => SyncEvent | undefined
  /** Returns the upload without changes and deletions of things that the replica has never seen. */
  readonly onlySeen: (who: ReplicaName, step: UploadStep) => UploadStep
  readonly learn: (who: ReplicaName, response: ListingResponse, step: SyncEvent['step']) => void
  /** Makes the event's position the replica's newest. */
  readonly keep: (event: SyncEvent) => void
}

/** Creates an empty memory; the mark is the prefix of the client-assigned IDs of the history. */
const createReplicaMemory = (mark: string): ReplicaMemory => {
  const idOf = new Map<string, string>()
  const seen = new Set<string>()
  const kept = new Map<ReplicaName, SyncEvent[]>()
  const keptBy = (who: ReplicaName): SyncEvent[] => kept.get(who) ?? []
  const hasSeen = (who: ReplicaName, thing: string): boolean =>
    keptBy(who).length > 0 && seen.has(`${who} ${idOf.get(thing)}`)

  return {
    idOf,
    findBase: (who, from) => {
      if (from === 'start' || from === 'fresh') return undefined
      const positions = keptBy(who)
      return positions[Math.max(0, positions.length - 1 - (from === 'last' ? 0 : from))]
    },
    onlySeen: (who, step) => ({
      ...step,
      changes: step.changes.filter(({ thing }) => hasSeen(who, thing)),
      deletes: step.deletes.filter((thing) => hasSeen(who, thing)),
    }),
    learn: (who, response, step) => {
      for (const id of response.changed.keys()) seen.add(`${who} ${id}`)
      if (step.kind !== 'upload') return
      for (const { thing } of step.creates) {
        const id = response.ids.get(localIdOf(thing, mark))
        if (id === undefined) continue
        idOf.set(thing, id)
        seen.add(`${who} ${id}`)
      }
    },
    keep: (event) => {
      kept.set(event.who, [...keptBy(event.who), event])
    },
  }
}

/** Maximum number of pages of one listing; a larger account with old data gets larger pages. */
const maxPages = 12

/**
 * Plays a plan and records the trace. The mark is the prefix of every name. A replica changes and deletes only what it
 * has seen, as a client does; steps without an object (in a shrunk plan) are skipped.
 */
const playPlan = async (plan: Plan, connection: Connection, mark: string): Promise<Trace> => {
  let tick = 0
  let count = 0
  const events: TraceEvent[] = []
  const memory = createReplicaMemory(mark)

  const playSync = async (
    { round, who, step }: PlannedStep & { readonly step: SyncEvent['step'] },
    during?: number,
  ) => {
    count += 1
    const number = count
    const started = ++tick
    const base = memory.findBase(who, step.from)
    const from: Pair[] = base?.position === undefined ? [] : [['from', String(base.position)]]
    const responses: ListingResponse[] = []
    let size = step.kind === 'pages' ? step.size : 0
    let apiError: string | undefined
    let exchange: Exchange | undefined

    const send = async (pairs: readonly Pair[]): Promise<ListingResponse | undefined> => {
      const kind = step.kind === 'upload' ? 'upload' : 'list'
      const reply = await connection.sync(who, [...from, ...pairs], kind)
      exchange = reply.exchange
      const response = readListingResponse(reply)
      if (response === undefined) {
        apiError = `${reply.status} ${showValue(reply.json ?? reply.text)}`
        return undefined
      }
      responses.push(response)
      memory.learn(who, response, step)
      return response
    }
    const requestPages = async ({ meanwhile }: PagesStep) => {
      const waiting = [...meanwhile]
      const requestPage = (skip: number) =>
        send([
          ['skip', String(skip)],
          ['limit', String(size)],
        ])
      let response = await requestPage(0)
      if (response !== undefined && response.thingCount > size * maxPages) {
        size = Math.ceil(response.thingCount / maxPages)
        responses.pop()
        response = await requestPage(0)
      }
      // The limit of twice the maximum number of pages also ends a list that grows while it is read.
      for (
        let page = 1;
        page < 2 * maxPages && response !== undefined && page * size < response.thingCount;
        page += 1
      ) {
        const next = waiting.shift()
        if (next !== undefined) await play({ round, ...next }, number)
        response = await requestPage(page * size)
      }
      for (const next of waiting) await play({ round, ...next }, number)
    }

    if (step.kind === 'pages') await requestPages(step)
    else
      await send(
        step.kind === 'upload' ? encodeUploadStep(step, { mark, idOf: (thing) => memory.idOf.get(thing) ?? '' }) : [],
      )

    const keptResponse = step.kind === 'pages' && step.keep === 'first' ? responses[0] : responses.at(-1)
    const position = apiError === undefined ? keptResponse?.position : undefined
    const event: SyncEvent = {
      ...{ number, round, who, started, ended: ++tick, base: base?.number ?? 0 },
      step: step.kind === 'pages' ? { ...step, size } : step,
      ...{ responses: apiError === undefined ? responses : [], position, apiError, exchange, during },
    }
    events[number - 1] = event
    const forgets = step.kind === 'list' && step.from === 'fresh'
    if (position !== undefined && !forgets) memory.keep(event)
  }

  const play = async (planned: PlannedStep, during?: number): Promise<void> => {
    const { round, who, step } = planned
    if (step.kind === 'refresh') {
      count += 1
      const [number, started] = [count, ++tick]
      await connection.refresh(who)
      events[number - 1] = { number, round, who, step, started, ended: ++tick }
    } else if (step.kind === 'upload') {
      const possible = memory.onlySeen(who, step)
      const { creates, changes, deletes, tags } = possible
      const size = creates.length + changes.length + deletes.length + tags.length
      if (size > 0) await playSync({ round, who, step: possible }, during)
    } else {
      await playSync({ round, who, step }, during)
    }
  }

  for (const round of new Set(plan.map((planned) => planned.round))) {
    const steps = plan.filter((planned) => planned.round === round)
    const sequences = replicasOf(steps).map((who) => steps.filter((planned) => planned.who === who))
    const playSequence = async (sequence: Plan) => {
      for (const planned of sequence) await play(planned)
    }
    // All sequences are awaited, also when one fails: no request may be in flight after the history.
    const outcomes = await Promise.allSettled(sequences.map(playSequence))
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }
  return { mark, events, idOf: memory.idOf }
}

/** A history with an anomaly. */
export interface Failure {
  readonly plan: Plan
  readonly trace: Trace
  readonly anomaly: Anomaly
}

/** Deletes the things of a history, so that hundreds of histories do not slow each other. Failures do not count. */
const deleteThings = async ({ events, idOf }: Trace, { sync }: Connection): Promise<void> => {
  const last = events.filter(isSync).findLast(({ position }) => position !== undefined)
  const deleted = new Set(events.flatMap((event) => uploadOf(event)?.deletes ?? []))
  const existing = [...idOf].filter(([thing]) => !deleted.has(thing)).map(([, id]) => id)
  if (last === undefined || existing.length === 0) return
  try {
    await sync(last.who, [['from', String(last.position)], ...writeUpload('deleted_thing', existing)], 'upload')
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
  }
}

/** Plays a plan once; resolves to undefined without an anomaly. `precedes` decides what raced; default: by time. */
export const playOnce = async (
  plan: Plan,
  connection: Connection,
  mark: string,
  precedes: Precedence = precedesInTime,
): Promise<Failure | undefined> => {
  const trace = await playPlan(plan, withRetries(connection), mark)
  const anomaly = findAnomaly(trace, precedes)
  await deleteThings(trace, connection)
  return anomaly === undefined ? undefined : { plan, trace, anomaly }
}
