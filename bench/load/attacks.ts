import type { Socket } from 'node:net'

/** Runs one attack on an open connection. It closes the connection itself or leaves it open. */
export type Attack = (socket: Socket) => void

/** The server that a repeated attack is sent to, and the account of the attacker. */
export interface AttackTarget {
  readonly port: number
  /** Access token of the attacker's own account. */
  readonly token: string
}

/**
 * An attack that one client repeats: it sends the next request after each response. The function prepares the account
 * and returns a function that creates the whole request of a number.
 */
export type RepeatedAttack = (target: AttackTarget) => Promise<(number: number) => Buffer>

const mebibyte = 2 ** 20
const host = 'host: attacker'

const head = (line: string, ...headers: readonly string[]): string => `${[line, host, ...headers].join('\r\n')}\r\n\r\n`

const post = (path: string, type: string, length: number, ...more: readonly string[]): string =>
  head(`POST ${path} HTTP/1.1`, `content-type: ${type}`, `content-length: ${length}`, ...more)

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const wrongToken = 'authorization: Bearer a-token-that-nobody-gave'

/** Writes `total` bytes, made of repeated pieces, as fast as the socket takes them. Leaves the connection open. */
const sendBytes = (socket: Socket, piece: Buffer, total: number): void => {
  let left = total
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

const sendBody =
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
    sendBytes(socket, piece, sent)
  }

const sendText =
  (text: string): Attack =>
  (socket) => {
    socket.write(text)
  }

/** Sends one byte of a request head every 100 ms, without an end (slowloris). */
const slowloris: Attack = (socket) => {
  socket.write('POST /v1/sync HTTP/1.1\r\nhost: attacker\r\nx-slow: ')
  const timer = setInterval(() => socket.write('a'), 100)
  socket.once('close', () => clearInterval(timer))
}

/** Requests large responses and reads none of them. */
const neverRead: Attack = (socket) => {
  socket.pause()
  socket.write(head('GET /openapi.json HTTP/1.1', 'accept-encoding: gzip').repeat(100))
}

const guess = (name: string): string => {
  const body = `grant_type=password&client_id=x&client_secret=y&username=${name}&password=guess`
  return post('/v1/token', form, body.length) + body
}

/** The worst bodies, heads and connections that an unauthenticated client can send, by name. */
export const attacks: Readonly<Record<string, Attack>> = {
  'brackets without a token': sendBody('/v1/sync', json, nested, 20 * mebibyte),
  'things in JSON without a token': sendBody('/v1/sync', json, things, 20 * mebibyte),
  'JSON under a wrong token': sendBody('/v1/sync', json, things, 31 * mebibyte, 31 * mebibyte, wrongToken),
  'fields without a token': sendBody('/v1/sync', form, fields, 31 * mebibyte),
  'a body that stops before its end': sendBody('/v1/sync', form, fields, 32 * mebibyte, 31 * mebibyte),
  'a body longer than allowed': sendBody('/v1/sync', form, fields, 2 ** 40, 8 * mebibyte),
  'a body without a length': (socket) => {
    socket.write(head('POST /v1/sync HTTP/1.1', `content-type: ${form}`, 'transfer-encoding: chunked'))
    const chunk = Buffer.concat([Buffer.from(`${fields.length.toString(16)}\r\n`), fields, Buffer.from('\r\n')])
    sendBytes(socket, chunk, chunk.length * 200)
  },
  'a large body for the token endpoint': sendBody('/v1/token', form, fields, 31 * mebibyte),
  'a body for an unknown operation': sendBody('/v1/nothing', json, nested, 20 * mebibyte),
  'a head that never ends': slowloris,
  'a response that is never read': neverRead,
  'passwords for an account that exists': sendText(guess('user-0').repeat(50)),
  'passwords for accounts that do not exist': sendText(
    Array.from({ length: 50 }, (_, n) => guess(`nobody-${n}`)).join(''),
  ),
  'wrong tokens, one behind the other': sendText(head('GET /v1/sync HTTP/1.1', wrongToken).repeat(500)),
  'forged addresses': sendText(
    head('GET /v1/sync HTTP/1.1', wrongToken, `x-forwarded-for: ${'a'.repeat(8_000)}`).repeat(100),
  ),
  'a thousand asks for health': sendText(head('GET /readyz HTTP/1.1').repeat(1_000)),
  'a target without a path': sendText('GET http:// HTTP/1.1\r\nhost: attacker\r\n\r\n'),
  'five thousand headers': sendText(head('GET /v1/sync HTTP/1.1', ...Array.from({ length: 5_000 }, () => 'a: b'))),
  'what is no HTTP': sendText('\u0016\u0003\u0001'.repeat(1_000)),
}

const maxBodyBytes = 32 * mebibyte

const createRequest = (path: string, type: string, body: Buffer, ...more: readonly string[]): Buffer =>
  Buffer.concat([Buffer.from(post(path, type, body.length, ...more)), body])

const bearer = ({ token }: AttackTarget): string => `authorization: Bearer ${token}`

/** Sends the same body each time, as the attacker's account. */
const repeat =
  (path: string, type: string, createBody: () => string | Buffer): RepeatedAttack =>
  async (target) => {
    const request = createRequest(path, type, Buffer.from(createBody()), bearer(target))
    return () => request
  }

