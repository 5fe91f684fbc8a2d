/*
 * Rules of the profile `api` that follow tables of values: each value arrives as it was sent, in both directions, and each
 * request has what was given and nothing else. Start reading at the tables.
 */
import { isObject, type Json, type JsonObject, listOf, parseJson, showValue } from '../../encoding.ts'
import { type ApiClient, type ClientLab, expectEqual, expectThat, lastExchange, showError } from '../client-lab.ts'
import { clientRulesOf } from '../client-rule.ts'
import type { ScriptedServer } from '../scripted-server.ts'
import { type Act, cutBody, rejectToken, respondWith, valuesOf, type WireExchange, type WireRequest } from '../wire.ts'
import { awkwardTexts } from './api-requests.ts'

const isSync = ({ path }: WireRequest): boolean => path === 'sync'

/** Dates: any finite number is one, also 0, before 1970, before the year 1, far away, and with a fraction. */
const dates = [
  ...[0, -1, 1, 0.5, -0.5, 0.1, -1.25, 1_700_000_000.25, 1_700_000_000.123, 1_767_225_600.999],
  ...[2_147_483_648, -2_147_483_649, 4_102_444_800, 253_402_300_800, -62_135_596_801, 1e15, 9_007_199_254_740_991],
] as const

/** The same numbers in other spellings of JSON. */
const spelledDates = [
  ...['1e0', '12E2', '17e+8', '1.7e9', '1700000000.0', '1700000000.250', '-2.5e-1', '170000000025e-2', '-0.0', '5e-1'],
] as const

/** Texts that a client could trim, normalize, decode or take for another type. */
const texts = [
  ...['0', 'null', 'true', '-1', '1e5', '[]', '{"a":1}', '""', '__proto__', 'constructor', '%41+%2B', '&amp;&lt;&#65;'],
  ...[
    ' both ends ',
    '\ttab\t',
    '\n',
    'a\nb\r\nc\rd',
    'two  spaces',
    '\u00a0\u2003',
    '\ufeffmark',
    'a\u0007b\u001fc\u007f',
  ],
  ...[
    'é',
    'e\u0301',
    'Å\u212b ﬁ ①',
    '\u2028\u2029',
    '\u200d\u200b',
    '😀 👩‍👩‍👧 🇨🇭',
    '日本語',
    'ÄÖÜ ß ſ İı',
    '\\u0041 \\n \\\\',
  ],
  ...['<P CLASS="x">y</P>', "it's `x` $y %s {0}", 'x'.repeat(3000)],
]

const urls = [
  ...['https://example.org', 'HTTPS://Example.ORG:443/%7Ea/../b?C=d+e&f=%2B#G h', 'https://example.org/ä?ö=ü#ß'],
  ...[
    'http://[::1]/',
    'https://münchen.example/',
    'mailto:a@example.org',
    'javascript:alert(1)',
    'no URL',
    '/x',
    ' x ',
  ],
]

const tagLists = [
  'a',
  'b a',
  'B b',
  'a,b;c',
  '#home @work',
  'ä e\u0301',
  '0',
  'null true',
  '__proto__ constructor',
  'a b c d e f',
]

const settings: Readonly<Record<string, JsonObject>> = {
  plain: { favorite: false, color: false, todo: false },
  favorite: { favorite: true, color: false, todo: false },
  Favorite: { favorite: false, color: '#FFcc00', todo: 'strike' },
  short: { favorite: false, color: '#abc', todo: 'dont-strike' },
  black: { favorite: true, color: '#000000', todo: 'strike' },
  0: { favorite: true, color: '#000', todo: false },
  'a.b[c]&d=e+f%41': { favorite: true, color: false, todo: false },
  'ä 😀': { favorite: true, color: false, todo: false },
  constructor: { favorite: true, color: false, todo: false },
}

const ids = ['0', '00', '007', '1e5', 'null', 'true', 'aB', 'Ab', 'constructor', '9007199254740993', 'f'.repeat(200)]

