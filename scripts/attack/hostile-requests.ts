import type { Account } from './accounts.ts'

/** A source of random choices that are the same for the same seed. */
export interface Random {
  /** Returns a number from 0 to `end` - 1. */
  readonly below: (end: number) => number
  readonly chance: (share: number) => boolean
  /** Picks an item. @throws Error for an empty list */
  readonly pick: <T>(list: readonly T[]) => T
  /** Picks an item with a probability by its weight. @throws Error for an empty list */
  readonly pickWeighted: <T>(list: readonly T[], weigh: (item: T) => number) => T
}

/** Creates the choices for one request from the seed and its number alone, so that it can be repeated (mulberry32). */
export const createRandom = (seed: number, number: number): Random => {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number): number => Math.floor(next() * end)
  return {
    below,
    chance: (share) => next() < share,
    pick: <T>(list: readonly T[]): T => {
      if (list.length === 0) throw new Error('nothing to pick from')
      return list[below(list.length)] as T
    },
    pickWeighted: <T>(list: readonly T[], weigh: (item: T) => number): T => {
      let left = next() * list.reduce((total, item) => total + weigh(item), 0)
      for (const item of list) {
        left -= weigh(item)
        if (left < 0) return item
      }
      throw new Error('nothing to pick from')
    },
  }
}

const nest = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

/** Texts that trouble a careless server. Most are short, so that most requests are fast. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\r\nset-cookie: a=b',
  '\ud800',
  'a\udfffb',
  '\u202edrawkcab',
  '\u200b\u2060\ufeff',
  '\ufffe\uffff',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-0',
  '-1',
  '1e400',
  '1e21',
  '0x10',
  '9007199254740991',
  '9007199254740993',
  '99999999999999999999999999',
  '1.7976931348623157e308',
  '[]',
  '{}',
  '[[]]',
  '{"__proto__":{"isAdmin":true}}',
  '{"a":',
  '"',
  '\\',
  "' or 1=1 --",
  '<script>alert(1)</script>',
  '</title><svg onload=alert(1)>',
  'javascript:alert(1)',
  'data:text/html,x',
  '//elsewhere.example',
  '/\\elsewhere.example',
  'http://[::1',
  'http://a:99999/',
  'http://169.254.169.254/latest/meta-data',
  'file:///etc/passwd',
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  '%00',
  '%ff',
  '%',
  '%u0000',
  '{{7*7}}<%= 7 %>',
  '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}'.repeat(20),
  'Ａｎｎａ',
  'İıſ',
  'ﷺ'.repeat(50),
  'x'.repeat(300),
  ' '.repeat(3_000),
  'é'.repeat(2_000),
  'a '.repeat(5_000),
  '['.repeat(999),
  '<'.repeat(5_000),
  '😀'.repeat(2_000),
]

/** Texts of about 64 KB each, which reveal nonlinear work. They are rare, because they would slow the run down. */
export const largeTexts: readonly string[] = [
  'x'.repeat(65_536),
  `a${'\u0345'.repeat(15_700)}${'\u0301'.repeat(15_700)}`,
  '\u1100\u1161'.repeat(10_000),
  '['.repeat(65_536),
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  '%41'.repeat(20_000),
  '\\u0041'.repeat(10_000),
  `${'#'.repeat(30_000)} a`,
  '&'.repeat(65_536),
  '= ;'.repeat(20_000),
  '"'.repeat(60_000),
]

/** JSON values that replace a text, a number or an object. */
const hostileJson: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  -(2 ** 63),
  [],
  {},
  [null],
  [[]],
  [{}],
  '',
  'text',
  { length: 1e9 },
  { toString: null },
  JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}'),
  nest(31),
  nest(33),
  nest(2_000),
  Array.from({ length: 2_000 }, (_, index) => index),
  Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, index])),
]

/** Suffixes of field names. */
const suffixes = [
  '[]',
  '[0]',
  '[7]',
  '[999999999]',
  '[a]',
  '[',
  ']',
  '[]]',
  '[][]',
  '[__proto__]',
  '[a][b][c]',
  '.a',
  '\0',
]

