import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { createServer, get, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { enrolTokens } from './candidate/accounts.ts'
import { builtCommand, waitUntilReady } from './candidate/server.ts'
import { endChild, nextMessage, readMemory, resetPeak } from './machine/processes.ts'

/*
 * Measures what link previews of 100 hostile pages cost: the resident memory of the built server above its memory before
 * them. The baseline is a bare HTTP client that reads the same pages up to the same limit, and only counts their bytes.
 * A third figure is for 100 harmless pages. Exits 1 where a server needs 20 MiB more than the baseline.
 *
 *   npm run build && npx tsx bench/link-preview-memory.ts [--rounds 3] [--program dist/start.cjs] [--kinds json,title]
 *
 * Kinds of hostile pages measure these alone.
 */

const MiB = 1024 * 1024
const goalBytes = 20 * MiB
const requestCount = 100
/** As many as a server runs previews at a time. */
const parallel = 8

const send = (response: ServerResponse, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): void =>
  void response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body)

const sendForever = (response: ServerResponse, part: string | Buffer, headers = {}): void => {
  response.writeHead(200, { 'content-type': 'text/html', ...headers })
  const write = () => {
    while (response.write(part));
  }
  response.on('drain', write)
  write()
}

const fill = (part: string): string => part.repeat(Math.ceil(MiB / part.length))
const scriptOf = (text: string): string => `<script type="application/ld+json">${text}</script>`
const createBomb = () => gzipSync(Buffer.alloc(200 * MiB), { level: 9 })
const createEmptyMembers = () => Buffer.concat(Array(2_000).fill(gzipSync('')))

/** The kinds of hostile pages, by name. */
const createPages = (bomb: Buffer, emptyMembers: Buffer): Readonly<Record<string, RequestListener>> => ({
  large: (_request, response) => send(response, Buffer.alloc(10 * MiB, '<p>x')),
  endless: (_request, response) => sendForever(response, fill('<p>again')),
  bomb: (_request, response) => send(response, bomb, { 'content-encoding': 'gzip' }),
  'empty-gzip': (_request, response) => sendForever(response, emptyMembers, { 'content-encoding': 'gzip' }),
  nested: (_request, response) => send(response, fill('<a><b>')),
  attributes: (_request, response) =>
    send(response, `<p ${Array.from({ length: 100_000 }, (_, index) => `a${index}=1`).join(' ')}`),
  metas: (_request, response) =>
    send(response, Array.from({ length: 20_000 }, (_, index) => `<meta name="n${index}" content="x">`).join('')),
  title: (_request, response) => send(response, `<title>${fill('long &amp; ')}`),
  comment: (_request, response) => send(response, `<!--${fill(' - ')}`),
  json: (_request, response) => send(response, scriptOf(`[${'{},'.repeat(20_000)}{}]`).repeat(8)),
  'json-nested': (_request, response) => send(response, scriptOf('['.repeat(60_000)).repeat(8)),
  entities: (_request, response) => send(response, `<title>${fill('&lt;&#1;&CounterClockwiseContourIntegral;')}`),
  drip: (_request, response) => {
    response.write('<title>drip')
    const timer = setInterval(() => response.write('x'.repeat(1000)), 20)
    response.on('close', () => clearInterval(timer))
  },
  redirects: (_request, response) => void response.writeHead(302, { location: '?again' }).end('x'.repeat(100_000)),
  utf16: (_request, response) => send(response, Buffer.from(`\ufeff${fill('<p>日本')}`, 'utf16le')),
})

const sendArticle: RequestListener = (_request, response) =>
  send(
    response,
    `<title>An article</title><meta name=description content="About a thing.">${fill('<p>One line.</p>\n')}`,
  )

/** What the process of the site sends when it listens. */
interface SiteMessage {
  readonly port: number
  readonly kinds: readonly string[]
}

