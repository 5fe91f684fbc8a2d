import type { RawRequest, Reply } from './client.ts'
import { isObject, type JsonObject, parseJson } from './encoding.ts'
import type { Replica } from './replica.ts'
import { asSetup, Blocked, Finding, NoResponse } from './result.ts'
import { isSyncResponse, off } from './sync-messages.ts'

/** What a run left in the accounts. */
interface Traces {
  /** Beginning of every mark of the run. */
  readonly run: string
  /** Notes what a request may make whose answer may never come: the run can end meanwhile. */
  readonly noteSending: (user: number, request: RawRequest) => void
  /** Notes what a request made, as its parameters and its answer show. */
  readonly note: (user: number, request: RawRequest, reply: Reply) => void
  /** Notes what the replica's user has before the run; nothing of it is ever removed. */
  readonly noteBaseline: (replica: Replica) => Promise<void>
  /** Whether the run made this thing, as it is listed. */
  readonly isOurs: (user: number, id: string, thing: JsonObject) => boolean
  /** Whether the run made the thing of this id and nothing was there under it before, as is surely known. */
  readonly isSurelyOurs: (user: number, id: string) => boolean
  readonly tagsOf: (user: number) => ReadonlySet<string>
  /** Requests that unregister the webhooks and devices that the run registered and did not unregister. */
  readonly unregistrationsOf: (user: number) => readonly RawRequest[]
}

/** How what is registered is unregistered: the path, and the parameters that name it. */
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

/** Ids that an answer gave to what its request created. */
const idsMade = ({ path }: RawRequest, { json }: Reply): readonly string[] => {
  const made = isObject(json?.things) ? json.things.new : undefined
  const added = path === 'thing/add' && json?._id !== undefined ? [json._id] : []
  return [...(isObject(made) ? Object.values(made) : []), ...added].map(String)
}

/** Makes an empty note of traces. */
export const createTraces = (run: string): Traces => {
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
        const tag = /^tag\[(.*?)\]/s.exec(name)?.[1]
        if (tag !== undefined) add(tags, user, tag)
      }
      for (const id of idsMade(request, reply)) add(things, user, id)
    },
    noteBaseline: async (replica) => {
      try {
        const listing = await replica.listAll()
        before.set(replica.user, new Set(listing.things.keys()))
      } catch (error) {
        // What can't be listed now is told apart by its marks alone.
        if (!(error instanceof Finding || error instanceof NoResponse || error instanceof Blocked)) throw error
      }
    },
    isOurs: (user, id, thing) => {
      const old = before.get(user)
      if (old?.has(id) === true) return false
      return JSON.stringify(thing).includes(run) || (old !== undefined && things.get(user)?.has(id) === true)
    },
    isSurelyOurs: (user, id) => before.get(user)?.has(id) === false && things.get(user)?.has(id) === true,
    tagsOf: (user) => tags.get(user) ?? new Set(),
    unregistrationsOf: (user) =>
      [...registered.values()].filter((each) => each.user === user).map(({ request }) => request),
  }
}

/** Things in one request: many at first, and where that is refused as few as every server takes (interface 8). */
const atOnce = { max: 100, min: 10 }

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
  if (left.length === 0 || ids.length <= atOnce.min) return left
  const parts = Array.from({ length: Math.ceil(ids.length / atOnce.min) }, (_, place) =>
    ids.slice(place * atOnce.min, (place + 1) * atOnce.min),
  )
  const all: string[] = []
  for (const part of parts) all.push(...(await removeBatch(replica, part)))
  return all
}

type Step = () => Promise<readonly string[]>

/** Takes the steps one after the other, as a client would, or all together where nobody waits for the last. */
const takeSteps = async (steps: readonly Step[], isHurried: boolean): Promise<string[]> => {
  if (isHurried) return (await Promise.all(steps.map((step) => step()))).flat()
  const left: string[] = []
  for (const step of steps) left.push(...(await step()))
  return left
}

/** Steps that delete the things and reset the tags; each says what could not be done. */
const removing = (replica: Replica, ids: readonly string[], tags: readonly string[]): Step[] => {
  const count = Math.ceil(ids.length / atOnce.max)
  const batches = Array.from({ length: count }, (_, place) => ids.slice(place * atOnce.max, (place + 1) * atOnce.max))
  const tag = Object.fromEntries(tags.map((name) => [name, off]))
  const reset: Step = () => attempt('resetting tag settings', () => replica.sync({ tag, limit: 1 }))
  return [...batches.map((batch) => () => removeBatch(replica, batch)), ...(tags.length === 0 ? [] : [reset])]
}

