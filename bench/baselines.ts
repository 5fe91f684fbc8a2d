import { createReadStream, fdatasync, openSync, readFileSync, write } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/**
 * The baselines: programs that do the least work that a measured operation takes. The bench starts each one in a process
 * of its own: `baselines.ts NAME ARGUMENT...`. A baseline loads the packages that it needs, and no others.
 */

const [name = '', ...args] = process.argv.slice(2)
const [first = ''] = args

/** Serves on a free port of 127.0.0.1 and sends the port to the bench. Ends when the bench ends. */
const serveBaseline = (listener: RequestListener): void => {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
  process.on('disconnect', () => process.exit())
}

/** Koa and nothing else: responds with the constant of a file. */
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

/** Raw node:http that sends the bytes of a file from one prebuilt buffer: nothing in Node sends them faster. */
const servePrebuilt = (): void => {
  const body = readFileSync(first)
  serveBaseline((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
    response.end(body)
  })
}

/** Receives webhooks and responds at once; below `/hang/` it never responds. */
const receiveWebhooks = (): void => {
  serveBaseline((request, response) => {
    request.resume()
    if (request.url?.startsWith('/hang/') !== true) request.on('end', () => response.writeHead(204).end())
  })
}

/**
 * Raw node:http that makes each body durable before it responds, with the least work that a journal takes: all waiting
 * lines go out in one append and one fdatasync. It decodes, checks and remembers nothing.
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

/** Reads one JSON file with all things, as stock lowdb does, and indexes them by id; sends time and memory. */
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

/** Parses a file of bookmarks with htmlparser2 and counts its links; sends their number and the CPU time. */
const parseHtml = async (): Promise<void> => {
  const { Parser } = await import('htmlparser2')
  let count = 0
  const parser = new Parser({
    onopentag: (tag) => {
      if (tag === 'a') count += 1
    },
    // Without a handler the parser would skip texts.
    ontext: () => undefined,
  })
  const start = process.cpuUsage()
  for await (const chunk of createReadStream(first, 'utf8')) parser.write(chunk)
  parser.end()
  const { user, system } = process.cpuUsage(start)
  process.send?.({ count, cpuSeconds: (user + system) / 1e6 }, () => process.exit())
}

/** Measures `JSON.parse` of a file once for each message; sends the time and the CPU time. */
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
