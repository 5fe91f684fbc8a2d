import * as zlib from 'node:zlib'
import { expect, test } from 'vitest'
import { encodings } from '../../../src/wire/compress.ts'
import { openFileServer } from '../../support/open-test-server.ts'
import { openRaw, rawHead } from '../../support/raw-connection.ts'

const server = await openFileServer({ settings: { maxBodyBytes: 8_000_000 } })

/** A response as its bytes say it is. @throws when they end before or behind what they promise */
interface ReadResponse {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

const readResponse = (bytes: Buffer, isHead: boolean): ReadResponse => {
  const end = bytes.indexOf('\r\n\r\n')
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers = new Map(
    lines.map((line) => [line.split(': ', 1)[0]?.toLowerCase() ?? '', line.replace(/^.*?: /, '')]),
  )
  const rest = bytes.subarray(end + 4)
  const status = Number(first.split(' ')[1])
  const length = headers.get('content-length')
  if (isHead || status === 204) {
    if (rest.length > 0) throw new Error(`${rest.length} bytes where there must be none`)
    return { status, headers, body: rest }
  }
  if (length !== undefined) {
    if (Number(length) !== rest.length) throw new Error(`${rest.length} bytes and not ${length}`)
    return { status, headers, body: rest }
  }
  if (headers.get('transfer-encoding') !== 'chunked') throw new Error('neither a length nor chunks')
  return { status, headers, body: joinChunks(rest) }
}

const joinChunks = (bytes: Buffer): Buffer => {
  const pieces: Buffer[] = []
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    const next = line + 2 + size + 2
    if (line < 0 || Number.isNaN(size) || bytes.toString('latin1', next - 2, next) !== '\r\n') {
      throw new Error('a chunk is cut off')
    }
    if (size === 0 && next !== bytes.length) throw new Error(`${bytes.length - next} bytes behind the last chunk`)
    if (size === 0) return Buffer.concat(pieces)
    pieces.push(bytes.subarray(line + 2, line + 2 + size))
    at = next
  }
}

const decode = ({ headers, body }: ReadResponse): string => {
  const encoding = headers.get('content-encoding')
  if (encoding === 'gzip') return zlib.gunzipSync(body).toString()
  if (encoding === 'br') return zlib.brotliDecompressSync(body).toString()
  if (encoding === 'zstd')
    return (zlib as unknown as Record<string, typeof zlib.gunzipSync>).zstdDecompressSync?.(body).toString() ?? ''
  return body.toString()
}

const send = async (
  method: string,
  path: string,
  headers: Record<string, string>,
  body = '',
): Promise<ReadResponse> => {
  const length = method === 'POST' ? { 'content-length': String(Buffer.byteLength(body)) } : {}
  const head = rawHead(method, path, { connection: 'close', ...length, ...headers })
  const response = await (await openRaw(server.baseUrl, head + body)).ended
  return readResponse(Buffer.from(response, 'latin1'), method === 'HEAD')
}

const upload = (count: number, html: string) =>
  JSON.stringify({ new_thing: Array.from({ length: count }, (_, i) => ({ local_id: i, title: `thing ${i}`, html })) })

const openDevices = async () => {
  const [none, some, many] = [await server.openDevice(), await server.openDevice(), await server.openDevice()]
  await some.post('/sync', { json: JSON.parse(upload(20, 'ключ '.repeat(30))) })
  for (let round = 0; round < 4; round += 1)
    await many.post('/sync', { json: JSON.parse(upload(5000, 'x'.repeat(300))) })
  return { none, some, many }
}
const devices = await openDevices()

const reads = ['/v1/sync', '/v1/sync?from=3', '/v1/things/get', '/v1/tags/get', '/v1/user/get', '/v1/sync?limit=x']
const open = ['/healthz', '/readyz', '/openapi.yaml', '/openapi.json', '/nothing', '/v1/nothing', '/v1/sync']

test.each([...encodings])('every response has as many bytes as it promises, and is whole (%s)', async (encoding) => {
  const accept = { 'accept-encoding': encoding }
  const seen = new Set<string>()
  const check = async (path: string, headers: Record<string, string>) => {
    const plain = await send('GET', path, { ...headers, 'accept-encoding': 'identity' })
    const response = await send('GET', path, headers)
    const head = await send('HEAD', path, headers)

    expect([path, response.status, head.status]).toEqual([path, plain.status, plain.status])
    expect(decode(response) === decode(plain)).toBe(true)
    if (!path.endsWith('.yaml')) expect(() => JSON.parse(decode(response))).not.toThrow()
    expect(head.headers.get('content-length')).toBe(response.headers.get('content-length'))
    seen.add(response.headers.has('content-length') ? 'whole' : 'in chunks')
    seen.add(response.headers.get('content-encoding') ?? 'identity')
  }

  for (const path of open) await check(path, accept)
  for (const { token } of Object.values(devices)) {
    for (const path of reads) await check(path, { ...accept, authorization: `Bearer ${token}` })
  }
  expect(seen).toEqual(new Set(['whole', 'in chunks', 'identity', encoding]))
})

test.each([...encodings])('the response to an upload is whole, however long it is (%s)', async (encoding) => {
  const { token } = await server.openDevice()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'accept-encoding': encoding }

  for (const count of [1, 100, 3000, 9000]) {
    const response = await send('POST', '/v1/sync', headers, upload(count, ''))
    expect([response.status, Object.keys(JSON.parse(decode(response)).things.new).length]).toEqual([200, count])
  }
  const errors = [
    await send('POST', '/v1/sync', headers, '{'),
    await send('POST', '/v1/sync', { ...headers, 'content-type': 'text/plain' }, 'x'),
    await send('POST', '/v1/sync', headers, 'x'.repeat(8_000_001)),
    await send('POST', '/v1/user/get', headers, ''),
    await send('POST', '/v1/token', { ...headers, 'content-type': 'application/x-www-form-urlencoded' }, 'a=b'),
  ]
  expect(errors.map(({ status }) => status)).toEqual([400, 415, 413, 405, 400])
  for (const error of errors) expect(JSON.parse(decode(error)).error).toBeTypeOf('string')
})
