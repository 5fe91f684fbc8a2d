/**
 * `npx tsx scripts/measure-mcp.ts [ITEMS]`: measures searches of the built `thingsync mcp` over 20,000 items, as an
 * assistant sees them: through the client of the SDK, over standard input and output. Build the program before.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const program = fileURLToPath(new URL('../dist/start.cjs', import.meta.url))
const count = Number(process.argv[2] ?? 20_000)
const searchesPerQuery = 21
const words =
  'garden river network compiler kernel bread mountain privacy sync paper recipe travel music science'.split(' ')
const wordAt = (number: number): string => words[number % words.length] ?? ''

/** Two of three items are links, and each second one has a note of 100 words. */
const createItem = (number: number) => ({
  local_id: String(number),
  title: `${wordAt(number)} ${wordAt(number * 7 + 3)} number ${number}`,
  tags: `${wordAt(number * 3)} t${number % 300}`,
  ...(number % 3 === 0 ? {} : { url: `https://site${number % 977}.example/${wordAt(number)}/${number}` }),
  ...(number % 2 === 0
    ? {}
    : { html: `<p>${Array.from({ length: 100 }, (_, k) => wordAt(number + k * k)).join(' ')} unique${number}</p>` }),
})

const run = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [program, ...args], { encoding: 'utf8' })

const folder = await mkdtemp(join(tmpdir(), 'thingsync-measure-mcp-'))
const data = join(folder, 'data')
run('user', 'add', 'anna', '--data', data, '--generate-password')
const { token } = JSON.parse(run('token', 'add', 'measure', '--user', 'anna', '--data', data, '--format', 'json'))
const readyFile = join(folder, 'ready.json')
const server = spawn(
  process.execPath,
  [program, 'serve', '--data', data, '--port', '0', '--ready-file', readyFile, '--no-first-run', '--no-web'],
  { stdio: ['ignore', 'ignore', 'inherit'] },
)

const readBaseUrl = async (): Promise<string> => {
  while (server.exitCode === null) {
    const text = await readFile(readyFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return ''
    })
    if (text !== '') return JSON.parse(text).base_url
    await sleep(50)
  }
  throw new Error('the server did not start')
}

const time = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const show = (milliseconds: number): string => `${milliseconds.toFixed(1)} ms`.padStart(10)

try {
  const baseUrl = await readBaseUrl()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  for (let at = 0; at < count; at += 1_000) {
    const things = Array.from({ length: Math.min(1_000, count - at) }, (_, index) => createItem(at + index))
    const response = await fetch(`${baseUrl}sync`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ new_thing: things }),
    })
    if (!response.ok) throw new Error(await response.text())
    await response.arrayBuffer()
  }
  for (const start of ['first start, with the download', 'second start']) {
    const client = new Client({ name: 'measure', version: '1.0.0' })
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', '--base-url', baseUrl, '--folder', join(folder, 'copy')],
      env: { PATH: process.env.PATH ?? '', HOME: folder, THINGSYNC_TOKEN: token },
    })
    const search = async (input: Record<string, unknown>) => {
      const result = await client.callTool({ name: 'search_items', arguments: input })
      if (result.isError) throw new Error(JSON.stringify(result.content))
    }
    console.log(start)
    console.log(`${show(await time(() => client.connect(transport)))}  until it is connected`)
    console.log(`${show(await time(() => search({ query: 'garden' })))}  first search, which opens the copy`)
    for (const input of [
      { query: 'garden river' },
      { query: 'unique19999' },
      { query: 'nowhere' },
      { query: 'number', limit: 50 },
      { tags: ['t7'] },
      {},
    ]) {
      const times: number[] = []
      while (times.length < searchesPerQuery) times.push(await time(() => search(input)))
      times.sort((a, b) => a - b)
      const [middle = 0, slowest = 0] = [times[searchesPerQuery >> 1], times.at(-1)]
      console.log(`${show(middle)}  median, ${show(slowest).trim()} at most: ${JSON.stringify(input)}`)
    }
    await client.close()
  }
} finally {
  server.kill('SIGTERM')
  if (server.exitCode === null) await once(server, 'close')
  await rm(folder, { recursive: true, force: true })
}
