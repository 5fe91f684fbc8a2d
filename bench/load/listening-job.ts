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
  readonly afterAnswerMs: number
  /** What the others reached. */
  readonly uploadsPerSecond: number
}

export type ListeningJob = HoldJob | LatencyJob
export type ListeningReply = { readonly result: LatencyResult | undefined } | { readonly failure: string }
