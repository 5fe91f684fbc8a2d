/** What a stranger or a signed-in client sends to hurt a server. */
export interface Attack {
  readonly name: string
  /** The parts of each request; every request goes over a connection of its own, all at once. */
  readonly requests: (token: string) => Iterable<string | Buffer>[]
  /** How long connections are kept that are not answered. */
  readonly holdSeconds?: number
}

const MB = 1_000_000
const form = 'content-type: application/x-www-form-urlencoded\r\n'
const json = 'content-type: application/json\r\n'
const bearer = (token: string) => `authorization: Bearer ${token}\r\n`

const head = (headers: string, bytes: number, path = '/v1/sync') =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}content-length: ${bytes}\r\n\r\n`

const whole = (headers: string, body: Buffer, path?: string): (string | Buffer)[] => [
  head(headers, body.length, path),
  body,
]

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

const things = (bytes: number): Buffer => {
  const one = (i: number) => JSON.stringify({ local_id: i, title: `thing ${i}`, tags: 'a b c', date: 1 })
  const items = times(Math.ceil(bytes / 60), one)
  return Buffer.from(`{"new_thing":[${items.join(',')}]}`)
}

/** A body whose cost is not in its bytes, and that cannot be cut. */
const lists = (bytes: number): Buffer => Buffer.from(`{"new_thing":{"a":[${'[],'.repeat(bytes / 3)}[]]}}`)

/** The attacks of issue 9, and some more of their kind. */
export const attacks: readonly Attack[] = [
  {
    name: 'no attack, for comparison',
    requests: () => [[head(form, 0)]],
    holdSeconds: 3,
  },
  {
    name: 'four JSON bodies of 20 MB without a token',
    requests: () => {
      const body = lists(20 * MB)
      return times(4, () => whole(json, body))
    },
  },
  {
    name: 'four JSON bodies of 20 MB without a token, in chunks of unknown number',
    requests: () => {
      const body = lists(20 * MB)
      const start = `POST /v1/sync HTTP/1.1\r\nhost: localhost\r\n${json}transfer-encoding: chunked\r\n\r\n`
      return times(4, () => [start, `${body.length.toString(16)}\r\n`, body, '\r\n0\r\n\r\n'])
    },
  },
  {
    name: '60 connections that send 31 of 32 announced MB of a form without a token',
    requests: () => {
      const part = Buffer.alloc(31 * MB, 'x')
      return times(60, () => [head(form, 32 * MB), 'new_thing=', part])
    },
    holdSeconds: 8,
  },
  {
    name: '60 connections that send 31 of 32 announced MB of a form with a valid token at its start',
    requests: (token) => {
      const part = Buffer.alloc(31 * MB, 'x')
      return times(60, () => [head(form, 32 * MB), `access_token=${token}&new_thing=`, part])
    },
    holdSeconds: 8,
  },
  {
    name: '32 MB of [ with a token',
    requests: (token) => [whole(json + bearer(token), Buffer.alloc(32 * MB, '['))],
  },
  {
    name: '32 MB of [ in a form with a token',
    requests: (token) => [whole(form + bearer(token), Buffer.from(`new_thing=${'['.repeat(32 * MB - 10)}`))],
  },
  {
    name: 'a million tag parameters with a token',
    requests: (token) => [whole(form + bearer(token), Buffer.from(times(MB, (i) => `tag[${i}]={}`).join('&')))],
  },
  {
    name: 'the 10,000 tags that a request may have, with a token',
    requests: (token) => {
      const one = (i: number) => `"tag ${i}":{"favorite":true,"color":"#abcdef","todo":true}`
      return [whole(json + bearer(token), Buffer.from(`{"tag":{${times(10_000, one).join(',')}}}`))]
    },
  },
  {
    name: 'two million members of one object with a token',
    requests: (token) => {
      const members = times(2 * MB, (i) => `"${i.toString(36)}":1`).join(',')
      return [whole(json + bearer(token), Buffer.from(`{"new_thing":[{${members}}]}`))]
    },
  },
  {
    name: '10 million empty lists in one thing with a token',
    requests: (token) => [whole(json + bearer(token), Buffer.from(`{"new_thing":[[${'[],'.repeat(10 * MB)}[]]]}`))],
  },
  {
    name: '32 MB of valid things and a missing end, with a token',
    requests: (token) => [whole(json + bearer(token), things(24 * MB).subarray(0, -1))],
  },
  {
    name: 'token requests of 31 MB, 20 at once',
    requests: () => {
      const body = Buffer.alloc(31 * MB, 'a&')
      return times(20, () => whole(form, body, '/v1/token'))
    },
  },
  {
    name: '20 forms of 31 MB of & without a token',
    requests: () => {
      const body = Buffer.alloc(31 * MB, '&')
      return times(20, () => whole(form, body))
    },
  },
]
