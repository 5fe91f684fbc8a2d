#!/usr/bin/env node
/*
 * The conformance suite: checks any server of the thing synchronization interface over HTTP, rule by rule. `cli/`
 * reads the command line, `runner.ts` runs the rules of `rules/` and `histories/`, and `report/` writes the results.
 * `requirements/` holds the texts that the rules observe; `receiver/` receives webhooks and push messages. The suite
 * must not know this project's server: only the interface and its own contract. The self-test in `selftest/` checks
 * the suite itself. Start reading at `runner.ts` and `lab.ts`, then at any file of `rules/`.
 */
import { createInterface } from 'node:readline'
import { runCommandLine } from './cli/command-line.ts'
import type { Input, Output } from './cli/output.ts'
import { allRules } from './rules/all-rules.ts'

const describeStream = (stream: NodeJS.WriteStream): Output => ({
  write: (text) => stream.write(text),
  isTerminal: stream.isTTY === true,
  columns: stream.columns ?? 80,
})

const describeInput = (stream: NodeJS.ReadStream): Input => ({
  waitForEnter: (signal) => {
    const lines = createInterface({ input: stream })
    return new Promise((resolve) => {
      const end = (isConfirmed: boolean): void => {
        resolve(isConfirmed)
        lines.close()
      }
      lines.once('line', () => end(true))
      lines.once('close', () => end(false))
      signal.addEventListener('abort', () => end(false), { once: true })
      if (signal.aborted) end(false)
    })
  },
})

// The reader may close the pipe early (`| head`); the exit code still counts.
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
    // The second signal does not wait for the clean-up.
    if (signalled !== undefined) process.exit(exitCode)
    signalled = exitCode
    process.stderr.write('\nremoving what the run created, for at most two seconds\n')
    interruption.abort(signal)
    // A busy machine needs time to write its reports: a report that was only begun is useless.
    setTimeout(() => process.exit(exitCode), 5000).unref()
  })
}

const exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  output: describeStream(process.stdout),
  errors: describeStream(process.stderr),
  ...(process.stdin.isTTY === true ? { input: describeInput(process.stdin) } : {}),
  signal: interruption.signal,
  rules: allRules,
})
process.exitCode = signalled ?? exitCode
// Open handles may still hold the process. After a signal it waits only for the reports, which are written by now.
if (signalled !== undefined) setTimeout(() => process.exit(), 300).unref()
