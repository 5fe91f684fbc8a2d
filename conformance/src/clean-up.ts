import type { RawRequest, Reply } from './client.ts'
import { isObject, type JsonObject, parseJson } from './encoding.ts'
import type { Replica } from './replica.ts'
import { asSetup, Blocked, Finding, NoResponse } from './result.ts'
import { isSyncResponse, off } from './sync-messages.ts'

/** The record of the data that a run left in the accounts. */
interface RunLedger {
  /** Prefix of every mark of the run. */
  readonly run: string
  /** Records what a request may create before it is sent: the run can end before its response. */
  readonly noteSending: (user: number, request: RawRequest) => void
  /** Records what a request created, as its parameters and its response show. */
  readonly note: (user: number, request: RawRequest, reply: Reply) => void
  /** Records the things of the replica's user before the run; the clean-up never deletes them. */
  readonly noteBaseline: (replica: Replica) => Promise<void>
  /** Whether the run created this listed thing. */
  readonly isCreatedByRun: (user: number, id: string, thing: JsonObject) => boolean
  /** Whether the run certainly created the thing of this ID; false where the ID existed before or that is not known. */
  readonly isSurelyCreatedByRun: (user: number, id: string) => boolean
  /** The IDs that the server gave to things of the run so far. */
  readonly idsOf: (user: number) => ReadonlySet<string>
  readonly tagsOf: (user: number) => ReadonlySet<string>
  /** Returns requests that unregister the webhooks and devices that the run registered and did not unregister. */
  readonly unregistrationsOf: (user: number) => readonly RawRequest[]
}

/** How an operation that registers is undone: the path, and the parameters that identify the registration. */
interface Registration {
  readonly register: RegExp
  readonly unregister: RegExp
  readonly path: string
  readonly names: readonly string[]
}

const registrations: readonly Registration[] = [
  {
    register: /^webhook\/register$/,
    unregister: /^webhook\/unregister$/,
    path: 'webhook/unregister',
    names: ['target_url', 'event'],
  },
  {
    register: /^(register\/device|device\/register)$/,
    unregister: /^(unregister\/device|device\/unregister)$/,
    path: 'unregister/device',
    names: ['type', 'id'],
  },
]

/** Returns the IDs that a response gave to what its request created. */
const createdIds = ({ path }: RawRequest, { json }: Reply): readonly string[] => {
  const created = isObject(json?.things) ? json.things.new : undefined
  const added = path === 'thing/add' && json?._id !== undefined ? [json._id] : []
  return [...(isObject(created) ? Object.values(created) : []), ...added].map(String)
}

/** Creates an empty ledger. */
export const createRunLedger = (run: string): RunLedger => {
  const things = new Map<number, Set<string>>()
  const tags = new Map<number, Set<string>>()
  const registered = new Map<string, { readonly user: number; readonly request: RawRequest }>()
  const before = new Map<number, ReadonlySet<string>>()
  const findUnregistration = ({ path, form = [] }: RawRequest, kind: 'register' | 'unregister') => {
    const registration = registrations.find((each) => each[kind].test(path))
    if (registration === undefined) return undefined
    const named = form.filter(([name]) => registration.names.includes(name))
    return { method: 'POST', path: registration.path, form: named }
  }
  const add = (map: Map<number, Set<string>>, user: number, value: string): void => {
    map.set(user, (map.get(user) ?? new Set()).add(value))
  }
  return {
    run,
    noteSending: (user, request) => {
      const undo = findUnregistration(request, 'register')
      if (undo !== undefined) registered.set(JSON.stringify([user, undo]), { user, request: undo })
    },
    note: (user, request, reply) => {
      const undone = findUnregistration(request, 'unregister')
      if (undone !== undefined) registered.delete(JSON.stringify([user, undone]))
      for (const [name] of request.form ?? []) {
        // A name may contain brackets; `tag[name][field]` is another form (contract, requests).
        const tag = /^tag\[(.*)\]$/s.exec(name)?.[1]?.replace(/\]\[(?:favorite|color|todo)$/s, '')
        if (tag !== undefined) add(tags, user, tag)
      }
      for (const id of createdIds(request, reply)) add(things, user, id)
    },
    noteBaseline: async (replica) => {
      try {
        const listing = await replica.listAll()
        before.set(replica.user, new Set(listing.things.keys()))
      } catch (error) {
        // When the listing fails, only marks distinguish the run's things from older things.
        if (!(error instanceof Finding || error instanceof NoResponse || error instanceof Blocked)) throw error
      }
    },
    isCreatedByRun: (user, id, thing) => {
      const old = before.get(user)
      if (old?.has(id) === true) return false
      return JSON.stringify(thing).includes(run) || (old !== undefined && things.get(user)?.has(id) === true)
    },
    isSurelyCreatedByRun: (user, id) => before.get(user)?.has(id) === false && things.get(user)?.has(id) === true,
    idsOf: (user) => new Set(things.get(user)),
    tagsOf: (user) => tags.get(user) ?? new Set(),
    unregistrationsOf: (user) =>
      [...registered.values()].filter((each) => each.user === user).map(({ request }) => request),
  }
}