/** Things with one value each that a client could replace by another. */
const listedThings: readonly JsonObject[] = [
  ...texts.map((text) => ({ title: text, html: text })),
  { title: '' },
  ...urls.map((url) => ({ url })),
  ...tagLists.map((tags) => ({ tags })),
  ...ids.map((_id) => ({ _id })),
  ...[{ archived: true }, { todoStatus: true }, { todoStatus: false }, { archived: true, todoStatus: false }],
].map((fields, index) => ({
  _id: `t${index}`,
  title: `title ${index}`,
  tags: '',
  date: 1_700_000_000 + index,
  ...fields,
}))

const changedOf = (result: JsonObject): readonly Json[] =>
  listOf(isObject(result.things) ? result.things.changed : undefined)

/** Expects each listed thing alone, so that a report shows the one that differs. */
function expectThings(came: readonly Json[], wanted: readonly JsonObject[], where: string, at?: WireExchange): void {
  expectThat(came.length === wanted.length, `${wanted.length} things ${where}`, `${came.length} came`, at)
  for (const [index, thing] of wanted.entries()) expectEqual(came[index], thing, `a thing ${where}`, at)
}

/** Rules about values that a response has. */
export const listedValueRules = clientRulesOf('api', '2.1', [
  {
    id: 'CLIENT-VALUE-08',
    title: 'MUST return every date exactly: any finite number, in any spelling of JSON',
    requirements: ['D-2.1-6'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      const spellings = [...dates.map(String), ...spelledDates]
      const list = spellings.map((text, index) => `{"_id":"d${index}","title":"x","tags":"","date":${text}}`)
      const wanted = spellings.map((text) => Number(text) + 0)
      const datesOf = (things: readonly Json[]): readonly Json[] =>
        things.map((thing) => (isObject(thing) && typeof thing.date === 'number' ? thing.date + 0 : thing))
      const expectDates = (things: readonly Json[], where: string): void => {
        for (const [index, date] of datesOf(things).entries())
          expectEqual(date, wanted[index], `the date ${spellings[index]} ${where}`, server.wire.exchanges.at(-1))
        expectThat(things.length === wanted.length, `${wanted.length} things ${where}`, `${things.length} came`)
      }
      server.wire.once('sync', respondWith(200, `{"pos":1,"things":{"changed":[${list.join(',')}]}}`))
      expectDates(changedOf(await client.succeed('sync', { from: 0 })), 'of a sync')
      if (!lab.has('operations')) return
      server.wire.once(({ path }) => path === 'things/get', respondWith(200, `[${list.join(',')}]`))
      expectDates(listOf((await client.succeed('things-get')).items), 'of things-get')
      for (const [command, path] of operations) {
        server.wire.once((request) => request.path === path, respondWith(200, list[4] ?? ''))
        const { date } = await client.succeed(command, { _id: 'd4', title: 'x' })
        expectEqual(date, dates[4], `the date of the result of ${command}`, server.wire.exchanges.at(-1))
      }
    },
  },
  {
    id: 'CLIENT-VALUE-09',
    title: 'MUST return every text, setting, `_id` and position exactly as the response has it',
    requirements: ['D-2.1-6', 'D-2.2-1', 'D-4.3-6'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      const body = { pos: 77, thingCount: listedThings.length + ids.length, tags: settings }
      const things = { changed: listedThings, deleted: ids }
      server.wire.once('sync', respondWith(200, { ...body, things }))
      const result = await client.succeed('sync', { from: 0 })
      const exchange = lastExchange(server.wire.exchanges, isSync)
      expectThings(changedOf(result), listedThings, 'of a sync', exchange)
      const { pos, thingCount, tags } = result
      const deleted = isObject(result.things) ? result.things.deleted : undefined
      expectEqual({ pos, thingCount, tags }, body, 'the position, thingCount and the tag settings', exchange)
      expectEqual(deleted, ids, 'the deletions', exchange)
      // An empty account may begin with the position 0.
      server.wire.once('sync', respondWith(200, { pos: 0 }))
      expectEqual(await client.succeed('sync', {}), { pos: 0 }, 'the position 0 alone')
      if (!lab.has('operations')) return
      server.wire.once(({ path }) => path === 'things/get', respondWith(200, JSON.stringify(listedThings)))
      const { items } = await client.succeed('things-get')
      expectThings(listOf(items), listedThings, 'of things-get', server.wire.exchanges.at(-1))
    },
  },
])

const operations = [
  ['thing-add', 'thing/add'],
  ['thing-change', 'thing/change'],
] as const