/**
 * Deletes the things that the run made for the replica's user, resets its tags and unregisters what it registered; says
 * what could not be done. Verdicts do not depend on it.
 */
export const cleanUp = async (replica: Replica, traces: Traces, isHurried: boolean): Promise<string[]> => {
  const ids = new Set<string>()
  const tags = new Set(traces.tagsOf(replica.user))
  const unseen = await attempt('listing the account', async () => {
    const listing = await replica.listAll()
    for (const [id, thing] of listing.things) {
      if (traces.isOurs(replica.user, id, thing)) ids.add(id)
    }
    for (const tag of listing.tags.keys()) if (tag.includes(traces.run)) tags.add(tag)
  })
  const unregistering = traces.unregistrationsOf(replica.user).map(
    (request): Step =>
      () =>
        attempt(`${request.path}`, () => replica.send(request)),
  )
  const left = await takeSteps([...removing(replica, [...ids], [...tags]), ...unregistering], isHurried)
  return [...unseen, ...left]
}

/** Deletes every thing of the replica's user and resets every tag; throws a Blocked when the server does not do it. */
export const wipe = async (replica: Replica): Promise<void> => {
  const { things, tags } = await asSetup('listing the account', () => replica.listAll())
  const [left] = await takeSteps(removing(replica, [...things.keys()], [...tags.keys()]), false)
  if (left !== undefined) throw new Blocked(`the account can not be wiped: ${left}`)
}

/** What one rule made and did not delete, by user. */
interface CreatedThings {
  readonly note: (user: number, request: RawRequest, reply: Reply) => void
  readonly ids: (user: number) => readonly string[]
}

/** Deletes during the run what rules that are over have made, so that listings stay short. The clean-up does not rely on it. */
interface Sweep {
  /**
   * Takes what a rule that is over has made, and deletes once enough has come together. Never throws for what the
   * server does.
   */
  readonly take: (user: number, ids: readonly string[], open: () => OpenReplica) => Promise<void>
}

/** A replica to delete with. */
export interface OpenReplica {
  readonly replica: Replica
  readonly close: () => void
}

/** What is left lying until then. */
const enough = 60

/** Things in one request: more first, then as few as every server takes. */
const batches = { max: 60, min: 10 }

const deletedIn = (request: RawRequest): readonly string[] =>
  (request.form ?? []).flatMap(([name, value]) => {
    if (!/^deleted_thing(\[\])?$/.test(name)) return []
    const ids = value.startsWith('[') ? parseJson(value) : value
    return [ids].flat().map(String)
  })

/** Makes an empty note. */
export const trackCreated = (): CreatedThings => {
  const made = new Map<number, Set<string>>()
  return {
    note: (user, request, reply) => {
      const known = made.get(user) ?? new Set()
      const ids = isObject(reply.json?.things) ? reply.json.things.new : undefined
      for (const id of isObject(ids) ? Object.values(ids) : []) known.add(String(id))
      for (const id of deletedIn(request)) known.delete(id)
      made.set(user, known)
    },
    ids: (user) => [...(made.get(user) ?? [])],
  }
}

/** Makes a sweep; `mayRemove` says whether a thing is surely the run's own. */
export const createSweep = (mayRemove: (user: number, id: string) => boolean): Sweep => {
  const lying = new Map<number, string[]>()
  let atOnce = batches.max
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
    for (let start = 0; start < ids.length && !isRejected; start += atOnce) {
      if (await send(replica, ids.slice(start, start + atOnce))) continue
      isRejected = atOnce === batches.min
      atOnce = batches.min
    }
  }

  return {
    take: async (user, ids, open) => {
      const all = [...(lying.get(user) ?? []), ...ids.filter((id) => mayRemove(user, id))]
      lying.set(user, all)
      if (all.length < enough || isRejected) return
      lying.delete(user)
      const { replica, close } = open()
      try {
        await removeAll(replica, all)
      } finally {
        close()
      }
    },
  }
}
