import type { Socket } from 'node:net'

/** What one stranger does on one connection, from the moment it stands; it ends the connection itself or waits. */
export type Attack = (socket: Socket) => void

const mebibyte = 2 ** 20
const host = 'host: stranger'

const head = (line: string, ...headers: readonly string[]): string => `${[line, host, ...headers].join('\r\n')}\r\n\r\n`

const post = (path: string, type: string, length: number, ...more: readonly string[]): string =>
  head(`POST ${path} HTTP/1.1`, `content-type: ${type}`, `content-length: ${length}`, ...more)

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const wrongToken = 'authorization: Bearer a-token-that-nobody-gave'

/** Writes pieces as fast as they are taken, `whole` bytes in all, then leaves the connection open. */
const pour = (socket: Socket, piece: Buffer, whole: number): void => {
  let left = whole
  const write = (): void => {
    while (left > 0 && !socket.destroyed) {
      const part = left < piece.length ? piece.subarray(0, left) : piece
      left -= part.length
      if (!socket.write(part)) {
        socket.once('drain', write)
        return
      }
    }
  }
  write()
}

const nested = Buffer.alloc(mebibyte / 4, '[')
const fields = Buffer.from('tag%5Bx%5D=%7B%7D&'.repeat(8_000))
const things = Buffer.from('{"local_id":"1","title":"t"},'.repeat(8_000))

const pourBody =
  (
    path: string,
    type: string,
    piece: Buffer,
    announced: number,
    sent = announced,
    ...more: readonly string[]
  ): Attack =>
  (socket) => {
    socket.write(post(path, type, announced, ...more))
    pour(socket, piece, sent)
  }

const sayAll =
  (text: string): Attack =>
  (socket) => {
    socket.write(text)
  }

/** One byte of a head that never ends, every 100 ms. */
const drip: Attack = (socket) => {
  socket.write('POST /v1/sync HTTP/1.1\r\nhost: stranger\r\nx-slow: ')
  const timer = setInterval(() => socket.write('a'), 100)
  socket.once('close', () => clearInterval(timer))
}

/** Asks for much and reads none of it. */
const neverRead: Attack = (socket) => {
  socket.pause()
  socket.write(head('GET /openapi.json HTTP/1.1', 'accept-encoding: gzip').repeat(100))
}

const guess = (name: string): string => {
  const body = `grant_type=password&client_id=x&client_secret=y&username=${name}&password=guess`
  return post('/v1/token', form, body.length) + body
}

/** The worst bodies, heads and connections that somebody without an account can send, by name. */
export const attacks: Readonly<Record<string, Attack>> = {
  'brackets without a token': pourBody('/v1/sync', json, nested, 20 * mebibyte),
  'things in JSON without a token': pourBody('/v1/sync', json, things, 20 * mebibyte),
  'JSON under a wrong token': pourBody('/v1/sync', json, things, 31 * mebibyte, 31 * mebibyte, wrongToken),
  'fields without a token': pourBody('/v1/sync', form, fields, 31 * mebibyte),
  'a body that stops before its end': pourBody('/v1/sync', form, fields, 32 * mebibyte, 31 * mebibyte),
  'a body longer than allowed': pourBody('/v1/sync', form, fields, 2 ** 40, 8 * mebibyte),
  'a body without a length': (socket) => {
    socket.write(head('POST /v1/sync HTTP/1.1', `content-type: ${form}`, 'transfer-encoding: chunked'))
    const chunk = Buffer.concat([Buffer.from(`${fields.length.toString(16)}\r\n`), fields, Buffer.from('\r\n')])
    pour(socket, chunk, chunk.length * 200)
  },
  'a large body for the token endpoint': pourBody('/v1/token', form, fields, 31 * mebibyte),
  'a body for an unknown operation': pourBody('/v1/nothing', json, nested, 20 * mebibyte),
  'a head that never ends': drip,
  'an answer that is never read': neverRead,
  'passwords for an account that exists': sayAll(guess('user-0').repeat(50)),
  'passwords for accounts that do not exist': sayAll(
    Array.from({ length: 50 }, (_, n) => guess(`nobody-${n}`)).join(''),
  ),
  'wrong tokens, one behind the other': sayAll(head('GET /v1/sync HTTP/1.1', wrongToken).repeat(500)),
  'forged addresses': sayAll(
    head('GET /v1/sync HTTP/1.1', wrongToken, `x-forwarded-for: ${'a'.repeat(8_000)}`).repeat(100),
  ),
  'a thousand asks for health': sayAll(head('GET /readyz HTTP/1.1').repeat(1_000)),
  'a target without a path': sayAll('GET http:// HTTP/1.1\r\nhost: stranger\r\n\r\n'),
  'five thousand headers': sayAll(head('GET /v1/sync HTTP/1.1', ...Array.from({ length: 5_000 }, () => 'a: b'))),
  'what is no HTTP': sayAll('\u0016\u0003\u0001'.repeat(1_000)),
}