/** Rules about the values and the parameters of uploads. */
export const sentValueRules = clientRulesOf('api', '4.3', [
  {
    id: 'CLIENT-UPLOAD-12',
    title: 'MUST upload every date exactly: any finite number',
    section: '2.1',
    requirements: ['D-2.1-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      const expectDates = (wanted: readonly number[], how: string): void => {
        const at = server.wire.exchanges.at(-1)
        for (const [index, date] of wanted.entries())
          expectEqual(server.titled(`date ${index}`)[0]?.date, date, `the date ${date} in the account, by ${how}`, at)
      }
      const created = dates.map((date, index) => ({ local_id: `d${index}`, title: `date ${index}`, date }))
      await client.succeed('sync', { from: 0, new_thing: created })
      expectDates(dates, 'new_thing')
      const [later, last] = [dates.map((date) => -date - 0.75), dates.map((date) => date / 2)]
      const stored = created.map(({ title }) => String(server.titled(title)[0]?._id))
      const changed = later.map((date, index) => ({ _id: stored[index] ?? '', title: `date ${index}`, date }))
      await client.succeed('sync', { from: 0, changed_thing: changed })
      expectDates(later, 'changed_thing')
      if (!lab.has('operations')) return
      for (const [index, date] of last.slice(0, 10).entries())
        await client.succeed('thing-change', { _id: stored[index] ?? '', date })
      expectDates(last.slice(0, 10), 'thing-change')
      await client.succeed('thing-add', { title: 'added', date: -0.25 })
      expectEqual(server.titled('added')[0]?.date, -0.25, 'the date in the account, by thing-add')
    },
  },
  {
    id: 'CLIENT-UPLOAD-13',
    title: 'MUST send one, two and more of each kind as one array, or in parameters whose names end in `[]`',
    requirements: ['D-4.3-3'],
    check: async (lab) => {
      for (const count of [1, 2, 3]) {
        const server = await lab.openServer({ behavior: { newId: numberedIds() } })
        const client = await lab.client(server)
        const numbers = Array.from({ length: count }, (_, index) => index)
        await (await server.device()).sync({ new_thing: numbers.map((n) => ({ local_id: n, title: `old ${n}` })) })
        const old = server.things().map(({ _id }) => String(_id))
        const created = numbers.map((n) => ({ local_id: `${n}`, title: jsonTexts[n] ?? '', html: jsonTexts[n] ?? '' }))
        const changed = old.map((_id, n) => ({ _id, title: `${jsonTexts[n] ?? ''} ` }))
        const uploads: readonly JsonObject[] = [
          { new_thing: created },
          { changed_thing: changed },
          {
            new_thing: created.map((thing) => ({ ...thing, local_id: `more${thing.local_id}` })),
            changed_thing: changed,
          },
          { deleted_thing: old },
        ]
        for (const upload of uploads) {
          await client.succeed('sync', { from: 0, ...upload })
          const exchange = lastExchange(server.wire.exchanges, isSync)
          for (const [kind, given] of Object.entries(upload)) expectKind(exchange, kind, listOf(given))
        }
        const left = server.things().map(({ title }) => title)
        const wanted = [...created, ...created].map(({ title }) => title)
        expectEqual([...left].sort(), wanted.sort(), 'the titles in the account after all uploads')
        await lab.reset()
      }
    },
  },
  {
    id: 'CLIENT-SYNC-05',
    title: 'MUST send each parameter of a sync alone when it was given alone',
    requirements: ['D-4.3-2'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const [old, gone] = [await other.create({ title: 'old' }), await other.create({ title: 'gone' })]
      const client = await lab.client(server)
      const given: readonly JsonObject[] = [
        ...[{ from: 1 }, { skip: 1 }, { limit: 1 }, { from: 1, skip: 1 }, { from: 1, limit: 1 }, { skip: 1, limit: 1 }],
        ...[{ skip_id: [old] }, { from: 1, skip_id: [old, gone] }],
        { new_thing: [{ local_id: 'a', title: 'new' }] },
        { changed_thing: [{ _id: old, title: 'changed' }] },
        { tag: { home: { favorite: true } } },
        { from: 1, tag: { home: { todo: true }, work: { color: '#aabbcc' } } },
        { from: 1, deleted_thing: [gone] },
      ]
      for (const parameters of given) {
        await client.succeed('sync', parameters)
        const exchange = lastExchange(server.wire.exchanges, isSync)
        const pairs = exchange === undefined ? [] : [...exchange.request.query, ...exchange.request.form]
        // 0 and an absent `from` or `skip` mean the same.
        const isZero = (name: string, value: string): boolean => /^(from|skip)$/.test(name) && value === '0'
        const sent = pairs.flatMap(([name, value]) => (isZero(name, value) ? [] : [name.replace(/\[.*$/s, '')]))
        const names = [...new Set(sent)].filter((name) => name !== 'access_token')
        const isJson = /json/.test(exchange?.request.headers['content-type'] ?? '')
        const wanted = Object.keys(parameters)
        for (const name of ['from', 'skip', 'limit'].filter((each) => names.includes(each)))
          expectEqual(exchange && valuesOf(exchange.request, name), [String(parameters[name])], name, exchange)
        if (!isJson) expectEqual(names.sort(), wanted.sort(), `the parameters of ${showValue(parameters)}`, exchange)
      }
    },
  },
])

