import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { ApiError } from '../src/api-error.ts'
import { createDeliveryRules } from '../src/outbound/address-guard.ts'

/*
 * Measures what link previews of 100 hostile pages cost: the resident memory of a process above its idle state after
 * one harmless page, and its longest pause. `npx tsx scripts/link-preview-memory.ts`. Names of pages
 * measure these pages alone. Exits 1 above the goal.
 */

const MiB = 1024 * 1024
const goalBytes = 20 * MiB
const pageCount = 100
/** As many as a server runs. */
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
const bomb = gzipSync(Buffer.alloc(200 * MiB), { level: 9 })
const emptyMembers = Buffer.concat(Array(2_000).fill(gzipSync('')))

/** The kinds of hostile pages, by name. */
const pages: Readonly<Record<string, RequestListener>> = {
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
}

const harmless: RequestListener = (_request, response) => send(response, '<title>A page</title>')

/** Serves the pages, in a process of their own, and sends its port. */
const serveSite = async (): Promise<void> => {
  const site = createServer((request, response) => {
    const { [(request.url ?? '').split('/')[1] ?? '']: respond = harmless } = pages
    respond(request, response)
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  process.send?.((site.address() as AddressInfo).port)
}

const showMiB = (bytes: number): string => (bytes / MiB).toFixed(1)

const measure = async (origin: string, kinds: readonly string[]): Promise<void> => {
  const { createLinkPreviews } = await import('../src/preview/link-previews.ts')
  const previewLink = createLinkPreviews(createDeliveryRules(['127.0.0.1']), { version: '1' })
  // tsx compiles each module when it is loaded, which a built server does not.
  await previewLink('first user', `${origin}/harmless/`)
  const idle = process.memoryUsage()
  let highest = idle
  let longest = 0
  let last = performance.now()
  const watching = setInterval(() => {
    const used = process.memoryUsage()
    if (used.rss > highest.rss) highest = used
    longest = Math.max(longest, performance.now() - last - 10)
    last = performance.now()
  }, 10)
  const left = Array.from({ length: pageCount }, (_, index) => `${origin}/${kinds[index % kinds.length]}/${index}?page`)
  const counts = { read: 0, rejected: 0 }
  const read = async (userId: string) => {
    for (let url = left.shift(); url !== undefined; url = left.shift()) {
      try {
        await previewLink(userId, url)
        counts.read++
      } catch (error) {
        if (!(error instanceof ApiError) || error.kind !== 'pageUnavailable') throw error
        counts.rejected++
      }
    }
  }
  await Promise.all(Array.from({ length: parallel }, (_, index) => read(`user ${index}`)))
  clearInterval(watching)
  console.log(`${pageCount} hostile pages: ${counts.read} read, ${counts.rejected} rejected`)
  const show = (name: keyof NodeJS.MemoryUsage) => `${name} +${showMiB(highest[name] - idle[name])}`
  console.log(
    `memory in MiB: ${showMiB(idle.rss)} idle; at most ${(['rss', 'heapTotal', 'external'] as const).map(show).join(', ')}`,
  )
  console.log(`longest pause: ${Math.round(longest)} ms`)
  if (highest.rss - idle.rss > goalBytes) process.exitCode = 1
}

if (process.send !== undefined) await serveSite()
else {
  const site = fork(fileURLToPath(import.meta.url), { execArgv: process.execArgv })
  try {
    const [port] = await once(site, 'message')
    const named = process.argv.slice(2)
    await measure(`http://127.0.0.1:${port}`, named.length > 0 ? named : Object.keys(pages))
  } finally {
    site.kill()
  }
}
