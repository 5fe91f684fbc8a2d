import type { ChildProcess } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseSizes, type Sizes } from './arguments.ts'
import { type Enrolment, enrol, fill, signIn } from './candidate/accounts.ts'
import { type RunningServer, type ServerOptions, startServer } from './candidate/server.ts'
import { openLoad, type RunLoad } from './load/load.ts'
import type { Children, Core } from './machine/processes.ts'
import { nextMessage, startScript } from './machine/processes.ts'

/** A folder with one user's things, left by a server that was killed (kill -9) after the last upload. */
export interface FilledFolder {
  readonly folder: string
  readonly enrolment: Enrolment
  /** The session that has filled it; good for another 10 minutes at least. */
  readonly token: string
}

/** Access tokens live an hour; a folder whose token is older than this is filled anew. */
const freshMilliseconds = 50 * 60 * 1000

/** A server with a signed-in user. */
export interface OpenAccount extends RunningServer {
  readonly token: string
  readonly enrolment: Enrolment
  readonly folder: string
}

/** What a row works with. Everything that it starts or makes is ended and removed after the row. */
export interface Bench {
  readonly sizes: Sizes
  /** The most rounds that will be measured, the first one that only warms up not counted. */
  readonly rounds: number
  /** How long a rate is measured in a round, in seconds. */
  readonly rateSeconds: number
  readonly say: (progress: string) => void
  readonly load: RunLoad
  /** A second load generator, so that small requests do not wait behind downloads. */
  readonly loadBeside: RunLoad
  readonly children: Children
  readonly createFolder: () => Promise<string>
  /** Does something after the row, when its processes are ended. */
  readonly atEnd: (work: () => Promise<void>) => void
  readonly start: (options: ServerOptions) => Promise<RunningServer>
  /** A copy of a folder with so many things, which is filled once in a run. */
  readonly copyFilled: (thingCount: number) => Promise<FilledFolder>
  /** A server on such a copy, with user-0 signed in and the account opened. */
  readonly openAccount: (thingCount: number, options?: Pick<ServerOptions, 'servesWeb'>) => Promise<OpenAccount>
  /** Starts a floor of `floors/`, or something outside that the server calls, and tells its port. */
  readonly startBaseline: (name: string, args: readonly string[], core?: Core) => Promise<{ port: number; pid: number }>
  readonly startScript: (file: string, args: readonly string[], core?: Core) => ChildProcess
}

/** What the whole run has in common. */
export interface BenchRun {
  readonly sizes: Sizes
  readonly forRow: (rounds: number) => Promise<{ bench: Bench; close: () => Promise<void> }>
  /** Folder of everything that the run writes; to be removed by the caller, also when the run is broken off. */
  readonly root: string
}

/** Opens a run. */
export const openBenchRun = async (
  children: Children,
  isQuick: boolean,
  say: (progress: string) => void,
): Promise<BenchRun> => {
  const root = await mkdtemp(join(tmpdir(), 'thingsync-bench-'))
  const filled = new Map<number, Omit<FilledFolder, 'folder'> & { readonly filledAt: number }>()

  const fillOnce = async (thingCount: number) => {
    const known = filled.get(thingCount)
    if (known && performance.now() - known.filledAt < freshMilliseconds) return known
    const folder = join(root, `filled-${thingCount}`)
    await rm(folder, { recursive: true, force: true })
    const enrolment = await enrol(folder, 1)
    const server = await startServer(children, { folder })
    const token = await signIn(server.port, enrolment)
    say(`filling an account with ${thingCount.toLocaleString('en')} things`)
    await fill(server.port, token, thingCount)
    // A crash, so that whoever opens the folder does the work that follows one.
    await server.kill()
    const made = { enrolment, token, filledAt: performance.now() }
    filled.set(thingCount, made)
    return made
  }

  const forRow = async (rounds: number) => {
    const mark = children.mark()
    const folders: string[] = []
    const endings: (() => Promise<void>)[] = []
    const createFolder = async () => {
      const folder = await mkdtemp(join(root, 'row-'))
      folders.push(folder)
      return folder
    }
    const copyFilled = async (thingCount: number): Promise<FilledFolder> => {
      const { enrolment, token } = await fillOnce(thingCount)
      const folder = join(await createFolder(), 'data')
      await cp(join(root, `filled-${thingCount}`), folder, { recursive: true })
      return { folder, enrolment, token }
    }
    const start = (options: ServerOptions) => startServer(children, options)
    const bench: Bench = {
      sizes: chooseSizes(isQuick),
      rounds,
      rateSeconds: isQuick ? 0.5 : 1,
      say,
      load: openLoad(children),
      loadBeside: openLoad(children),
      children,
      createFolder,
      atEnd: (work) => void endings.push(work),
      start,
      copyFilled,
      openAccount: async (thingCount, options) => {
        const { folder, enrolment } = await copyFilled(thingCount)
        const server = await start({ ...options, folder })
        return { ...server, folder, enrolment, token: await signIn(server.port, enrolment) }
      },
      startBaseline: async (name, args, core = 'measured') => {
        const child = startScript(children, 'baselines.ts', [name, ...args], core)
        return { port: await nextMessage<number>(child), pid: child.pid ?? 0 }
      },
      startScript: (file, args, core = 'measured') => startScript(children, file, args, core),
    }
    const close = async () => {
      await children.endSince(mark)
      for (const end of endings) await end()
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
    }
    return { bench, close }
  }

  return { forRow, sizes: chooseSizes(isQuick), root }
}
