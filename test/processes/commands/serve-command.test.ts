import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type CliServer, createTemporaryFolder, runCli, startCli, startCliServer } from '../../support/run-cli.ts'

test('--no-first-run makes no user and no app, and neither does a folder that has an app', async () => {
  const data = await createTemporaryFolder()
  await (await startCliServer(data, ['--no-first-run'])).stop()
  const users = await runCli(['user', 'list', '--data', data, '--format', 'json'])
  await runCli(['app', 'add', 'x', '--data', data])

  const server = await startCliServer(data)

  expect(users.stdout).toBe('[]\n')
  expect(server.stdout()).not.toContain('password')
})

test('the ready file holds the base URL and the process, and is gone after the end', async () => {
  const server = await startCliServer(await createTemporaryFolder())

  const ready = JSON.parse(await readFile(server.readyFile, 'utf8'))
  const { exitCode } = await server.stop()

  expect(ready).toEqual({ base_url: server.baseUrl, pid: server.child.pid })
  expect(exitCode).toBe(0)
  await expect(stat(server.readyFile)).rejects.toThrow('ENOENT')
})

test('a ready file that an earlier run left behind is removed before the start', async () => {
  const data = await createTemporaryFolder()
  const readyFile = join(data, 'ready.json')
  await writeFile(readyFile, '{"base_url":"http://127.0.0.1:8484/v1/","pid":7}\n')
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const address = other.address()
  const port = String(typeof address === 'object' ? address?.port : undefined)

  await runCli(['serve', '--data', data, '--port', port, '--ready-file', readyFile])

  await expect(stat(readyFile)).rejects.toThrow('ENOENT')
})

test('a ready file that is a folder is rejected in a sentence, and nothing starts', async () => {
  const data = await createTemporaryFolder()

  const { exitCode, stdout, stderr } = await runCli(['serve', '--data', data, '--port', '0', '--ready-file', data])

  const sentence = `ready file: ${data} cannot be removed (it is a folder); choose another file with --ready-file`
  expect([exitCode, stdout, stderr]).toEqual([1, '', `thingsync: ${sentence}\n`])
})

test('a setting that lacks another one is a wrong use, with exit code 2', async () => {
  const data = await createTemporaryFolder()

  const { exitCode, stderr } = await runCli(['serve', '--data', data, '--port', '0', '--auth-header', 'X-User'])

  const sentence = 'auth_header: needs trust_proxy or socket: only a proxy may send this header'
  expect([exitCode, stderr]).toEqual([2, `thingsync: ${sentence}\n`])
})

test('a file that is no ready file is not removed instead of one', async () => {
  const data = await createTemporaryFolder()
  const readyFile = join(data, 'notes.txt')
  await writeFile(readyFile, 'mine')

  const { exitCode, stdout, stderr } = await runCli(['serve', '--data', data, '--port', '0', '--ready-file', readyFile])

  const sentence = `ready file: ${readyFile} exists and is not a ready file; choose another file with --ready-file`
  expect([exitCode, stdout, stderr]).toEqual([1, '', `thingsync: ${sentence}\n`])
  expect(await readFile(readyFile, 'utf8')).toBe('mine')
})

test('a ready file that cannot be written is rejected before anything is created', async () => {
  const data = await createTemporaryFolder()
  const readyFile = join(data, 'nosuch', 'ready.json')

  const { exitCode, stdout, stderr } = await runCli(['serve', '--data', data, '--port', '0', '--ready-file', readyFile])

  const sentence = `ready file: ${readyFile} cannot be written (ENOENT); choose another file with --ready-file`
  expect([exitCode, stdout, stderr]).toEqual([1, '', `thingsync: ${sentence}\n`])
  expect((await runCli(['user', 'list', '--data', data, '--format', 'json'])).stdout).toBe('[]\n')
})

test('with --base-url the log shows the real address and port, too', async () => {
  const baseUrl = 'https://x.example/things/v1/'
  const server = await startCliServer(await createTemporaryFolder(), ['--base-url', baseUrl, '--no-first-run'])

  const { address, base_url, msg } = JSON.parse(server.stdout().split('\n')[0] ?? '')
  const health = await fetch(`http://${address}/healthz`)

  expect(base_url).toBe(baseUrl)
  expect(msg).toBe(`listening on ${address}; clients use ${baseUrl}`)
  expect(address).toMatch(/^127\.0\.0\.1:\d+$/)
  expect(health.status).toBe(200)
})

