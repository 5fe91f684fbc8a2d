import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

/** The responses that went through the proxy. */
interface WatchedResponses {
  /** Reads a line of Prism's log, and returns the line to show, if any. */
  readonly readLine: (line: string) => string | undefined
  readonly summary: () => { readonly responses: number; readonly violations: number }
}

/**
 * Watches Prism's log for violations in responses. It ignores violations in requests: Prism knows neither JSON inside
 * of forms nor an access token in a form, which the interface permits (interface 4.3, 5.3).
 */
const watchResponses = (): WatchedResponses => {
  let responses = 0
  let violations = 0
  const readLine = (line: string): string | undefined => {
    const started = / is listening on (\S+)/.exec(line)?.[1]
    if (started !== undefined) return `listening on ${started}`
    const returned = /The upstream call to (.*) has returned (\d+)/.exec(line)
    if (returned !== null) {
      responses += 1
      return `${returned[1]?.replace(/access_token=[^&]*/, 'access_token=…')} ${returned[2]}`
    }
    const violation = /Violation: response\.?(\S*) (.*)/.exec(line)
    if (violation !== null) {
      violations += 1
      const [, location = '', what = ''] = violation
      return `  BREAKS THE DOCUMENT ${location === '' ? what : `${location}: ${what}`}`
    }
    return line.includes('Violation:') || / info /.test(line) || line.includes('Starting Prism') ? undefined : line
  }
  return { readLine, summary: () => ({ responses, violations }) }
}

/**
 * Runs a proxy between a client and a server, and shows which responses violate `openapi.yaml`.
 * `npm run proxy -- http://127.0.0.1:8484/v1/ [--port 4010]`; Ctrl-C ends it, with exit code 1 after a violation.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string', default: '4010' }, host: { type: 'string', default: '127.0.0.1' } },
})
const [server] = positionals
if (server === undefined) {
  console.error('which server? for example: npm run proxy -- http://127.0.0.1:8484/v1/')
  process.exit(2)
}

// Prism prints its whole help before it says that its port is in use.
const probe = createServer().listen(Number(values.port), values.host)
try {
  await once(probe, 'listening')
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error)
  console.error(`cannot listen on ${values.host}:${values.port} (${reason}); choose another port with --port`)
  process.exit(1)
}
await new Promise((resolve) => probe.close(resolve))

const prism = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js')
const args = [
  'proxy',
  'openapi.yaml',
  server,
  '--validate-request',
  'false',
  '--port',
  values.port,
  '--host',
  values.host,
]
const child = spawn(process.execPath, [prism, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
const { readLine, summary } = watchResponses()
for (const stream of [child.stdout, child.stderr]) {
  createInterface({ input: stream }).on('line', (line) => {
    const shown = readLine(line)
    if (shown !== undefined) console.log(shown)
  })
}

let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isStopping = true
    child.kill()
  })
}
child.on('close', (code) => {
  const { responses, violations } = summary()
  console.log(`${responses} responses, ${violations} violations of openapi.yaml`)
  process.exitCode = isStopping ? Math.min(violations, 1) : (code ?? 1)
})