/** Texts that look like what surrounds them in a request. */
const jsonTexts = ['[{"local_id":"x","title":"y"}]', '{"_id":"x"}', '["a","b"]'] as const

/** IDs that look like values of JSON, and then others. */
function numberedIds(): () => string {
  const waiting = ['123', 'true', 'null']
  let count = 0
  return () => {
    count += 1
    return waiting.shift() ?? `id${count}`
  }
}

/** Expects the parameters of one kind in a form that every server reads. */
function expectKind(exchange: WireExchange | undefined, kind: string, given: readonly Json[]): void {
  const pairs = exchange === undefined ? [] : [...exchange.request.query, ...exchange.request.form]
  const own = pairs.filter(([name]) => name.replace(/\[.*$/s, '') === kind)
  // The body of a client that knows the server's extensions may be JSON.
  if (own.length === 0 && /json/.test(exchange?.request.headers['content-type'] ?? '')) return
  const names = own.map(([name]) => name)
  const isRight = names.every((name) => name === kind || name === `${kind}[]`)
  const expected = `${given.length} of ${kind} as one array, or each in ${kind}[]`
  const isOnce = names.filter((name) => name === kind).length <= 1
  expectThat(isRight && isOnce, expected, `the parameters ${names.join(', ')} came`, exchange)
  const sent = own.flatMap(([, text]) => {
    const value = parseJson(text)
    if (Array.isArray(value)) return value as readonly Json[]
    return [kind === 'deleted_thing' ? text : (value ?? text)]
  })
  const keyOf = (value: Json): string =>
    isObject(value)
      ? `${String(value.local_id ?? '')} ${String(value._id ?? '')} ${String(value.title)}`
      : showValue(value)
  expectEqual(sent.map(keyOf).sort(), given.map(keyOf).sort(), `what ${kind} has`, exchange)
}

/** The fields of a thing, each with a value that it does not have by default. */
const allFields: JsonObject = {
  title: 'all fields',
  tags: 'todo home',
  date: 1_234_567_890.5,
  url: 'https://example.org/?a=1&b=2',
  html: '<p>x</p>',
  archived: true,
  todoStatus: true,
}

/** Changes of one field or of two, by thing/change. */
const givenChanges: readonly JsonObject[] = [
  ...[{ title: 'another' }, { title: 'all fields' }, { tags: 'todo' }, { date: 0 }, { date: -1.5 }],
  ...[{ url: 'https://example.org/2' }, { html: ' <b>&amp;</b> ' }, { todoStatus: false }, { archived: false }],
  ...[{ archived: true }, { todoStatus: true, archived: true }, { url: '' }, { html: '' }, { html: 'x', date: 5 }],
]

/** Rules about the operations on single things. */
export const givenFieldRules = clientRulesOf('api', '4.1', [
  {
    id: 'CLIENT-OPERATION-05',
    title: 'MUST send only the fields that were given with thing/change and thing/add',
    features: ['operations'],
    requirements: ['D-4.1-1', 'D-4.3-2'],
    check: async (lab) => {
      const { server, client } = await openWithTodos(lab)
      const added = await client.succeed('thing-add', allFields)
      const _id = String(added._id)
      const stored = (): JsonObject => server.things().find((thing) => thing._id === _id) ?? {}
      for (const fields of givenChanges) {
        const before = stored()
        await client.succeed('thing-change', { _id, ...fields })
        const wanted = meaningOf({ ...before, ...fields })
        const exchange = server.wire.exchanges.at(-1)
        expectEqual(meaningOf(stored()), wanted, `the thing after a change of ${showValue(fields)} only`, exchange)
        expectNames(exchange, ['_id', ...Object.keys(fields)])
      }
      for (const [name, value] of Object.entries(allFields)) {
        const fields = { title: `with ${name}`, ...(name === 'title' ? {} : { [name]: value }) }
        await client.succeed('thing-add', fields)
        // A missing `archived` means false.
        expectNames(server.wire.exchanges.at(-1), Object.keys(fields), ['archived'])
      }
      await client.succeed('thing-delete', { _id })
      expectNames(server.wire.exchanges.at(-1), ['_id'])
    },
  },
  {
    id: 'CLIENT-OPERATION-06',
    title: 'MUST return an error for each operation that the server rejects, or that gets no right response',
    section: '7',
    features: ['operations'],
    requirements: ['D-7-1', 'D-7-2', 'D-7-3'],
    check: async (lab) =>
      lab.forEachVariant(singleOperations, async ([command, path, parameters], lab) => {
        const { server, client } = await openWithTodos(lab)
        await client.succeed('sync', { from: 0 })
        for (const status of [400, 404, 409, 422]) {
          server.wire.once((request) => request.path === path, respondWith(status, rejection))
          const error = await client.fail(command, parameters, `an error came with status ${status}`)
          expectThat(error.kind === 'rejected', `a rejection, because of status ${status}`, `${showError(error)} came`)
        }
        // A client may repeat these requests, with a pause: one operation of each method is enough.
        for (const [how, act] of path === 'thing/change' || path === 'things/get' ? noResponses : []) {
          const stop = server.wire.always((request) => request.path === path, act)
          const { error, result } = await client.call(command, parameters)
          stop()
          expectThat(
            error !== undefined,
            `an error of ${command}, because ${how}`,
            `the result ${showValue(result)} came`,
          )
        }
      }),
  },
  {
    id: 'CLIENT-OPERATION-09',
    title: 'SHOULD recognize the error of each operation by its member `error`, also with status 200',
    section: '7',
    features: ['operations'],
    requirements: ['D-7-1'],
    check: async (lab) => {
      const { server, client } = await openWithTodos(lab)
      await client.succeed('sync', { from: 0 })
      for (const [command, path, parameters] of singleOperations) {
        server.wire.once((request) => request.path === path, respondWith(200, rejection))
        const error = await client.fail(command, parameters, 'an error came with status 200')
        expectThat(error.kind === 'rejected', 'an error of the kind rejected', `${showError(error)} came`)
      }
    },
  },
  {
    id: 'CLIENT-OPERATION-07',
    title: 'MUST send texts and any `_id` character for character with the operations on single things',
    section: '2.1',
    features: ['operations'],
    requirements: ['D-4.1-1', 'D-2.1-1', 'D-2.1-6'],
    check: async (lab) => {
      const waiting = [...ids]
      const newId = (): string => waiting.shift() ?? `more${server.things().length}`
      const server = await lab.openServer({ behavior: { newId } })
      const client = await lab.client(server)
      for (const [index, text] of awkwardTexts.entries()) {
        const { _id = '' } = await client.succeed('thing-add', { title: text, html: text })
        const find = (): JsonObject => server.things().find((thing) => thing._id === ids[index]) ?? {}
        const at = server.wire.exchanges.at(-1)
        const { title, html } = find()
        expectEqual({ title, html, _id }, { title: text, html: text, _id: ids[index] }, 'the thing of thing-add', at)
        const other = `${text}${index}`
        await client.succeed('thing-change', { _id, title: other, html: other })
        const changed = find()
        const after = { title: changed.title, html: changed.html }
        expectEqual(after, { title: other, html: other }, 'the thing of thing-change', server.wire.exchanges.at(-1))
        await client.succeed('thing-delete', { _id })
        const left = server.things().length
        expectThat(left === 0, `no thing after thing-delete of ${showValue(_id)}`, `${left} came`)
      }
    },
  },
  {
    id: 'CLIENT-OPERATION-08',
    title: 'MUST NOT report success for an operation that a token, a limit or a redirect kept from the account',
    features: ['operations'],
    requirements: ['D-5.2-3', 'D-8-2', 'D-7-4'],
    check: async (lab) =>
      lab.forEachVariant(obstacles, async ([how, act], lab) => {
        const { server, client } = await openWithTodos(lab)
        await client.succeed('sync', { from: 0 })
        for (const [command, path] of operations) {
          const _id = await (await server.device()).create({ title: 'before' })
          server.wire.once((request) => request.path === path, act(server, path))
          const title = `${command} after it`
          const fields = command === 'thing-add' ? { title } : { _id, title }
          const { error } = await client.call(command, fields)
          const count = server.titled(title).length
          expectThat(error?.kind !== 'internal', `a success or a right error, because ${how}`, showError(error))
          const isRight = error === undefined ? count === 1 : count <= 1
          const came = `${showError(error)} came, and the account has ${count}`
          expectThat(isRight, `an error, or one thing "${title}", because ${how}`, came, server.wire.exchanges.at(-1))
        }
      }),
  },
])

/** What keeps an operation from the account the first time. */
const obstacles: readonly (readonly [how: string, act: (server: ScriptedServer, path: string) => Act])[] = [
  ['the access token expired', () => rejectToken],
  ...[301, 302, 303, 307, 308].map(
    (status) =>
      [
        `a redirect with status ${status} came`,
        (server: ScriptedServer, path: string) =>
          respondWith(status, '', { location: `${server.wire.baseUrl}${path}` }),
      ] as const,
  ),
  ...[429, 503].map(
    (status) =>
      [
        `the server responded with ${status}`,
        () => respondWith(status, { error: 'slow_down', error_description: 'later' }, { 'retry-after': '0' }),
      ] as const,
  ),
]

/** Every operation that the adapter protocol has, with parameters. */
const singleOperations: readonly (readonly [command: string, path: string, parameters: JsonObject])[] = [
  ['thing-add', 'thing/add', { title: 'x' }],
  ['thing-change', 'thing/change', { _id: 'a1', title: 'x' }],
  ['thing-delete', 'thing/delete', { _id: 'a1' }],
  ['things-get', 'things/get', {}],
  ['tags-get', 'tags/get', {}],
  ['user-get', 'user/get', {}],
]

const rejection = { error: 'parameter_invalid', error_description: 'no' }

/** Responses to an operation that are not of the protocol, or not whole. */
const noResponses: readonly (readonly [how: string, act: Act])[] = [
  ['a page of HTML came', respondWith(200, '<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' })],
  ['JSON came that ends early', respondWith(200, '{"_id":"a1","title":"x')],
  ['the connection broke', cutBody(0.5)],
]