/** Unusual headers. */
const hostileHeaders: readonly (readonly [string, string])[] = [
  ['host', ''],
  ['host', 'a:99999'],
  ['host', '300.1.1.1'],
  ['host', 'xn--a'],
  ['host', '[:::]'],
  ['host', 'a b'],
  ['host', '<script>'],
  ['host', 'elsewhere.example'],
  ['host', 'x'.repeat(2_000)],
  ['accept-encoding', 'gzip, br, deflate'],
  ['accept-encoding', 'br'],
  ['accept-encoding', 'deflate'],
  ['accept-encoding', 'identity;q=0, *;q=0'],
  ['accept-encoding', 'gzip;q=1e9,,;=;'],
  ['accept', 'text/html'],
  ['accept', '*/*;q=NaN'],
  ['content-encoding', 'gzip'],
  ['content-encoding', 'br, gzip, br'],
  ['content-type', ''],
  ['content-type', 'application/json; charset=utf-7'],
  ['content-type', 'APPLICATION/JSON;;;'],
  ['content-type', 'text/plain'],
  ['content-type', 'multipart/form-data; boundary=x'],
  ['content-type', 'a'.repeat(5_000)],
  ['range', 'bytes=0-0,1-1,2-2'],
  ['range', 'bytes=-99999999999999999999'],
  ['if-none-match', '*'],
  ['if-none-match', '"'.repeat(1_000)],
  ['if-modified-since', 'Thu, 99 Jan 99999 99:99:99 GMT'],
  ['te', 'trailers'],
  ['expect', '100-continue'],
  ['expect', 'miracles'],
  ['upgrade', 'websocket'],
  ['connection', 'close, keep-alive'],
  ['origin', 'null'],
  ['origin', 'https://elsewhere.example'],
  ['sec-fetch-site', 'cross-site'],
  ['sec-fetch-site', 'same-origin'],
  ['x-forwarded-host', 'elsewhere.example'],
  ['x-forwarded-proto', 'javascript'],
  ['x-forwarded-for', '::ffff:127.0.0.1, a, 999.1.1.1'],
  ['x-forwarded-for', ','.repeat(2_000)],
  ['forwarded', 'for="[::1]:99999"'],
  ['x-http-method-override', 'DELETE'],
  ['x-remote-user', 'olga'],
  ['cookie', '=;;=;a'],
  ['cookie', `${'a=b; '.repeat(1_500)}`],
  ['last-event-id', '-1'],
  ['last-event-id', '\u00e9'.repeat(100)],
  ['user-agent', '<b>'.repeat(500)],
  ['authorization', ''],
  ['authorization', 'Basic Og=='],
  ['authorization', 'Basic !!!'],
  ['authorization', 'Bearer'],
  ['authorization', `Bearer ${'x'.repeat(8_000)}`],
  ['x-long', 'y'.repeat(12_000)],
]

/** A field of a query or a body; a value that is not a text is JSON. */
export type Field = readonly [name: string, value: unknown]

/** A request before it is written. */
export interface Draft {
  /** The targeted operation or page: `POST /v1/sync`, `GET /account/apps/:id`. */
  readonly target: string
  readonly account: Account | undefined
  method: string
  path: string
  query: Field[]
  headers: [string, string][]
  body: { kind: 'form' | 'json'; fields: Field[] } | undefined
  /** The valid token or cookie of the request; undefined after a mutation of it. */
  credential: { readonly kind: 'token' | 'cookie'; readonly value: string } | undefined
  readonly mutations: string[]
}

type Mutation = (draft: Draft, random: Random) => void

const fieldsOf = (draft: Draft): Field[] =>
  draft.body !== undefined && draft.body.fields.length > 0 ? draft.body.fields : draft.query

const isCredential = (draft: Draft, value: unknown): boolean => draft.credential?.value === value

const changeField = (draft: Draft, random: Random, change: (field: Field) => readonly Field[]): void => {
  const fields = fieldsOf(draft)
  if (fields.length === 0) return
  const index = random.below(fields.length)
  const field = fields[index] as Field
  if (isCredential(draft, field[1])) draft.credential = undefined
  fields.splice(index, 1, ...change(field))
}

