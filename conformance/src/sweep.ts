import type { RawRequest, Reply } from './client.ts'
import { Blocked, NoAnswer } from './finding.ts'
import { isObject, parseJson } from './json.ts'
import type { Replica } from './replica.ts'
import { isSyncAnswer } from './sync-answer.ts'

/** What one rule made and did not delete, by user. */
export interface Made {
  readonly note: (user: number, request: RawRequest, reply: Reply) => void
  readonly ids: (user: number) => readonly string[]
}

/** Deletes during the run what rules that are over have made, so that listings stay short. The clean-up does not rely on it. */
export interface Sweep {
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
const batches = { most: 60, least: 10 }

const deletedIn = (request: RawRequest): readonly string[] =>
  (request.form ?? []).flatMap(([name, value]) => {
    if (!/^deleted_thing(\[\])?$/.test(name)) return []
    const ids = value.startsWith('[') ? parseJson(value) : value
    return [ids].flat().map(String)
  })

/** Makes an empty note. */
export const noteMade = (): Made => {
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
  let atOnce = batches.most
  let isRefused = false

  const send = async (replica: Replica, ids: readonly string[]): Promise<boolean> => {
    try {
      return isSyncAnswer(await replica.trySync({ from: await replica.position(), deleted_thing: ids }))
    } catch (error) {
      if (error instanceof NoAnswer || error instanceof Blocked) return false
      throw error
    }
  }

  const removeAll = async (replica: Replica, ids: readonly string[]): Promise<void> => {
    for (let start = 0; start < ids.length && !isRefused; start += atOnce) {
      if (await send(replica, ids.slice(start, start + atOnce))) continue
      isRefused = atOnce === batches.least
      atOnce = batches.least
    }
  }

  return {
    take: async (user, ids, open) => {
      const all = [...(lying.get(user) ?? []), ...ids.filter((id) => mayRemove(user, id))]
      lying.set(user, all)
      if (all.length < enough || isRefused) return
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
