import { type Children, startScript } from '../machine/processes.ts'

/** What a load generator is to do: the same request again and again, over a number of connections. */
export interface LoadJob {
  readonly port: number
  readonly method: string
  /** Path with query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /**
   * In path, headers and body `{n}` is a number that is new for each request and `{pos}` the `pos` of the connection's
   * last answer.
   */
  readonly body?: string
  /** One set of headers for each connection, in place of `headers`; there must be at least as many as connections. */
  readonly headersByConnection?: readonly Readonly<Record<string, string>>[]
  readonly connections: number
  /** Ends after this time or this many requests, whichever is given. */
  readonly seconds?: number
  readonly count?: number
  /** Sleeps while there is nothing to do: for what is measured together with a database, which needs a core, too. */
  readonly rests?: boolean
  /** Reads no faster than this on each connection. */
  readonly bytesPerSecond?: number
  /** Keeps the body of the last answer in a file; otherwise bodies are only counted. */
  readonly saveTo?: string
  /** The status that every answer must have; any 2xx unless given. */
  readonly status?: number
}

/** What came of a job. All requests were answered with the status that was expected, or there is an error instead. */
export interface LoadResult {
  readonly count: number
  readonly seconds: number
  /** Of bodies, as sent over the wire. */
  readonly bytes: number
  readonly medianMs: number
  readonly p99Ms: number
  readonly maxMs: number
}

/** Between the bench and a load generator, over the channel of the process. */
export type LoadMessage = { readonly id: number; readonly job: LoadJob }
export type LoadReply =
  | { readonly id: number; readonly result: LoadResult }
  | { readonly id: number; readonly failure: string }

/** Runs a job in the load generator. @throws when a request of it was refused or failed */
export type RunLoad = (job: LoadJob) => Promise<LoadResult>

/** Starts a load generator: this project's own, on raw sockets of Node, on the core for load. */
export const openLoad = (children: Children): RunLoad => {
  const child = startScript(children, 'load/generator.ts', [], 'load')
  const waiting = new Map<number, { resolve: (result: LoadResult) => void; reject: (error: Error) => void }>()
  let lastId = 0

  child.on('message', (reply: LoadReply) => {
    const { resolve, reject } = waiting.get(reply.id) ?? {}
    waiting.delete(reply.id)
    if ('result' in reply) resolve?.(reply.result)
    else reject?.(new Error(reply.failure))
  })
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the load generator has ended'))
  })
  return (job) =>
    new Promise((resolve, reject) => {
      lastId += 1
      waiting.set(lastId, { resolve, reject })
      child.send({ id: lastId, job })
    })
}

/** Opens so many streams of events and keeps them; answered when each has said where its account stands. */
export interface HoldJob {
  readonly kind: 'hold'
  readonly port: number
  readonly tokens: readonly string[]
  readonly streamsEach: number
}

/** Changes an account again and again while others upload, and waits each time until its stream says so. */
export interface LatencyJob {
  readonly kind: 'latency'
  readonly port: number
  /** Two sessions of one user. */
  readonly reading: string
  readonly writing: string
  /** Who uploads beside that, one after the other, so many times a second all together. */
  readonly others: readonly string[]
  readonly uploadsPerSecond: number
  readonly count: number
}

/** From when a change was sent, and from when it was answered, to its event. */
export interface LatencyResult {
  readonly medianMs: number
  readonly p99Ms: number
  readonly afterResponseMs: number
  /** What the others reached. */
  readonly uploadsPerSecond: number
}

export type ListeningJob = HoldJob | LatencyJob
export type ListeningReply = { readonly result: LatencyResult | undefined } | { readonly failure: string }
