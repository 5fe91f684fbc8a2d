import { randomUUID } from 'node:crypto'
import { catchRefusal, type Refusal } from './command-failed.ts'

/**
 * Work that a command has done in pieces, because all of it is longer than a request or a response may be: a copy or an
 * import. A command begins the job in the process that owns the data folder (`copy begin`, `import begin`), asks for the
 * pieces one after the other (`job next`), and ends the job (`job end`).
 */
export interface PiecewiseJob<Piece> {
  /** Does the next piece. `text` is what the command sends with it. */
  readonly next: (text?: string) => Promise<Piece>
  /** Ends the job, also before its last piece; returns notes for the user. */
  readonly end: () => Promise<readonly string[]>
}

/** A command about a job that was begun. */
export type JobCommand =
  | { readonly name: 'job next'; readonly job: string; readonly text?: string | undefined }
  | { readonly name: 'job end'; readonly job: string }

/** The outcome of beginning a job: its ID, or why it was not begun. */
export type JobBegun = { readonly job: string } | Refusal

/** The outcome of a job command. `isUnknown`: this process has no such job; it was restarted, or the job timed out. */
export type JobOutcome<Piece> =
  | { readonly piece: Piece }
  | { readonly notes: readonly string[] }
  | { readonly isUnknown: true }
  | Refusal

/** The jobs that commands of other processes have under way. */
export interface PiecewiseJobs {
  /** Begins a job, unless as many of its kind as allowed are under way. */
  readonly begin: (kind: 'copies' | 'imports', open: () => Promise<PiecewiseJob<unknown>>) => Promise<JobBegun>
  readonly run: (command: JobCommand) => Promise<JobOutcome<unknown>>
}

const maxJobsOfKind = 4
const timeoutMilliseconds = 60_000

/** Creates an empty set of jobs. A job is dropped when no command about it comes for a minute; what it has done stays. */
export const createPiecewiseJobs = (): PiecewiseJobs => {
  const running = new Map<string, { readonly kind: string; readonly job: PiecewiseJob<unknown> }>()
  const timers = new Map<string, NodeJS.Timeout>()

  const stopTimer = (id: string): void => {
    clearTimeout(timers.get(id))
    timers.delete(id)
  }
  const startTimer = (id: string): void => {
    const onTimeout = () => {
      timers.delete(id)
      running.delete(id)
    }
    timers.set(id, setTimeout(onTimeout, timeoutMilliseconds).unref())
  }

  return {
    begin: (kind, open) =>
      catchRefusal(async () => {
        if ([...running.values()].filter((each) => each.kind === kind).length >= maxJobsOfKind)
          return {
            refused: `${maxJobsOfKind} ${kind} are being made already; wait for one (one that was killed is forgotten within a minute)`,
          }
        const job = await open()
        const id = randomUUID()
        running.set(id, { kind, job })
        startTimer(id)
        return { job: id }
      }),
    run: (command) =>
      catchRefusal(async () => {
        const { job: id } = command
        const job = running.get(id)?.job
        if (job === undefined) return { isUnknown: true }
        // A piece may take longer than the time-out.
        stopTimer(id)
        if (command.name === 'job end') {
          running.delete(id)
          return { notes: await job.end() }
        }
        try {
          return { piece: await job.next(command.text) }
        } finally {
          if (running.has(id)) startTimer(id)
        }
      }),
  }
}
