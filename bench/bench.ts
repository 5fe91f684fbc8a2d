import type { ChildProcess } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseSizes, type Sizes } from './arguments.ts'
import { type Enrollment, enroll, fill, signIn } from './candidate/accounts.ts'
import { type RunningServer, type ServerOptions, startServer } from './candidate/server.ts'
import { openLoad, type RunLoad } from './load/load.ts'
import type { Children, Core } from './machine/processes.ts'
import { nextMessage, startScript } from './machine/processes.ts'

/** A data folder with the things of one user. A server wrote it and was killed (kill -9) after the last upload. */
export interface FilledFolder {
  readonly folder: string
  readonly enrollment: Enrollment
  /** The access token of the session that uploaded the things; valid for at least 10 more minutes. */
  readonly token: string
}

/** An access token is valid for an hour. The bench fills a folder again when its token is older than this. */
const maxTokenAgeMilliseconds = 50 * 60 * 1000

/** A server with a signed-in user. */
export interface OpenAccount extends RunningServer {
  readonly token: string
  readonly enrollment: Enrollment
  readonly folder: string
}

/** The tools of a row. The bench ends every process and removes every folder that the row created with them. */
export interface Bench {
  readonly sizes: Sizes
  /** Maximum number of measured rounds, without the warm-up round. */
  readonly rounds: number
  /** Duration of one measurement of a rate, in seconds. */
  readonly rateSeconds: number
  readonly say: (progress: string) => void
  readonly load: RunLoad
  /** A second load generator: small requests do not wait behind downloads. */
  readonly loadBeside: RunLoad
  readonly children: Children
  readonly createFolder: () => Promise<string>
  /** Runs `work` after the row, when the bench has ended the processes of the row. */
  readonly atEnd: (work: () => Promise<void>) => void
  readonly start: (options: ServerOptions) => Promise<RunningServer>
  /** Copies a data folder with `thingCount` things. The bench fills the original once in a run. */
  readonly copyFilled: (thingCount: number) => Promise<FilledFolder>
  /** Starts a server on such a copy, signs `user-0` in and opens the account. */
  readonly openAccount: (thingCount: number, options?: Pick<ServerOptions, 'servesWeb'>) => Promise<OpenAccount>
  /** Starts a baseline of `baselines.ts`, or a receiver that the server calls, and returns its port. */
  readonly startBaseline: (name: string, args: readonly string[], core?: Core) => Promise<{ port: number; pid: number }>
  readonly startScript: (file: string, args: readonly string[], core?: Core) => ChildProcess
}

/** One run of the bench, shared by all rows. */
export interface BenchRun {
  readonly sizes: Sizes
  readonly forRow: (rounds: number) => Promise<{ bench: Bench; close: () => Promise<void> }>
  /** Folder of everything that the run writes. The caller must remove it, also after an interrupted run. */
  readonly root: string
}

/** Opens a run: creates its temporary folder. `isQuick` selects the small sizes (`chooseSizes`). */
export const openBenchRun = async (
  children: Children,
  isQuick: boolean,
  say: (progress: string) => void,
): Promise<BenchRun> => {
  const root = await mkdtemp(join(tmpdir(), 'thingsync-bench-'))
  const filled = new Map<number, Omit<FilledFolder, 'folder'> & { readonly filledAt: number }>()

  const fillOnce = async (thingCount: number) => {
    const known = filled.get(thingCount)
    if (known && performance.now() - known.filledAt < maxTokenAgeMilliseconds) return known
    const folder = join(root, `filled-${thingCount}`)
    await rm(folder, { recursive: true, force: true })
    const enrollment = await enroll(folder, 1)
    const server = await startServer(children, { folder })
    const token = await signIn(server.port, enrollment)
    say(`filling an account with ${thingCount.toLocaleString('en')} things`)
    await fill(server.port, token, thingCount)
    // A crash: the next server on the folder has to recover, as the rows measure it.
    await server.kill()
    const created = { enrollment, token, filledAt: performance.now() }
    filled.set(thingCount, created)
    return created
  }

  const forRow = async (rounds: number) => {
    const mark = children.mark()
    const folders: string[] = []
    const cleanups: (() => Promise<void>)[] = []
    const createFolder = async () => {
      const folder = await mkdtemp(join(root, 'row-'))
      folders.push(folder)
      return folder
    }
    const copyFilled = async (thingCount: number): Promise<FilledFolder> => {
      const { enrollment, token } = await fillOnce(thingCount)
      const folder = join(await createFolder(), 'data')
      await cp(join(root, `filled-${thingCount}`), folder, { recursive: true })
      return { folder, enrollment, token }
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
      atEnd: (work) => void cleanups.push(work),
      start,
      copyFilled,
      openAccount: async (thingCount, options) => {
        const { folder, enrollment } = await copyFilled(thingCount)
        const server = await start({ ...options, folder })
        return { ...server, folder, enrollment, token: await signIn(server.port, enrollment) }
      },
      startBaseline: async (name, args, core = 'measured') => {
        const child = startScript(children, 'baselines.ts', [name, ...args], core)
        return { port: await nextMessage<number>(child), pid: child.pid ?? 0 }
      },
      startScript: (file, args, core = 'measured') => startScript(children, file, args, core),
    }
    const close = async () => {
      await children.endSince(mark)
      for (const cleanUp of cleanups) await cleanUp()
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
    }
    return { bench, close }
  }

  return { forRow, sizes: chooseSizes(isQuick), root }
}
