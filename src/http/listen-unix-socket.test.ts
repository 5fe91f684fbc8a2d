import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { listen } from './listen.ts'

let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thingsync-socket-'))
  path = join(folder, 'thingsync.sock')
})

afterEach(() => rm(folder, { recursive: true }))

const open = async (mode = 0o660) => {
  const server = createServer((_request, response) => response.end('here'))
  onTestFinished(() => void server.close())
  return { server, ...(await listen(server, { host: '', port: 0, socket: { path, mode } })) }
}

const send = async (): Promise<string> => {
  const [response] = await once(get({ socketPath: path }), 'response')
  return (await response.toArray()).join('')
}

/** Leaves the socket of a server that was killed. */
const leaveSocket = async (): Promise<void> => {
  const program = 'require("net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))'
  await once(spawn(process.execPath, ['-e', program, path]), 'close')
}

test.each([0o660, 0o600, 0o666])('a server listens on a Unix socket of mode %i', async (mode) => {
  const { address, port, isUnix } = await open(mode)

  expect({ address, port, isUnix }).toEqual({ address: `unix:${path}`, port: 0, isUnix: true })
  expect((await stat(path)).mode & 0o777).toBe(mode)
  expect(await send()).toBe('here')
})

test('creating a socket leaves the umask as it was', async () => {
  const before = process.umask()

  await open(0o600)

  expect(process.umask()).toBe(before)
})

test('the socket of a server that was killed is replaced', async () => {
  await leaveSocket()
  expect((await stat(path)).isSocket()).toBe(true)

  await open()

  expect(await send()).toBe('here')
})

test('a socket on which another program listens is kept', async () => {
  await open()

  await expect(open()).rejects.toThrow(`socket: another program listens on ${path}; choose another path`)

  expect(await send()).toBe('here')
})

test('a path that is no socket is never removed', async () => {
  await writeFile(path, 'precious')
  await expect(open()).rejects.toThrow(`socket: ${path} exists and is not a socket; choose another path`)
  expect(await readFile(path, 'utf8')).toBe('precious')

  await rm(path)
  await symlink('/nonexistent', path)
  await expect(open()).rejects.toThrow('is not a socket')
})

test('the socket is removed when the server closes', async () => {
  const { server } = await open()

  server.close()
  await once(server, 'close')

  await expect(stat(path)).rejects.toThrow('ENOENT')
})
