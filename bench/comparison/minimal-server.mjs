// The minimal server: what a server with Koa, one schema compiled by ajv, and a pino log needs at least. It is JavaScript
// that Node runs as it is, as the built server, so that no compiler counts.
// `node minimal-server.mjs READY_FILE LOG_FILE`: it writes READY_FILE as the server does, when it accepts requests.
import { rename, writeFile } from 'node:fs/promises'
import Ajv from 'ajv'
import Koa from 'koa'
import pino from 'pino'

const [readyFile, logFile] = process.argv.slice(2)
if (readyFile === undefined || logFile === undefined) throw new Error('usage: minimal-server.mjs READY_FILE LOG_FILE')

const log = pino(pino.destination({ dest: logFile, sync: true }))
const validate = new Ajv().compile({
  type: 'object',
  properties: {
    from: { type: 'integer', minimum: 0 },
    limit: { type: 'integer', minimum: 0 },
    new_thing: { type: 'array', items: { type: 'object', properties: { title: { type: 'string', maxLength: 1000 } } } },
  },
  required: ['from'],
  additionalProperties: false,
})

/** @param {import('node:http').IncomingMessage} request */
const readJson = async (request) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

const app = new Koa()
app.use(async (ctx, next) => {
  const start = performance.now()
  await next()
  log.info({ method: ctx.method, path: ctx.path, status: ctx.status, ms: performance.now() - start }, 'request')
})
app.use(async (ctx) => {
  if (ctx.path === '/healthz') {
    ctx.body = { status: 'ok' }
    return
  }
  if (ctx.path !== '/v1/sync' || ctx.method !== 'POST') return
  const body = await readJson(ctx.req)
  ctx.status = validate(body) ? 200 : 400
  ctx.body = ctx.status === 200 ? { pos: body.from } : { error: 'invalid_request' }
})

const server = app.listen(0, '127.0.0.1', async () => {
  const unfinished = `${readyFile}.unfinished`
  await writeFile(unfinished, JSON.stringify({ base_url: `http://127.0.0.1:${server.address().port}/v1/` }))
  await rename(unfinished, readyFile)
})
