import type { RawRequest, Reply } from './client.ts'
import { asSetup, Blocked, Finding, NoAnswer } from './finding.ts'
import type { Pair } from './form.ts'
import { isObject, type JsonObject } from './json.ts'
import type { Replica } from './replica.ts'

/** What a run left in the accounts. */
export interface Traces {
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
  /** Parameters of the webhooks that the run registered and did not unregister. */
  readonly webhooksOf: (user: number) => readonly (readonly Pair[])[]
}

/** Makes an empty note of traces. */
export const createTraces = (run: string): Traces => {
  const things = new Map<number, Set<string>>()
  const tags = new Map<number, Set<string>>()
  const webhooks = new Map<string, { readonly user: number; readonly form: readonly Pair[] }>()
  const before = new Map<number, ReadonlySet<string>>()
  const namedIn = ({ form = [] }: RawRequest): Pair[] =>
    form.filter(([name]) => name === 'target_url' || name === 'event')
  const add = (map: Map<number, Set<string>>, user: number, value: string): void => {
    map.set(user, (map.get(user) ?? new Set()).add(value))
  }
  return {
    run,
    noteSending: (user, request) => {
      if (request.path !== 'webhook/register') return
      const form = namedIn(request)
      webhooks.set(JSON.stringify([user, form]), { user, form })
    },
    note: (user, request, reply) => {
      if (request.path === 'webhook/unregister') webhooks.delete(JSON.stringify([user, namedIn(request)]))
      for (const [name] of request.form ?? []) {
        const tag = /^tag\[(.*?)\]/s.exec(name)?.[1]
        if (tag !== undefined) add(tags, user, tag)
      }
      const made = isObject(reply.json?.things) ? reply.json.things.new : undefined
      for (const id of isObject(made) ? Object.values(made) : []) add(things, user, String(id))
    },
    noteBaseline: async (replica) => {
      try {
        const listing = await replica.listAll()
        before.set(replica.user, new Set(listing.things.keys()))
      } catch (error) {
        // What can't be listed now is told apart by its marks alone.
        if (!(error instanceof Finding || error instanceof NoAnswer || error instanceof Blocked)) throw error
      }
    },
    isOurs: (user, id, thing) => {
      const old = before.get(user)
      if (old?.has(id) === true) return false
      return JSON.stringify(thing).includes(run) || (old !== undefined && things.get(user)?.has(id) === true)
    },
    isSurelyOurs: (user, id) => before.get(user)?.has(id) === false && things.get(user)?.has(id) === true,
    tagsOf: (user) => tags.get(user) ?? new Set(),
    webhooksOf: (user) => [...webhooks.values()].filter((each) => each.user === user).map(({ form }) => form),
  }
}

/** Things in one request: many at first, and where that is refused as few as every server takes (interface 8). */
const atOnce = { most: 100, least: 10 }

const attempt = async (what: string, step: () => Promise<unknown>): Promise<string[]> => {
  try {
    await step()
    return []
  } catch (error) {
    if (error instanceof Finding || error instanceof NoAnswer || error instanceof Blocked) {
      return [`${what}: ${error.message}`]
    }
    throw error
  }
}

const off = { favorite: false, color: false, todo: false } as const

const removeBatch = async (replica: Replica, ids: readonly string[]): Promise<string[]> => {
  const left = await attempt('deleting things', () => replica.remove(...ids))
  if (left.length === 0 || ids.length <= atOnce.least) return left
  const parts = Array.from({ length: Math.ceil(ids.length / atOnce.least) }, (_, place) =>
    ids.slice(place * atOnce.least, (place + 1) * atOnce.least),
  )
  const all: string[] = []
  for (const part of parts) all.push(...(await removeBatch(replica, part)))
  return all
}

/** Deletes the things and resets the tags; says what could not be done. */
const remove = async (replica: Replica, ids: readonly string[], tags: readonly string[]): Promise<string[]> => {
  const left: string[] = []
  for (let start = 0; start < ids.length; start += atOnce.most) {
    left.push(...(await removeBatch(replica, ids.slice(start, start + atOnce.most))))
  }
  if (tags.length === 0) return left
  const tag = Object.fromEntries(tags.map((name) => [name, off]))
  return [...left, ...(await attempt('resetting tag settings', () => replica.sync({ tag, limit: 1 })))]
}

/** Deletes the things that the run made for the replica's user and resets its tags; says what could not be done. Verdicts do not depend on it. */
export const cleanUp = async (replica: Replica, traces: Traces): Promise<string[]> => {
  const ids = new Set<string>()
  const tags = new Set(traces.tagsOf(replica.user))
  const unseen = await attempt('listing the account', async () => {
    const listing = await replica.listAll()
    for (const [id, thing] of listing.things) {
      if (traces.isOurs(replica.user, id, thing)) ids.add(id)
    }
    for (const tag of listing.tags.keys()) if (tag.includes(traces.run)) tags.add(tag)
  })
  const left = [...unseen, ...(await remove(replica, [...ids], [...tags]))]
  for (const form of traces.webhooksOf(replica.user)) {
    const unregister = () => replica.send({ method: 'POST', path: 'webhook/unregister', form })
    left.push(...(await attempt('unregistering a webhook', unregister)))
  }
  return left
}

/** Deletes every thing of the replica's user and resets every tag; throws a Blocked when the server does not do it. */
export const wipe = async (replica: Replica): Promise<void> => {
  const { things, tags } = await asSetup('listing the account', () => replica.listAll())
  const [left] = await remove(replica, [...things.keys()], [...tags.keys()])
  if (left !== undefined) throw new Blocked(`the account can not be wiped: ${left}`)
}
