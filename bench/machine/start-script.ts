import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Children, Core } from './children.ts'

/** Starts a TypeScript file of the bench as a process with a channel; its messages are for the caller. */
export const startScript = (children: Children, file: string, args: readonly string[], core: Core): ChildProcess =>
  children.start(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', fileURLToPath(new URL(`../${file}`, import.meta.url)), ...args],
    { core, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  )

/** The next message of a process. @throws when it ends first */
export const nextMessage = async <T>(child: ChildProcess): Promise<T> => {
  // Whichever comes second is no longer waited for, or a process that is asked often gathers listeners.
  const settled = new AbortController()
  const message = once(child, 'message', { signal: settled.signal }).then(([value]) => value as T)
  const end = once(child, 'exit', { signal: settled.signal }).then(([code, signal]) => {
    throw new Error(`a process ended before it answered (${signal ?? code})`)
  })
  try {
    return await Promise.race([message, end])
  } finally {
    settled.abort()
    await Promise.allSettled([message, end])
  }
}
