import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { fakeCertificate, localCertificate } from '../../test/support/certificate.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import { thingForm } from '../things/thing.ts'
import { createConnections, formatPeer, listUnacknowledged } from './connections.ts'
import { listen } from './listen.ts'
import { createHttpServer, openServer } from './server.ts'

const createFiles = async (certificate: { readonly cert: string; readonly key: string }) => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-tls-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const files = { cert: join(folder, 'chain.pem'), key: join(folder, 'key.pem') }
  await writeFile(files.cert, certificate.cert)
  await writeFile(files.key, certificate.key)
  return files
}

/** A server with TLS, and what it logged. */
const openTls = async (files: { readonly cert: string; readonly key: string }) => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line).msg) })
  const store = await openMemoryStore({ form: thingForm })
  const server = await openServer({
    store,
    log,
    settings: {
      host: '127.0.0.1',
      port: 0,
      certificate: files,
      maxBodyBytes: 1_000_000,
      requestTimeoutSeconds: 60,
      corsOrigins: [],
      trustProxy: [],
    },
  })
  onTestFinished(async () => {
    await server.close()
    await store.close()
  })
  return { server, lines }
}

const requestName = async (port: number): Promise<unknown> => {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { subject }: PeerCertificate = socket.getPeerCertificate()
  socket.destroy()
  return subject.CN
}

test('a server with a certificate speaks TLS, and its base URL says so', async () => {
  const { server } = await openTls(await createFiles(localCertificate))

  const requested = request(`${server.baseUrl}sync`, { ca: localCertificate.cert }).end()
  const [response] = await once(requested, 'response')
  response.resume()

  expect(server.baseUrl).toBe(`https://127.0.0.1:${server.port}/v1/`)
  expect(response.statusCode).toBe(401)
})

test('new connections get a replaced certificate, and open connections continue', async () => {
  const files = await createFiles(fakeCertificate)
  const { server, lines } = await openTls(files)
  const before = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false })
  await once(before, 'secureConnect')

  await writeFile(files.cert, localCertificate.cert)
  await server.renewCertificate()
  await server.renewCertificate()
  const halfReplaced = await requestName(server.port)
  await writeFile(files.key, localCertificate.key)
  await server.renewCertificate()

  expect([halfReplaced, await requestName(server.port)]).toEqual(['hook.test', '127.0.0.1'])
  const said = lines.filter((line) => line.includes('certificate'))
  expect(said).toEqual([
    expect.stringMatching(/^tls_cert: .* cannot be used .*; the previous certificate stays in use$/),
    'the certificate was read again; new connections use it',
  ])
  before.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  const [response] = await once(before, 'data')
  expect(String(response)).toContain('200 OK')
  before.destroy()
})

test('the error names files that are missing or do not match', async () => {
  const files = await createFiles({ ...localCertificate, key: fakeCertificate.key })

  await expect(openTls(files)).rejects.toThrow(/^tls_cert: .*chain.pem and .*key.pem cannot be used \(/)
  await rm(files.key)
  await expect(openTls(files)).rejects.toThrow(`tls_key: ${files.key} cannot be read (ENOENT)`)
})

test('a server with TLS closes despite an unfinished handshake, and accepts no plain HTTP', async () => {
  const { server } = await openTls(await createFiles(localCertificate))
  const silent = connectPlain(server.port, '127.0.0.1')
  await once(silent, 'connect')
  const plain = connectPlain(server.port, '127.0.0.1').setEncoding('latin1')
  plain.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  const said = (await plain.toArray()).join('')

  await server.close()

  expect(said).not.toContain('HTTP/1.1 200')
  if (!silent.destroyed) await once(silent, 'close')
})

test.runIf(process.platform === 'linux')('bytes that TLS adds are counted, so lost streams are noticed', async () => {
  const connections = createConnections()
  const { server, wire } = createHttpServer(
    { timeout: 10_000, certificate: localCertificate },
    connections,
    (_, response) => response.end('x'.repeat(10_000)),
  )
  onTestFinished(() => void server.close())
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
  const client = connect({ host: '127.0.0.1', port, rejectUnauthorized: false })
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(client, 'data')

  const [socket] = [...connections.list()] as TLSSocket[]
  if (socket === undefined) throw new Error('nothing is connected')
  const name = formatPeer(socket.remoteAddress, socket.remotePort)
  await expect.poll(async () => (await listUnacknowledged(port)).has(name)).toBe(false)

  expect(wire.countSent(socket)).toBeGreaterThan(socket.bytesWritten)
  expect(wire.countSent(socket)).toBeGreaterThan(10_000)
  client.destroy()
})