const hostile = (random: Random): unknown =>
  random.chance(0.55) ? random.pick(hostileTexts) : random.pick(hostileJson)

/** Mutates one member of an object or of an object in a list, or the whole value. */
const spoil = (random: Random, value: unknown): unknown => {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.8)) {
    const chosen = random.below(value.length)
    return value.map((item, index) => (index === chosen ? spoil(random, item) : item))
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && random.chance(0.9)) {
    const name = random.pick([...Object.keys(value), '__proto__', 'extra'])
    const entries = Object.entries(value).filter(([known]) => known !== name)
    return Object.fromEntries(random.chance(0.2) ? entries : [...entries, [name, hostile(random)]])
  }
  return hostile(random)
}

const dropHeader = (draft: Draft, name: string): void => {
  draft.headers = draft.headers.filter(([known]) => known !== name)
}

/** The mutations of a request. A mutation is rarer when it prevents the request from reaching its target. */
const mutations: Readonly<Record<string, { readonly weight: number; readonly apply: Mutation }>> = {
  'hostile value': { weight: 8, apply: (d, r) => changeField(d, r, ([name, value]) => [[name, spoil(r, value)]]) },
  'large value': { weight: 0.4, apply: (d, r) => changeField(d, r, ([name]) => [[name, r.pick(largeTexts)]]) },
  'dropped field': { weight: 2, apply: (d, r) => changeField(d, r, () => []) },
  'doubled field': {
    weight: 2,
    apply: (d, r) => changeField(d, r, (field) => [field, r.chance(0.5) ? field : [field[0], hostile(r)]]),
  },
  'renamed field': {
    weight: 3,
    apply: (d, r) => changeField(d, r, ([name, value]) => [[name + r.pick(suffixes), value]]),
  },
  'unknown field': { weight: 2, apply: (d, r) => void fieldsOf(d).push([String(r.pick(hostileTexts)), hostile(r)]) },
  'many fields': {
    weight: 0.3,
    apply: (d, r) => {
      const name = r.pick(['x', 'tag[a]', 'deleted_thing[]', 'skip_id[]', 'new_thing[]'])
      for (let count = 0; count < 3_000; count += 1) fieldsOf(d).push([name, '{}'])
    },
  },
  'upload in the query': {
    weight: 0.6,
    apply: (d, r) => void d.query.push([r.pick(['new_thing', 'deleted_thing', 'title', '_id']), hostile(r)]),
  },
  'other kind of body': {
    weight: 1,
    apply: (d) => {
      if (d.body !== undefined) d.body.kind = d.body.kind === 'form' ? 'json' : 'form'
    },
  },
  'wrong method': {
    weight: 0.8,
    apply: (d, r) => {
      d.method = r.pick(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])
    },
  },
  'hostile header': { weight: 5, apply: (d, r) => putHeader(d, r) },
  'hostile path': {
    weight: 0.8,
    apply: (d, r) => {
      const end = r.pick([
        '/',
        '//',
        '/..',
        '/%2e%2e/',
        '%00',
        ';a=b',
        '/x',
        '%2f',
        '?',
        '%',
        '\\',
        '/__proto__',
        '.json',
      ])
      d.path = r.chance(0.8) ? d.path + end : `/.${d.path}`
    },
  },
  'wrong credential': {
    weight: 0.7,
    apply: (d, r) => {
      d.credential = undefined
      dropHeader(d, 'authorization')
      dropHeader(d, 'cookie')
      d.headers.push(
        r.pick([
          ['authorization', `Bearer ${'a'.repeat(43)}`],
          ['cookie', 'thingsync-0=x'],
          ['authorization', 'Bearer \u00ff'],
        ]),
      )
    },
  },
  'two credentials': {
    weight: 0.4,
    apply: (d) => {
      d.credential = undefined
      d.query.push(['access_token', 'b'.repeat(43)])
    },
  },
  'wrong form token': {
    weight: 0.5,
    apply: (d, r) => {
      if (d.body !== undefined)
        d.body.fields = d.body.fields.map(([name, value]) => [
          name,
          name === 'form_token' ? r.pick(hostileTexts) : value,
        ])
    },
  },
}

