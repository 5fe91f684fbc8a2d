import { spawn } from 'node:child_process'
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { classifyFault } from '../../../src/runtime/process-events.ts'
import { decodeItem } from '../../../src/store/tools/restore.ts'
import { program, startCliServer } from '../../support/run-cli.ts'

const caught = (work: () => unknown): unknown => {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

const withoutStack = Object.assign(new Error('ENOSPC: no space left on device, fdatasync'), { stack: 'Error: ENOSPC' })

test.each<[string, 'connection' | 'goOn' | 'end', unknown]>([
  ['a connection that broke', 'connection', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
  ['code that reads requests', 'goOn', caught(() => JSON.parse('{'))],
  ['code of a package or a test', 'goOn', new TypeError('Cannot read properties of null')],
  ['the store', 'end', caught(() => decodeItem('{'))],
  ['nowhere', 'end', withoutStack],
  ['nowhere, and being no error', 'end', 'a text'],
])('a fault of %s: %s', (_name, verdict, error) => {
  expect(classifyFault(error)).toBe(verdict)
})

/** A data folder, and a server on it that throws what `fault` says as soon as it gets SIGUSR2. */
const startFaulty = async (fault: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-fault-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const preload = join(folder, 'preload.mjs')
  await writeFile(preload, `process.on('SIGUSR2', async () => { ${fault} })\n`)
  const environment = { NODE_OPTIONS: `--import ${pathToFileURL(preload).href}` }
  return startCliServer(join(folder, 'data'), ['--no-first-run', '--log-format', 'json'], environment)
}

test.each<[string, string]>([
  ['thrown in a listener', `setTimeout(() => { null.slice() })`],
  ['rejected where nobody awaits it', `Promise.reject(new TypeError('null'))`],
])('a fault %s outside of the store is logged, and the server goes on', async (_name, fault) => {
  const server = await startFaulty(fault)

  server.child.kill('SIGUSR2')

  await expect.poll(server.stdout).toContain('the server continues')
  expect((await fetch(new URL('/readyz', server.baseUrl))).status).toBe(200)
  const { exitCode, stdout } = await server.stop()
  expect(exitCode).toBe(0)
  expect(stdout).toContain('"msg":"stopped"')
})

/** The URL of the chunk of the built program that exports a function. */
const findChunk = async (name: string): Promise<string> => {
  const folder = dirname(program)
  for (const file of await readdir(folder)) {
    const [, exported = ''] = /^export \{ ([^}]*) \};$/m.exec(await readFile(join(folder, file), 'utf8')) ?? []
    const names = exported.split(', ').map((one) => one.replace(/.* as /, ''))
    if (file.endsWith('.js') && names.includes(name)) return pathToFileURL(join(folder, file)).href
  }
  throw new Error(`no chunk of the program exports ${name}`)
}

test('a fault in the code of a page is logged, and the server goes on', async () => {
  const page = await findChunk('formatLinkUrl')
  const server = await startFaulty(
    `const { formatLinkUrl } = await import('${page}'); setTimeout(() => formatLinkUrl(null))`,
  )

  server.child.kill('SIGUSR2')

  await expect.poll(server.stdout).toContain('the server continues')
  expect(server.stdout()).toContain('at formatLinkUrl')
  expect((await server.stop()).exitCode).toBe(0)
})

test('a fault of the store is logged, and the server ends in order, with exit code 1', async () => {
  const store = await findChunk('encodeItem')
  const server = await startFaulty(
    `const { encodeItem } = await import('${store}'); setTimeout(() => encodeItem(null))`,
  )

  server.child.kill('SIGUSR2')

  const { exitCode, stdout, stderr } = await server.ended
  expect(exitCode).toBe(1)
  expect(stdout).toContain('"level":"fatal"')
  expect(stdout).toContain('at encodeItem')
  expect(stdout).toContain('"msg":"stopped"')
  expect(stderr).toBe('thingsync: the server ended because of an internal error; see its log\n')
})

test('a server whose log cannot be written, because the disk is full, goes on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-fault-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const readyFile = join(folder, 'ready.json')
  const full = await open('/dev/full', 'w')
  const child = spawn(
    process.execPath,
    [program, 'serve', '--data', join(folder, 'data'), '--port', '0', '--ready-file', readyFile, '--no-first-run'],
    { stdio: ['ignore', full.fd, 'inherit'] },
  )
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  await full.close()
  await expect.poll(() => readFile(readyFile, 'utf8').catch(() => ''), { timeout: 60_000 }).toContain('base_url')
  const { base_url: baseUrl } = JSON.parse(await readFile(readyFile, 'utf8'))

  const responses = []
  for (let count = 0; count < 20; count += 1) responses.push((await fetch(new URL('/readyz', baseUrl))).status)

  expect(new Set(responses)).toEqual(new Set([200]))
  expect(child.exitCode).toBeNull()
})
