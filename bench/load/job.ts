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
