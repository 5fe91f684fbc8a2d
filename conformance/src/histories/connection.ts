import { setTimeout as wait } from 'node:timers/promises'
import type { Reply } from '../client.ts'
import type { Pair } from '../form.ts'
import { isSyncAnswer } from '../sync-answer.ts'
import type { ReplicaName } from './plan.ts'

/** What histories need of a server: syncs of one replica, and its refresh. Both throw when no answer comes. */
export interface Connection {
  /** Sends the parameters, an upload as POST, anything else as GET, with the replica's token. */
  readonly sync: (who: ReplicaName, pairs: readonly Pair[], kind: 'list' | 'upload') => Promise<Reply>
  readonly refresh: (who: ReplicaName) => Promise<void>
}

/** A connection that takes up to `mostMs` milliseconds before each request, as separate programs would that a shell starts. */
export const withDelays = (connection: Connection, mostMs: number, random: () => number): Connection => ({
  refresh: connection.refresh,
  sync: async (who, pairs, kind) => {
    await wait(random() * mostMs)
    return connection.sync(who, pairs, kind)
  },
})

const mostAttempts = 4

/**
 * A connection that asks again when it is refused while another of its requests is in flight: a server may give way to a
 * conflict with an error, and a client then repeats its request.
 */
export const withPatience = (connection: Connection): Connection => {
  let inFlight = 0
  return {
    refresh: connection.refresh,
    sync: async (who, pairs, kind) => {
      for (let attempt = 1; ; attempt += 1) {
        inFlight += 1
        const metAtStart = inFlight > 1
        const reply = await connection.sync(who, pairs, kind).finally(() => {
          inFlight -= 1
        })
        const met = metAtStart || inFlight > 0
        if (isSyncAnswer(reply) || !met || attempt === mostAttempts) return reply
        await wait(10 * attempt)
      }
    },
  }
}
