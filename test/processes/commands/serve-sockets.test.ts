import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { get, request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fakeCertificate, localCertificate } from '../../support/certificate.ts'
import { createTemporaryFolder, program, readWhenThere, runCli, startCliServer } from '../../support/run-cli.ts'

const send = async (options: object): Promise<number> => {
  const [response] = await once(get({ path: '/healthz', ...options }), 'response')
  response.resume()
  return response.statusCode
}

test('serve listens on a Unix socket, and believes what the proxy behind it says of clients', async () => {
  const data = await createTemporaryFolder()
  const socket = join(data, 'thingsync.sock')
  const baseUrl = 'https://x.example/v1/'
  const server = await startCliServer(data, ['--no-first-run', '--socket', socket, '--base-url', baseUrl])

  const headers = { 'x-forwarded-for': '9.9.9.9, 203.0.113.7' }
  const grant = {
    method: 'POST',
    path: '/v1/token',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
  }
  const requested = request({ socketPath: socket, ...grant })
  requested.end('grant_type=password&client_id=x&client_secret=y&username=anna&password=z')
  const [response] = await once(requested, 'response')
  response.resume()
  const health = await send({ socketPath: socket })
  const { stdout } = await server.stop()

  expect([server.baseUrl, health, response.statusCode]).toEqual([baseUrl, 200, 401])
  expect(stdout).toContain(`listening on unix:${socket}; clients use ${baseUrl}`)
  expect(stdout).toContain('sign-in failed from 203.0.113.7: reason=client')
})

test.each([
  ['nosuch/thingsync.sock', 'cannot be created (EACCES); its folder must exist, and'],
  ['x'.repeat(120), 'is too long; choose a path of at most 103 bytes'],
])('the path %s that cannot be a socket is rejected in a sentence', async (name, sentence) => {
  const data = await createTemporaryFolder()
  const socket = join(data, name)

  const run = await runCli(['serve', '--data', data, '--socket', socket, '--base-url', 'https://x.example/'])

  expect(run).toMatchObject({ exitCode: 1, stdout: '' })
  expect(run.stderr).toContain(`thingsync: socket: ${socket} ${sentence}`)
})

/** What systemd does: listens, and starts the server with the socket as its fourth file. */
const startActivated = async (environment: Record<string, string>, options: readonly string[]) => {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const handle = listener as unknown as { readonly _handle: { readonly fd: number } }
  const { port } = listener.address() as { readonly port: number }
  const data = await createTemporaryFolder()
  const readyFile = join(data, 'ready.json')
  // The shell's number is the server's: `exec` keeps it.
  const command = 'export LISTEN_PID=$$; exec "$@"'
  const serve = [process.execPath, program, 'serve', '--data', data, '--no-first-run', '--ready-file', readyFile]
  const child = spawn('/bin/sh', ['-c', command, 'sh', ...serve, ...options], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', handle._handle.fd],
  })
  listener.close()
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, port, readyFile }
}

test('serve takes the socket that systemd listens on', async () => {
  const { child, port, readyFile } = await startActivated({ LISTEN_FDS: '1' }, ['--base-url', 'https://x.example/'])

  await readWhenThere(readyFile, () => child.exitCode !== null)

  expect(await send({ host: '127.0.0.1', port })).toBe(200)
})

test.each([
  [{ LISTEN_FDS: '2' }, ['--base-url', 'https://x.example/'], 'LISTEN_FDS: must be one socket, not 2; '],
  [{ LISTEN_FDS: '1' }, [], 'LISTEN_FDS: a socket that systemd opened needs base_url; '],
])('what systemd hands over with %j and %j is rejected', async (environment, options, sentence) => {
  const { child } = await startActivated(environment, options)

  const said = (await child.stderr?.toArray())?.join('')

  expect(said).toContain(`thingsync: ${sentence}`)
})

test('SIGHUP reads the certificate again, and the server goes on', async () => {
  const data = await createTemporaryFolder()
  const files = [join(data, 'chain.pem'), join(data, 'key.pem')] as const
  const write = async ({ cert, key }: typeof localCertificate) => {
    await writeFile(files[0], cert)
    await writeFile(files[1], key)
  }
  await write(fakeCertificate)
  const server = await startCliServer(data, ['--no-first-run', '--tls-cert', files[0], '--tls-key', files[1]])

  await write(localCertificate)
  server.child.kill('SIGHUP')
  await vi.waitFor(() => expect(server.stdout()).toContain('the certificate was read again'), { timeout: 60_000 })

  expect(new URL(server.baseUrl).protocol).toBe('https:')
  expect(await readFile(server.readyFile, 'utf8')).toContain(server.baseUrl)
  expect((await server.stop()).exitCode).toBe(0)
})
