import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

/** What became of the answers that went through the proxy. */
interface WatchedResponses {
  /** Reads a line of Prism's log, and says what to show of it. */
  readonly readLine: (line: string) => string | undefined
  readonly summary: () => { readonly answers: number; readonly violations: number }
}

/**
 * Watches Prism's log for what is wrong with answers. What Prism says against requests is left out: it does not know the
 * JSON inside of forms, nor an access token in a form, which are both allowed (interface 4.3, 5.3).
 */
const watchResponses = (): WatchedResponses => {
  let answers = 0
  let violations = 0
  const readLine = (line: string): string | undefined => {
    const started = / is listening on (\S+)/.exec(line)?.[1]
    if (started !== undefined) return `listening on ${started}`
    const returned = /The upstream call to (.*) has returned (\d+)/.exec(line)
    if (returned !== null) {
      answers += 1
      return `${returned[1]?.replace(/access_token=[^&]*/, 'access_token=…')} ${returned[2]}`
    }
    const violation = /Violation: response\.?(\S*) (.*)/.exec(line)
    if (violation !== null) {
      violations += 1
      const [, place = '', what = ''] = violation
      return `  BREAKS THE DOCUMENT ${place === '' ? what : `${place}: ${what}`}`
    }
    return line.includes('Violation:') || / info /.test(line) || line.includes('Starting Prism') ? undefined : line
  }
  return { readLine, summary: () => ({ answers, violations }) }
}

/**
 * Stands between a client and a server and shows which answers break `openapi.yaml`.
 * `npm run proxy -- http://127.0.0.1:8484/v1/ [--port 4010]`; Ctrl-C ends it, with 1 when an answer broke the document.
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
  const { answers, violations } = summary()
  console.log(`${answers} answers, ${violations} violations of openapi.yaml`)
  process.exitCode = isStopping ? Math.min(violations, 1) : (code ?? 1)
})
