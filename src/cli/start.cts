#!/usr/bin/env node
// CommonJS, because Node starts its thread pool while it loads the first ES module, and reads the size before that. Of
// the default 4 threads, password checks may keep two busy, and every durable write waits for one of the rest.
process.env.UV_THREADPOOL_SIZE ??= '8'

/**
 * Lets Node keep compiled code in a folder (Node 22.1 and later), so that later starts take less time and memory. The
 * folder is below the home of the user, or below `CACHE_DIRECTORY`, which systemd sets. There is no cache when others may
 * write there, because Node runs the code that it finds. Without a cache the program works the same.
 */
const keepCompiledCode = (): void => {
  const { enableCompileCache }: { enableCompileCache?: (folder: string) => unknown } = require('node:module')
  if (enableCompileCache === undefined || process.getuid === undefined) return
  const parent = process.env.CACHE_DIRECTORY ?? process.env.HOME
  const folder = parent === undefined ? undefined : statIfReadable(parent)
  if (parent === undefined || folder?.uid !== process.getuid() || (folder.mode & 0o022) !== 0) return
  enableCompileCache(parent === process.env.CACHE_DIRECTORY ? parent : `${parent}/.cache/thingsync/compiled`)
}

const statIfReadable = (path: string): { readonly uid: number; readonly mode: number } | undefined => {
  try {
    return (require('node:fs') as typeof import('node:fs')).statSync(path)
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return undefined
    throw error
  }
}

const [option, ...others] = process.argv.slice(2)
if (others.length === 0 && (option === '--version' || option === '-V')) {
  // Without the program, which takes longer to load than to print. A reader that has ended is no error, as in the program.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
  })
  process.stdout.write(`${require('thingsync/package.json').version}\n`)
} else {
  keepCompiledCode()
  void import('./program.ts').then(({ runProcess }) => runProcess())
}