/** Number of things in one request: many at first; after an error, as few as every server accepts (interface 8). */
const batchSize = { max: 100, min: 10 }

const attempt = async (what: string, step: () => Promise<unknown>): Promise<string[]> => {
  try {
    await step()
    return []
  } catch (error) {
    if (error instanceof Finding || error instanceof NoResponse || error instanceof Blocked) {
      return [`${what}: ${error.message}`]
    }
    throw error
  }
}

const removeBatch = async (replica: Replica, ids: readonly string[]): Promise<string[]> => {
  const left = await attempt('deleting things', () => replica.remove(...ids))
  if (left.length === 0 || ids.length <= batchSize.min) return left
  const parts = Array.from({ length: Math.ceil(ids.length / batchSize.min) }, (_, index) =>
    ids.slice(index * batchSize.min, (index + 1) * batchSize.min),
  )
  const all: string[] = []
  for (const part of parts) all.push(...(await removeBatch(replica, part)))
  return all
}

type Step = () => Promise<readonly string[]>

/** Takes the steps one after the other, as a client would, or all at once in a hurry. */
const passSteps = async (steps: readonly Step[], isHurried: boolean): Promise<string[]> => {
  if (isHurried) return (await Promise.all(steps.map((step) => step()))).flat()
  const left: string[] = []
  for (const step of steps) left.push(...(await step()))
  return left
}

/** Returns steps that delete the things and reset the tags; each resolves to sentences about what failed. */
const createRemovalSteps = (replica: Replica, ids: readonly string[], tags: readonly string[]): Step[] => {
  const count = Math.ceil(ids.length / batchSize.max)
  const batches = Array.from({ length: count }, (_, index) =>
    ids.slice(index * batchSize.max, (index + 1) * batchSize.max),
  )
  const tag = Object.fromEntries(tags.map((name) => [name, off]))
  const reset: Step = () => attempt('resetting tag settings', () => replica.sync({ tag, limit: 1 }))
  return [...batches.map((batch) => () => removeBatch(replica, batch)), ...(tags.length === 0 ? [] : [reset])]
}

/**
 * Deletes the things that the run created for the replica's user, resets its tags, and unregisters webhooks and
 * devices. Resolves to sentences about what failed; verdicts do not depend on them.
 */
export const cleanUp = async (replica: Replica, ledger: RunLedger, isHurried: boolean): Promise<string[]> => {
  const ids = new Set<string>()
  const tags = new Set(ledger.tagsOf(replica.user))
  const unlisted = await attempt('listing the account', async () => {
    const listing = await replica.listAll()
    for (const [id, thing] of listing.things) {
      if (ledger.isCreatedByRun(replica.user, id, thing)) ids.add(id)
    }
    for (const tag of listing.tags.keys()) if (tag.includes(ledger.run)) tags.add(tag)
  })
  const unregistering = ledger.unregistrationsOf(replica.user).map(
    (request): Step =>
      () =>
        attempt(`${request.path}`, () => replica.send(request)),
  )
  const left = await passSteps([...createRemovalSteps(replica, [...ids], [...tags]), ...unregistering], isHurried)
  return [...unlisted, ...left]
}

