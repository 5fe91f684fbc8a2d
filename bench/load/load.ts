import { type Children, startScript } from '../machine/processes.ts'

/** A job of a load generator: it repeats one request over a number of connections. */
export interface LoadJob {
  readonly port: number
  readonly method: string
  /** Path with query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /**
   * In path and body, `{n}` becomes a number that is new for each request, and `{pos}` the `pos` of the previous
   * response on the connection.
   */
  readonly body?: string
  /** One set of headers for each connection, instead of `headers`. There must be at least one set per connection. */
  readonly headersByConnection?: readonly Readonly<Record<string, string>>[]
  readonly connections: number
  /** Maximum duration. The job ends at the maximum duration or the maximum `count` of requests. */
  readonly seconds?: number
  readonly count?: number
  /** Whether the generator sleeps while it waits: for rows with a database, which needs a core as well. */
  readonly sleepsWhileWaiting?: boolean
  /** Maximum rate at which the generator reads on each connection. */
  readonly bytesPerSecond?: number
  /** File for the body of the last response. Without it the generator only counts the bytes of bodies. */
  readonly saveTo?: string
  /** The status that every response must have (default: any 2xx). */
  readonly status?: number
}

/** The result of a job in which every response had the expected status. Otherwise the job fails with an error. */
export interface LoadResult {
  readonly count: number
  readonly seconds: number
  /** Sum of the bytes of all bodies, as sent over the wire. */
  readonly bytes: number
  readonly medianMs: number
  readonly p99Ms: number
  readonly maxMs: number
}

/** A message from the bench to a load generator, over the IPC channel of the process. */
export type LoadMessage = { readonly id: number; readonly job: LoadJob }
/** The reply of the load generator to the message with the same `id`. */
export type LoadReply =
  | { readonly id: number; readonly result: LoadResult }
  | { readonly id: number; readonly failure: string }

/** Runs a job in the load generator. @throws Error when a response has another status than expected, or none arrives */
export type RunLoad = (job: LoadJob) => Promise<LoadResult>

/** Starts a load generator on the core for load. It works on raw sockets and costs less than what it loads. */
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

/** Opens streams of events and keeps them open. The reply arrives when each stream has sent its first event. */
export interface HoldJob {
  readonly kind: 'hold'
  readonly port: number
  readonly tokens: readonly string[]
  readonly streamsEach: number
}

/** Changes an account `count` times while others upload, and waits each time for the event of the change. */
export interface LatencyJob {
  readonly kind: 'latency'
  readonly port: number
  /** Access tokens of two sessions of one user. */
  readonly reading: string
  readonly writing: string
  /** Access tokens of other users, who upload in turns at a total rate of `uploadsPerSecond`. */
  readonly others: readonly string[]
  readonly uploadsPerSecond: number
  readonly count: number
}

/** The times to the event: from sending the change (`medianMs`, `p99Ms`), and from its response (`afterResponseMs`). */
export interface LatencyResult {
  readonly medianMs: number
  readonly p99Ms: number
  readonly afterResponseMs: number
  /** The rate that the other users reached. */
  readonly uploadsPerSecond: number
}

/** A job of the listener. */
export type ListeningJob = HoldJob | LatencyJob
/** The reply of the listener to a job. */
export type ListeningReply = { readonly result: LatencyResult | undefined } | { readonly failure: string }