test('a second server on the same folder ends with an error that names the owner', async () => {
  const data = await createTemporaryFolder()
  const server = await startCliServer(data)

  const second = await runCli(['serve', '--data', data, '--port', '0'])

  const stderr = `thingsync: data folder ${data} is in use by thingsync process ${server.child.pid}; stop it first\n`
  expect(second).toEqual({ exitCode: 1, stdout: '', stderr })
})

test('after kill -9 the next server starts at once on the same folder', async () => {
  const data = await createTemporaryFolder()
  const server = await startCliServer(data)
  await server.stop('SIGKILL')

  const next = await startCliServer(data)

  expect(await (await fetch(new URL('/healthz', next.baseUrl))).json()).toEqual({ status: 'ok' })
})

/** A request whose head the server has read: it requests the ten bytes of the body. */
const beginRequest = async (server: CliServer): Promise<ClientRequest> => {
  const sent = request(`${server.baseUrl}token`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': '10',
      expect: '100-continue',
    },
  })
  sent.flushHeaders()
  await once(sent, 'continue')
  return sent
}

const untilStopping = (server: CliServer): Promise<void> =>
  vi.waitFor(() => expect(server.stdout() + server.stderr()).toContain('stopping: '), { timeout: 60_000 })

test.each(['SIGTERM', 'SIGINT'] as const)('%s lets a running request finish and ends with 0', async (signal) => {
  const server = await startCliServer(await createTemporaryFolder())
  const sent = await beginRequest(server)
  const responded = once(sent, 'response')
  sent.write('grant')

  const ended = server.stop(signal)
  await untilStopping(server)
  sent.end('_type')
  const [response] = await responded
  response.resume()

  expect(response.statusCode).toBe(401)
  expect((await ended).exitCode).toBe(0)
})

test('a second signal ends the server at once', async () => {
  const server = await startCliServer(await createTemporaryFolder())
  const sent = await beginRequest(server)
  sent.on('error', () => undefined)
  sent.write('x')

  server.child.kill('SIGTERM')
  await untilStopping(server)
  const { exitCode } = await server.stop('SIGTERM')

  expect(exitCode).toBe(143)
})

test('a port that is taken is named, and no secret is made for nobody', async () => {
  const data = await createTemporaryFolder()
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const address = other.address()
  const port = String(typeof address === 'object' ? address?.port : undefined)

  const { exitCode, stderr } = await runCli(['serve', '--data', data, '--port', port])

  const sentence = `port ${port} of 127.0.0.1 is in use; choose another port with --port, or 0 for a free port`
  expect([exitCode, stderr]).toEqual([1, `thingsync: ${sentence}\n`])
  expect((await runCli(['user', 'list', '--data', data, '--format', 'json'])).stdout).toBe('[]\n')
})

test('a missing data folder is made for its owner only', async () => {
  const data = join(await createTemporaryFolder(), 'a', 'b')

  await startCliServer(data)

  expect(((await stat(data)).mode & 0o777).toString(8)).toBe('700')
})

test('every request is one JSON line on standard output, without its token', async () => {
  const server = await startCliServer(await createTemporaryFolder(), ['--no-first-run'])
  await fetch(`${server.baseUrl}sync?access_token=S3CRET`)

  const { stdout } = await server.stop()

  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.find((line) => line.path === '/v1/sync')).toMatchObject({ method: 'GET', status: 401 })
  expect(stdout).not.toContain('S3CRET')
})

test('a variable that is no setting is warned about, those of the suite are not', async () => {
  const environment = { THINGSYNC_DATABASE: 'x', THINGSYNC_USER: 'x', THINGSYNC_CLIENT_ID: 'x' }
  const server = await startCliServer(await createTemporaryFolder(), ['--no-first-run'], environment)

  const { stdout } = await server.stop()

  const lines = stdout.split('\n').filter((line) => line.includes('"level":"warn"'))
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    'THINGSYNC_DATABASE: is not known and has no effect; "thingsync config" lists all',
  ])
})

test('all problems of the command line are named at once, with exit code 2', async () => {
  const args = ['serve', '--prot', '1', '--log-level', 'loud', '--max-body-bytes=x']
  const { exitCode, stdout, stderr } = await startCli(args, { THINGSYNC_HOTS: 'h' }).ended

  expect([exitCode, stdout]).toEqual([2, ''])
  expect(stderr.split('\n')).toEqual([
    'thingsync: --prot: is not known; did you mean --port?',
    'thingsync: THINGSYNC_HOTS: is not known; did you mean THINGSYNC_HOST?',
    'thingsync: --max-body-bytes: must be a whole number from 1024 to 1073741824, not "x"',
    'thingsync: --log-level: must be trace, debug, info, warn, error, fatal or silent, not "loud"',
    '',
  ])
})
