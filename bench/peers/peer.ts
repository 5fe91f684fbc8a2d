import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import type { LoadJob } from '../load/job.ts'
import { RowUnavailable } from '../row.ts'

/** What is asked of ours and of a peer's server, in the words of each. */
export type Ask = Pick<LoadJob, 'port' | 'method' | 'path' | 'headers' | 'body'>

/** A server with 10,000 items of which ten were changed last. */
export interface PeerServer {
  /** Adds one item; `{n}` in it makes each one different. */
  readonly add: Ask
  readonly download: Ask
  /** Lists what the ten last changes were. */
  readonly delta: Ask
}

/** Another server that keeps items in step, or at least keeps them. */
export interface Peer {
  readonly name: string
  /** What an answered change has gone through when it is answered. */
  readonly durability: string
  /** How many clients it can serve at once. */
  readonly clients: number
  /** Installs it, where that is the bench's to do; tells its version. @throws RowUnavailable when it cannot be had */
  readonly install: (say: (progress: string) => void) => Promise<string>
  /** Starts one, filled, after `install`. @throws RowUnavailable when it does not start */
  readonly start: (bench: Bench) => Promise<PeerServer>
}

/** How many items every server holds. */
export const peerItems = 10_000

/** Waits until a server answers anything. @throws RowUnavailable when it ends, or has not answered after 60 s */
export const waitForPeer = async (name: string, child: ChildProcess, url: string): Promise<void> => {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null || child.signalCode !== null) throw new RowUnavailable(`${name} ended while it started`)
    try {
      await (await fetch(url)).arrayBuffer()
      return
    } catch (error) {
      // What fetch throws while nobody listens.
      if (!(error instanceof TypeError)) throw error
    }
    await sleep(100)
  }
  throw new RowUnavailable(`${name} was started but did not answer`)
}

/** Sends one request of the preparation. @throws when it is not answered with 2xx */
export const prepare = async (url: string, init: RequestInit): Promise<string> => {
  const answer = await fetch(url, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${init.method} ${new URL(url).pathname} was answered with ${answer.status}`)
  return text
}