const get =
  (path: string): RepeatedAttack =>
  async (target) => {
    const request = Buffer.from(head(`GET ${path} HTTP/1.1`, bearer(target)))
    return () => request
  }

const list = <T>(count: number, create: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => create(index))

/** Combining marks, which Unicode normalization sorts. They are not percent-encoded, which would triple the length. */
const markedName = `a${'\u0345'.repeat(15_700)}${'\u0301'.repeat(15_700)}`

/** Creates a request that changes the maximum number of tags, with names of the maximum length that are always new. */
const tagNames = (target: AttackTarget, number: number): Buffer => {
  const settings = list(10_000, (index) => `"${`${number}-${index}-`.padEnd(1_000, 'n')}":{"favorite":true}`)
  return createRequest('/v1/sync', json, Buffer.from(`{"limit":0,"tag":{${settings.join(',')}}}`), bearer(target))
}

/** Fills the account with the maximum number of tags, in at most four requests. */
const fillTags = async ({ port, token }: AttackTarget): Promise<void> => {
  for (let number = 0; number < 4; number += 1) {
    const settings = list(
      10_000,
      (index) => [`filled ${number}-${index} `.padEnd(1_000, 'n'), { favorite: true }] as const,
    )
    const response = await fetch(`http://127.0.0.1:${port}/v1/sync`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': json },
      body: JSON.stringify({ limit: 0, tag: Object.fromEntries(settings) }),
    })
    await response.arrayBuffer()
    if (response.status === 413) return
    if (!response.ok) throw new Error(`the response to the upload of tags has status ${response.status}`)
  }
}

/** Sends the sign-in form as a browser does: with the cookie and the form token of the page. */
const signInWith =
  (username: string): RepeatedAttack =>
  async ({ port }) => {
    const page = await fetch(`http://127.0.0.1:${port}/sign-in`, { headers: { accept: 'text/html' } })
    const cookie = page.headers.get('set-cookie')?.split(';')[0] ?? ''
    const formToken = /name="form_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
    const body = Buffer.from(`form_token=${encodeURIComponent(formToken)}&password=guess&username=${username}`)
    // The server derives the names of its cookies from the host.
    const start = post('/sign-in', form, body.length, `cookie: ${cookie}`).replace(host, `host: 127.0.0.1:${port}`)
    const request = Buffer.concat([Buffer.from(start), body])
    return () => request
  }

const thingJson = (index: number): string => `{"local_id":${index},"title":"thing ${index}","tags":"a b c","date":1}`

/** The attacks that make a server work hard, from an account or an unauthenticated client, by name. */
export const repeatedAttacks: Readonly<Record<string, RepeatedAttack>> = {
  'a sign-in name of 64 KB of marks': signInWith(markedName),
  'the same at the token endpoint': async () => {
    const fields = `grant_type=password&client_id=x&client_secret=y&password=guess&username=${markedName}`
    const request = createRequest('/v1/token', form, Buffer.from(fields))
    return () => request
  },
  '10,000 new tag settings a request': async (target) => (number) => tagNames(target, number),
  'tags/get of an account with many tags': async (target) => {
    await fillTags(target)
    return get('/v1/tags/get')(target)
  },
  'full syncs of an account with many tags': async (target) => {
    await fillTags(target)
    return get('/v1/sync')(target)
  },
  'a Host that no address can be made of': async () => {
    const request = Buffer.from('GET /sign-in HTTP/1.1\r\nhost: a:99999\r\naccept: text/html\r\n\r\n')
    return () => request
  },
  '32 MB of JSON escapes': repeat('/v1/sync', json, () => {
    const [start, end] = ['{"from":0,"new_thing":{"local_id":1,"title":"x","html":"', '"}}']
    return start + '\\u0061'.repeat(Math.floor((maxBodyBytes - start.length - end.length) / 6)) + end
  }),
  '100,000 things in JSON': repeat(
    '/v1/sync',
    json,
    () => `{"from":0,"limit":0,"new_thing":[${list(100_000, thingJson)}]}`,
  ),
  '100,000 things in fields': repeat(
    '/v1/sync',
    form,
    () => `from=0&limit=0&${list(100_000, (index) => `new_thing[]=${encodeURIComponent(thingJson(index))}`).join('&')}`,
  ),
  '100,000 tag fields': repeat('/v1/sync', form, () => list(100_000, (index) => `tag[${index}]={}`).join('&')),
  'a million tag fields': repeat('/v1/sync', form, () => list(1_000_000, (index) => `tag[${index}]={}`).join('&')),
  '32 MB of [': repeat('/v1/sync', json, () => Buffer.alloc(32_000_000, '[')),
  '32 MB of [ in a form': repeat('/v1/sync', form, () => `new_thing=${'['.repeat(32_000_000)}`),
  'two million members of one object': repeat(
    '/v1/sync',
    json,
    () => `{"new_thing":[{${list(2_000_000, (index) => `"${index.toString(36)}":1`)}}]}`,
  ),
  '10 million empty lists in one thing': repeat(
    '/v1/sync',
    json,
    () => `{"new_thing":[[${'[],'.repeat(10_000_000)}[]]]}`,
  ),
  '24 MB of good things and a missing end': repeat('/v1/sync', json, () => `{"new_thing":[${list(400_000, thingJson)}`),
}
