/** A source of choices that are the same for the same seed. */
export interface Random {
  /** From 0 to `end` - 1. */
  readonly below: (end: number) => number
  readonly chance: (share: number) => boolean
  /** @throws when the list is empty */
  readonly pick: <T>(list: readonly T[]) => T
  /** An item as often as it weighs, compared to the others. @throws when the list is empty */
  readonly pickWeighted: <T>(list: readonly T[], weigh: (item: T) => number) => T
}

/** Choices for one request: of the seed and its number alone, so that it can be made again by itself (mulberry32). */
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

/** Texts that cost a careless server time, memory or its mind. Most are short, so that most requests are quick. */
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

/** Of these each is some 64 KB: work that is not linear shows, and a share of them would be all that a run does. */
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

/** Values of JSON in the place of a text, a number or an object. */
export const hostileJson: readonly unknown[] = [
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

/** What stands behind the name of a field. */
export const suffixes = [
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

/** Headers that a proxy, an old browser or nobody sends. */
export const hostileHeaders: readonly (readonly [string, string])[] = [
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
