/**
 * Stands between a client and a server and shows which answers break `openapi.yaml`.
 * `npm run proxy -- http://127.0.0.1:8484/v1/ [--port 4010]`; Ctrl-C ends it, with 1 when an answer broke the document.
 */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { watchAnswers } from './watch-answers.ts'

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
const { readLine, summary } = watchAnswers()
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