async function openWithTodos(lab: ClientLab): Promise<{ readonly server: ScriptedServer; readonly client: ApiClient }> {
  const server = await lab.openServer()
  await (await server.device()).setTag('todo', { todo: true })
  return { server, client: await lab.client(server) }
}

/** Returns what a thing means: an empty url or html is none, and so is `archived` false. */
function meaningOf({ url = '', html = '', archived = false, ...thing }: JsonObject): JsonObject {
  return { ...thing, url, html, archived }
}

/** Expects the fields of a thing in a request; those in `free` may come without having been given. */
function expectNames(exchange: WireExchange | undefined, given: readonly string[], free: readonly string[] = []): void {
  const names = ['_id', ...Object.keys(allFields)]
  const { request } = exchange ?? {}
  const extra = names.filter((name) => request !== undefined && valuesOf(request, name).length > 0)
  const wrong = extra.filter((name) => !given.includes(name) && !free.includes(name))
  const expected = `${given.join(', ')} in a request of ${request?.path ?? 'nothing'}, and no other field`
  expectThat(wrong.length === 0, expected, `${wrong.join(', ')} came`, exchange)
  const inQuery = names.filter((name) => request?.query.some(([each]) => each === name))
  expectThat(
    inQuery.length === 0,
    `the fields in the form of ${request?.path}`,
    `${inQuery} came in its query`,
    exchange,
  )
}
