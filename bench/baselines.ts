import { createReadStream, fdatasync, openSync, readFileSync, write } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/**
 * The baselines: programs that do the minimum work of a measured operation. The bench starts each one in its own
 * process: `baselines.ts NAME ARGUMENT...`. A baseline loads only the packages that it needs.
 */

const [name = '', ...args] = process.argv.slice(2)
const [first = ''] = args

/** Serves on a free port of 127.0.0.1 and sends the port to the bench. The process ends when the bench ends. */
const serveBaseline = (listener: RequestListener): void => {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
  process.on('disconnect', () => process.exit())
}

/** Bare Koa that responds with the content of a file. */
const serveBareKoa = async (): Promise<void> => {
  const { default: Koa } = await import('koa')
  const body = readFileSync(first)
  const app = new Koa()
  app.use((ctx) => {
    ctx.type = 'application/json; charset=utf-8'
    ctx.body = body
  })
  serveBaseline(app.callback())
}

/** Bare Koa that runs one prepared statement for each request and responds with a constant. */
const serveOneStatement = async (): Promise<void> => {
  const [{ default: Koa }, { default: pg }] = await Promise.all([import('koa'), import('pg')])
  const [connectionString = '', text = '', statement = ''] = args
  const pool = new pg.Pool({ connectionString, max: 10 })
  const body = Buffer.from(text)
  const app = new Koa()
  app.use(async (ctx) => {
    await pool.query({ name: 'one', text: statement })
    ctx.type = 'application/json; charset=utf-8'
    ctx.body = body
  })
  serveBaseline(app.callback())
}

/** Raw node:http that sends the bytes of a file from one prebuilt buffer: the fastest way in Node. */
const servePrebuilt = (): void => {
  const body = readFileSync(first)
  serveBaseline((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
    response.end(body)
  })
}

/** Receives webhooks and responds at once, but never below `/hang/`. */
const receiveWebhooks = (): void => {
  serveBaseline((request, response) => {
    request.resume()
    if (request.url?.startsWith('/hang/') !== true) request.on('end', () => response.writeHead(204).end())
  })
}

/**
 * Raw node:http that makes each body durable before it responds, with the minimum work of a journal: it writes all
 * waiting lines with one append and one fdatasync. It decodes, checks and remembers nothing.
 */
const serveGroupCommit = (): void => {
  const file = openSync(join(first, 'baseline.ndjson'), 'a')
  const body = Buffer.from(JSON.stringify({ pos: 1, thingCount: 1, things: { new: { 1: 'x'.repeat(20) } } }))
  let waiting: { line: Buffer; done: () => void }[] = []
  let isWriting = false

  const failLoudly = (error: Error | null): void => {
    if (error) throw error
  }

  const commit = (): void => {
    const batch = waiting
    waiting = []
    isWriting = batch.length > 0
    if (!isWriting) return
    write(file, Buffer.concat(batch.map(({ line }) => line)), (writeError) => {
      failLoudly(writeError)
      fdatasync(file, (syncError) => {
        failLoudly(syncError)
        for (const { done } of batch) done()
        commit()
      })
    })
  }

  serveBaseline((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const done = () => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
        response.end(body)
      }
      waiting.push({ line: Buffer.concat([...chunks, Buffer.from('\n')]), done })
      if (!isWriting) commit()
    })
  })
}

/** Reads one JSON file with all things, as lowdb does, and indexes them by id. Sends the time and the memory. */
const loadOneFile = async (): Promise<void> => {
  const { readMemory, resetPeak } = await import('./machine/processes.ts')
  const before = await readMemory(process.pid)
  await resetPeak(process.pid)
  const start = performance.now()
  const { things } = JSON.parse(readFileSync(first, 'utf8')) as { things: { changed: { _id: string }[] } }
  const byId = new Map(things.changed.map((thing) => [thing._id, thing]))
  const ms = performance.now() - start
  const { peakMb } = await readMemory(process.pid)
  process.send?.({ count: byId.size, ms, peakMb: peakMb - before.residentMb }, () => process.exit())
}

/** Parses a file of bookmarks with htmlparser2 and counts its links. Sends their number and the CPU time. */
const parseHtml = async (): Promise<void> => {
  const { Parser } = await import('htmlparser2')
  let count = 0
  const parser = new Parser({
    onopentag: (tag) => {
      if (tag === 'a') count += 1
    },
    // The parser skips texts when there is no handler.
    ontext: () => undefined,
  })
  const start = process.cpuUsage()
  for await (const chunk of createReadStream(first, 'utf8')) parser.write(chunk)
  parser.end()
  const { user, system } = process.cpuUsage(start)
  process.send?.({ count, cpuSeconds: (user + system) / 1e6 }, () => process.exit())
}

/** Runs `JSON.parse` on a file once for each message. Sends the time and the CPU time. */
const parseJson = (): void => {
  const json = readFileSync(first, 'utf8')
  process.on('message', () => {
    const [start, cpuStart] = [performance.now(), process.cpuUsage()]
    JSON.parse(json)
    const ms = performance.now() - start
    const { user, system } = process.cpuUsage(cpuStart)
    process.send?.({ ms, cpuMs: (user + system) / 1000 })
  })
  process.on('disconnect', () => process.exit())
}

const baselines: Readonly<Record<string, () => void | Promise<void>>> = {
  'bare-koa': serveBareKoa,
  'one-statement': serveOneStatement,
  prebuilt: servePrebuilt,
  'webhook-receiver': receiveWebhooks,
  'group-commit': serveGroupCommit,
  'load-one-file': loadOneFile,
  'parse-html': parseHtml,
  'parse-json': parseJson,
}

const run = baselines[name]
if (run === undefined) throw new Error(`there is no baseline ${name}`)
await run()
