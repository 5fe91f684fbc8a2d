#!/usr/bin/env node
import { runCommandLine } from './cli/command-line.ts'
import type { Output } from './cli/output.ts'
import { allRules } from './rules/all-rules.ts'

const describeStream = (stream: NodeJS.WriteStream): Output => ({
  write: (text) => stream.write(text),
  isTerminal: stream.isTTY === true,
  columns: stream.columns ?? 80,
})

// The reader may leave early (`| head`); the exit code still stands.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

const interruption = new AbortController()
let signalled: number | undefined

for (const [signal, exitCode] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => {
    // The second time the clean-up is not waited for.
    if (signalled !== undefined) process.exit(exitCode)
    signalled = exitCode
    process.stderr.write('\nremoving what the run made, for two seconds at most\n')
    interruption.abort(signal)
    // Long enough for a busy machine to write its reports: a file that was begun is of no use to anybody.
    setTimeout(() => process.exit(exitCode), 5000).unref()
  })
}

const exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  output: describeStream(process.stdout),
  errors: describeStream(process.stderr),
  signal: interruption.signal,
  rules: allRules,
})
process.exitCode = signalled ?? exitCode
// Whatever still holds the process: who stops a program doesn't wait for its network, only for the reports, written by now.
if (signalled !== undefined) setTimeout(() => process.exit(), 300).unref()