/** Serves the pages, in a process of their own, and sends its port and the names of the pages. */
const serveSite = async (): Promise<void> => {
  const pages = createPages(createBomb(), createEmptyMembers())
  const site = createServer((request, response) => {
    const { [(request.url ?? '').split('/')[1] ?? '']: respond = sendArticle } = pages
    respond(request, response)
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  const message: SiteMessage = { port: (site.address() as AddressInfo).port, kinds: Object.keys(pages) }
  process.send?.(message)
}

/** Sends a GET and reads the response. @throws Error for any status but 200 and 422, a page that cannot be read */
const request = async (port: number, token: string, path: string): Promise<void> => {
  const response = await fetch(`http://127.0.0.1:${port}/v1/${path}`, { headers: { authorization: `Bearer ${token}` } })
  await response.arrayBuffer()
  if (response.status !== 200 && response.status !== 422) throw new Error(`GET ${path} has status ${response.status}`)
}

/** A server with a user for each slot, on a data folder of its own. */
interface Target {
  readonly child: ChildProcess
  readonly port: number
  readonly tokens: readonly string[]
}

const withServer = async <T>(program: string, use: (target: Target) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'link-preview-memory-'))
  try {
    const data = join(folder, 'data')
    const tokens = await enrolTokens(data, parallel)
    const [log, ready] = [await open(join(folder, 'log'), 'a'), join(folder, 'ready')]
    const settings = [
      '--no-web',
      '--data',
      data,
      '--port',
      '0',
      '--ready-file',
      ready,
      '--link-preview-allow',
      '127.0.0.1',
    ]
    const child = spawn(process.execPath, [program, 'serve', ...settings], { stdio: ['ignore', log.fd, 'inherit'] })
    try {
      const port = Number(new URL(await waitUntilReady(child, ready)).port)
      return await use({ child, port, tokens })
    } finally {
      await endChild(child)
      await log.close()
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const showMiB = (bytes: number): string => (bytes / MiB).toFixed(1)

/** Runs work and returns how much the memory of a process grew, in bytes. */
const measureGrowth = async (name: string, pid: number, work: () => Promise<unknown>): Promise<number> => {
  await sleep(2_000)
  await resetPeak(pid)
  const before = await readMemory(pid)
  await work()
  const after = await readMemory(pid)
  const growth = (after.peakMb - before.residentMb) * 1e6
  console.log(`${name}: ${showMiB(before.residentMb * 1e6)} MiB before, at most ${showMiB(growth)} MiB more`)
  return growth
}

/** Has a server of its own read pages, eight at a time. */
const measureServer = (name: string, program: string, urls: readonly string[]) =>
  withServer(program, async ({ child, port, tokens }) => {
    const [first = '', ...left] = urls.map((url) => `link/preview?${new URLSearchParams({ url })}`)
    // What the first preview loads belongs to neither.
    await request(port, tokens[0] ?? '', first)
    const run = async (token: string) => {
      for (let path = left.shift(); path !== undefined; path = left.shift()) await request(port, token, path)
    }
    return measureGrowth(name, child.pid ?? 0, () => Promise.all(tokens.map(run)))
  })

const startRole = (role: 'site' | 'client', ...args: readonly string[]): ChildProcess =>
  fork(fileURLToPath(import.meta.url), [role, ...args], { execArgv: process.execArgv })

/** Has the bare client read pages, eight at a time, in a process of its own. */
const measureClient = async (urls: readonly string[]): Promise<number> => {
  const child = startRole('client', ...urls)
  try {
    await nextMessage(child)
    return await measureGrowth('a bare client, hostile pages', child.pid ?? 0, async () => {
      child.send('start')
      await nextMessage(child)
    })
  } finally {
    await endChild(child)
  }
}

const maxBytes = 512 * 1024

/** Reads a page up to the limit of previews. Follows at most five redirects. */
const countBytes = (url: string, redirectsLeft = 5): Promise<void> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false, timeout: 5_000 }, (response) => {
      const { location } = response.headers
      if (location !== undefined && redirectsLeft > 0) {
        response.destroy()
        resolve(countBytes(new URL(location, url).href, redirectsLeft - 1))
        return
      }
      let left = maxBytes
      const timer = setTimeout(() => response.destroy(), 5_000)
      response.on('data', ({ length }: Buffer) => {
        left -= length
        if (left <= 0) response.destroy()
      })
      response.on('close', () => {
        clearTimeout(timer)
        resolve()
      })
      response.on('error', reject)
    }).on('error', reject)
  })

/** The bare client: reads the first page, and the others after a message. */
const runClient = async ([first = '', ...left]: string[]): Promise<void> => {
  // Its memory is read after it is done.
  process.channel?.ref()
  await countBytes(first)
  process.send?.('ready')
  await once(process, 'message')
  const run = async () => {
    for (let url = left.shift(); url !== undefined; url = left.shift()) await countBytes(url)
  }
  await Promise.all(Array.from({ length: parallel }, run))
  process.send?.('done')
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '3' },
      program: { type: 'string', default: builtCommand },
      kinds: { type: 'string' },
    },
  })
  const rounds = Number(values.rounds)
  if (!(Number.isInteger(rounds) && rounds > 0)) throw new Error(`--rounds ${values.rounds} is not a number of rounds`)
  const site = startRole('site')
  try {
    const { port, kinds: all } = await nextMessage<SiteMessage>(site)
    const kinds = values.kinds?.split(',') ?? all
    const unknown = kinds.find((kind) => !all.includes(kind))
    if (unknown !== undefined) throw new Error(`--kinds ${unknown} is none of ${all.join(', ')}`)
    // The first page is always a harmless one.
    const pagesOf = (names: readonly string[]) =>
      Array.from(
        { length: requestCount + 1 },
        (_, index) => `http://127.0.0.1:${port}/${index === 0 ? 'article' : names[index % names.length]}/${index}`,
      )
    for (let round = 0; round < rounds; round++) {
      const baseline = await measureClient(pagesOf(kinds))
      const growth = await measureServer('hostile pages', values.program, pagesOf(kinds))
      await measureServer('harmless pages', values.program, pagesOf(['article']))
      if (growth > baseline + goalBytes) process.exitCode = 1
    }
  } finally {
    await endChild(site)
  }
}

const [role, ...args] = process.argv.slice(2)
if (role === 'site') await serveSite()
else if (role === 'client') await runClient(args)
else await main()