const putHeader = (draft: Draft, random: Random): void => {
  const [name, value] = random.pick(hostileHeaders)
  if (draft.credential !== undefined && (name === 'authorization' || name === 'cookie')) draft.credential = undefined
  // Two X-Forwarded-For headers are one list; other headers are sometimes repeated.
  if (name !== 'x-forwarded-for' && random.chance(0.85)) dropHeader(draft, name)
  draft.headers.push([name, value])
}

const names = Object.keys(mutations)
// A mutated path or field of an administrator could remove users and apps that the attack needs.
const harmless = names.filter((name) => !/path|renamed/.test(name))

/** Applies one mutation to a request. `isCareful`: does not change its target. */
export const mutate = (draft: Draft, random: Random, isCareful: boolean): void => {
  const usable = isCareful ? harmless : names
  const name = random.pickWeighted(usable, (known) => mutations[known]?.weight ?? 0)
  draft.mutations.push(name)
  mutations[name]?.apply(draft, random)
}

// Lone surrogates cannot be encoded. They are sent as the bytes that a careless program sends.
const encode = (text: string): string =>
  text
    .split(/([\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff])/)
    .map((part, index) => (index % 2 === 1 ? '%ED%A0%80' : encodeURIComponent(part)))
    .join('')

// Some texts of printable ASCII are sent without encoding, so that wrong percent encoding stays wrong.
const encodeValue = (value: unknown, random: Random): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // Percent-encoding would triple the length of a long non-ASCII text, and make it too long.
  if (text.length > 10_000 && !/[&%+\s]/.test(text)) return text
  return random.chance(0.03) && /^[!-~]*$/.test(text) ? text.replace(/[ &#]/g, '') : encode(text)
}

const writeFields = (fields: readonly Field[], random: Random): string =>
  fields
    .flatMap(([name, value]): [string, unknown][] => {
      // Tag settings are a map, and lists may be repeated fields.
      if (name === 'tag' && typeof value === 'object' && value !== null && random.chance(0.7))
        return Object.entries(value).map(([tag, settings]) => [`tag[${tag}]`, settings])
      if (Array.isArray(value) && value.length > 0 && random.chance(0.4))
        return value.map((item) => [`${name}[]`, item])
      return [[name, value]]
    })
    .map(([name, value]) => `${encode(name)}=${encodeValue(value, random)}`)
    .join('&')

const writeJson = (fields: readonly Field[]): string =>
  `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`

/** Writes the bytes of a request. Characters that a header or path cannot contain are omitted, except Latin-1. */
export const writeRequest = (draft: Draft, random: Random): Buffer => {
  const query = draft.query.length === 0 ? '' : `?${writeFields(draft.query, random)}`
  const headers = [...draft.headers]
  let body = ''
  if (draft.body !== undefined) {
    const { kind, fields } = draft.body
    body = kind === 'form' ? writeFields(fields, random) : writeJson(fields)
    const type = kind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
    if (!headers.some(([name]) => name === 'content-type')) headers.push(['content-type', type])
  }
  const bytes = Buffer.from(body)
  const isChunked = bytes.length > 0 && random.chance(0.05)
  headers.push(isChunked ? ['transfer-encoding', 'chunked'] : ['content-length', String(bytes.length)])
  const lines = headers.map(([name, value]) => `${name}: ${value.replace(/[\r\n\0]/g, '')}\r\n`).join('')
  const head = Buffer.from(
    `${draft.method} ${draft.path.replace(/[^!-~]/g, '')}${query} HTTP/1.1\r\n${lines}\r\n`,
    'latin1',
  )
  return Buffer.concat([head, ...(isChunked ? cutIntoChunks(bytes, random) : [bytes])])
}

const cutIntoChunks = (bytes: Buffer, random: Random): Buffer[] => {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const part = bytes.subarray(at, at + 1 + random.below(3_000))
    at += part.length
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
  }
  return [...parts, Buffer.from('0\r\n\r\n')]
}
