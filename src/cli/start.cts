#!/usr/bin/env node
// CommonJS, because Node starts its thread pool while it loads the first ES module, and reads the size before that. Of
// the default 4 threads, password checks may keep two busy, and every durable write waits for one of the rest.
process.env.UV_THREADPOOL_SIZE ??= '8'

const [option, ...others] = process.argv.slice(2)
if (others.length === 0 && (option === '--version' || option === '-V')) {
  // Without the program, which takes longer to load than to print. A reader that has ended is no error, as in the program.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
  })
  process.stdout.write(`${require('thingsync/package.json').version}\n`)
} else {
  void import('./program.ts').then(({ runProcess }) => runProcess())
}
