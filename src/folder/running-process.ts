import { readdir, readFile, readlink } from 'node:fs/promises'

/** A process, named so that it is never taken for another one, where the system tells enough for that. */
export interface RunningProcess {
  readonly pid: number
  /** The system's run since its start, and the namespace that numbers its processes; empty where that cannot be told. */
  readonly place: string
  /** When the process was started, in the system's own count; empty where that cannot be told. */
  readonly startedAt: string
}

/** This process. Only Linux tells where processes are numbered, and only where `/proc` shows this very process. */
export async function readOwnProcess(): Promise<RunningProcess> {
  const unknown: RunningProcess = { pid: process.pid, place: '', startedAt: '' }
  const shown = await readIfThere(() => readlink('/proc/self'))
  if (shown !== String(process.pid)) return unknown
  const boot = await readIfThere(() => readFile('/proc/sys/kernel/random/boot_id', 'utf8'))
  const namespace = await readIfThere(() => readlink('/proc/self/ns/pid'))
  const state = await readState(process.pid)
  if (boot === undefined || namespace === undefined || state === undefined) return unknown
  return { pid: process.pid, place: `${boot.trim()} ${namespace}`, startedAt: state.startedAt }
}

/** True when both were numbered in one namespace of one run of a system, so that one can tell whether the other lives. */
export const isSamePlace = (a: RunningProcess, b: RunningProcess): boolean => a.place !== '' && a.place === b.place

/** True when a process of this place has ended for certain. */
export async function hasEnded({ pid, startedAt }: RunningProcess): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ESRCH') return true
    // It lives, and belongs to somebody else.
    if (code !== 'EPERM') throw error
  }
  const state = await readState(pid)
  // Where others' processes are hidden nothing is proved.
  if (state === undefined) return false
  return state.startedAt !== startedAt || state.isDead
}

async function readState(pid: number): Promise<{ readonly startedAt: string; readonly isDead: boolean } | undefined> {
  const stat = await readIfThere(() => readFile(`/proc/${pid}/stat`, 'utf8'))
  if (stat === undefined) return undefined
  // The name stands in parentheses and may hold any character; the state comes behind it, the start is the 22nd of all.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const threads = state === 'Z' ? await readIfThere(() => readdir(`/proc/${pid}/task`)) : undefined
  // Killed and not yet buried by its parent: while a thread of it is left, that one may still write.
  return { startedAt: rest[18] ?? '', isDead: state === 'X' || (state === 'Z' && (threads?.length ?? 0) <= 1) }
}

async function readIfThere<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENOTDIR', 'EINVAL'].includes(code)) return undefined
    throw error
  }
}
