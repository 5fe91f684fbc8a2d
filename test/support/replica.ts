import type { Send } from '../../client/src/api.ts'
import { createMemoryLocalStore, type LocalStore } from '../../client/src/local-store.ts'
import { createReplica, type Replica, type ReplicaOptions } from '../../client/src/replica.ts'
import { createMemoryTokenStorage } from '../../client/src/tokens.ts'
import { createTestClient } from './create-test-client.ts'
import type { TestDevice, TestServer } from './open-test-server.ts'
import type { Body } from './test-request.ts'

/** What happens to the next sync requests of a device. */
export type Fault =
  | 'none'
  | 'request lost'
  | 'response lost'
  /** The response breaks off after half of its bytes. */
  | 'response cut'
  /** The program ends at its second write to the local store. */
  | 'crash'

/** A replica of a real account on a network and a machine that fail on demand. */
export interface TestReplica {
  readonly replica: () => Replica
  readonly store: LocalStore
  readonly setFault: (fault: Fault) => void
  /** Syncs; a failure that the fault explains is no failure. */
  readonly sync: () => Promise<void>
  /** Ends the program and starts it again. */
  readonly restart: () => Promise<void>
  /** Goes on in another session of the same user. */
  readonly signInAgain: () => Promise<void>
  /** All that the replica shows, to be compared with `shownByServer`. */
  readonly content: () => Promise<object>
}

class Crash extends Error {}

/**
 * A replica of this user that has never synchronised, in the store of the options or in memory; `carry` carries its
 * requests to the server.
 */
export const openTestReplica = async (
  server: TestServer,
  userName: string,
  options: Partial<ReplicaOptions> = {},
  carry: Send = fetch,
): Promise<TestReplica> => {
  const tokens = createMemoryTokenStorage()
  const { store: kept = createMemoryLocalStore(), ...more } = options
  let fault: Fault = 'none'
  let writesLeft = Number.POSITIVE_INFINITY
  let sessions = 0

  const store: LocalStore = {
    ...kept,
    write: async (changes) => {
      if (writesLeft-- <= 0) throw new Crash('the program ended')
      await kept.write(changes)
    },
  }
  const send: Send = async (request) => {
    if (fault === 'request lost') throw new TypeError('fetch failed')
    const response = await carry(request)
    if (fault === 'none' || fault === 'crash') return response
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (fault === 'response lost') throw new TypeError('fetch failed')
    return new Response(cutOff(bytes), { status: response.status })
  }
  const client = createTestClient(server, { tokens, fetch: send })
  const open = () => createReplica({ client, store, ...more })
  const signInAgain = async () => {
    const { token } = await server.openDevice(userName)
    const session = `session ${++sessions}`
    await tokens.write({ accessToken: token, requestToken: '', session, expiresAt: Number.POSITIVE_INFINITY })
  }
  const restart = async () => {
    writesLeft = Number.POSITIVE_INFINITY
    replica = await open()
  }
  await signInAgain()
  let replica = await open()

  return {
    replica: () => replica,
    store,
    setFault: (next) => {
      fault = next
      writesLeft = next === 'crash' ? 1 : Number.POSITIVE_INFINITY
    },
    restart,
    signInAgain,
    sync: async () => {
      try {
        await replica.sync()
      } catch (error) {
        if (fault === 'none' || !(error instanceof Crash || (error instanceof Error && 'code' in error))) throw error
        if (error instanceof Crash) await restart()
      }
    },
    content: async () => {
      const things = []
      for await (const thing of replica.listThings()) things.push(thing)
      return { things: things.sort((a, b) => (a.id < b.id ? -1 : 1)), tags: await replica.listTags() }
    },
  }
}

const cutOff = (bytes: Uint8Array<ArrayBuffer>) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      controller.enqueue(bytes.slice(0, bytes.length / 2))
    },
    pull: (controller) => controller.error(new TypeError('terminated')),
  })

/** What a replica must show after a sync: a full sync that this code reads by itself. */
export const shownByServer = async (device: TestDevice): Promise<object> => {
  const { things, tags = {} } = await device.sync()
  const changed = (things?.changed ?? []) as unknown as ({ _id: string } & Body)[]
  return {
    things: changed
      .map(({ _id: id, ...thing }) => ({ id, archived: false, ...thing, isPending: false }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    tags: new Map(Object.entries(tags)),
  }
}