/** Deletes every thing of the replica's user and resets every tag. @throws Blocked when the server does not do it. */
export const wipe = async (replica: Replica): Promise<void> => {
  const { things, tags } = await asSetup('listing the account', () => replica.listAll())
  const [left] = await passSteps(createRemovalSteps(replica, [...things.keys()], [...tags.keys()]), false)
  if (left !== undefined) throw new Blocked(`the account cannot be wiped: ${left}`)
}

/** The things that one rule created and did not delete, by user. */
interface CreatedThings {
  readonly note: (user: number, request: RawRequest, reply: Reply) => void
  readonly ids: (user: number) => readonly string[]
  /** Number of characters in the requests that created things. */
  readonly characters: (user: number) => number
}

/** Deletes the things of finished rules during the run: listings stay short. The clean-up does not rely on it. */
interface Sweep {
  /** Takes a finished rule's things, and deletes when they are many or large. Never throws for an error of the server. */
  readonly take: (user: number, created: CreatedThings, open: () => OpenReplica) => Promise<void>
}

/** A replica to delete with. */
export interface OpenReplica {
  readonly replica: Replica
  readonly close: () => void
}

/** Number of things, or of characters in them, that start a sweep. */
const sweepThresholds = { things: 60, characters: 100_000 }

/** Number of things in one request: more at first; after an error, as few as every server accepts (interface 8). */
const sweepBatchSize = { max: 60, min: 10 }

const deletedIn = (request: RawRequest): readonly string[] =>
  (request.form ?? []).flatMap(([name, value]) => {
    if (!/^deleted_thing(\[\])?$/.test(name)) return []
    const ids = value.startsWith('[') ? parseJson(value) : value
    return [ids].flat().map(String)
  })

/** Creates an empty record of created things. */
export const trackCreated = (): CreatedThings => {
  const created = new Map<number, Set<string>>()
  const characters = new Map<number, number>()
  return {
    note: (user, request, reply) => {
      const known = created.get(user) ?? new Set()
      const listed = isObject(reply.json?.things) ? reply.json.things.new : undefined
      const ids = isObject(listed) ? Object.values(listed) : []
      for (const id of ids) known.add(String(id))
      const length = (request.form ?? []).reduce((sum, [, value]) => sum + value.length, 0)
      if (ids.length > 0) characters.set(user, (characters.get(user) ?? 0) + length)
      for (const id of deletedIn(request)) known.delete(id)
      created.set(user, known)
    },
    ids: (user) => [...(created.get(user) ?? [])],
    characters: (user) => characters.get(user) ?? 0,
  }
}

/** Creates a sweep; `mayRemove` says whether the run certainly created a thing. */
export const createSweep = (mayRemove: (user: number, id: string) => boolean): Sweep => {
  const pending = new Map<number, { readonly ids: readonly string[]; readonly characters: number }>()
  let currentBatchSize = sweepBatchSize.max
  let isRejected = false

  const send = async (replica: Replica, ids: readonly string[]): Promise<boolean> => {
    try {
      return isSyncResponse(await replica.trySync({ from: await replica.position(), deleted_thing: ids }))
    } catch (error) {
      if (error instanceof NoResponse || error instanceof Blocked) return false
      throw error
    }
  }

  const removeAll = async (replica: Replica, ids: readonly string[]): Promise<void> => {
    for (let start = 0; start < ids.length && !isRejected; start += currentBatchSize) {
      if (await send(replica, ids.slice(start, start + currentBatchSize))) continue
      isRejected = currentBatchSize === sweepBatchSize.min
      currentBatchSize = sweepBatchSize.min
    }
  }

  return {
    take: async (user, created, open) => {
      const before = pending.get(user) ?? { ids: [], characters: 0 }
      const ids = [...before.ids, ...created.ids(user).filter((id) => mayRemove(user, id))]
      const characters = before.characters + created.characters(user)
      pending.set(user, { ids, characters })
      const isEnough = ids.length >= sweepThresholds.things || characters >= sweepThresholds.characters
      if (!isEnough || ids.length === 0 || isRejected) return
      pending.delete(user)
      const { replica, close } = open()
      try {
        await removeAll(replica, ids)
      } finally {
        close()
      }
    },
  }
}
