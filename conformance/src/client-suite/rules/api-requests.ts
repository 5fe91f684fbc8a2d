/*
 * Rules of the profile `api` about requests: what the client sends for what it was asked. The account of the model
 * server shows whether an upload arrived; the wire shows its form.
 */
import { isObject, type Json, type JsonObject, listOf, parseJson, showValue } from '../../encoding.ts'
import { expectEqual, expectThat, lastExchange, showError } from '../client-lab.ts'
import { clientRulesOf } from '../client-rule.ts'
import type { ScriptedServer } from '../scripted-server.ts'
import { isUpload, valuesOf, type WireExchange, type WireRequest } from '../wire.ts'

/** Texts that a form, a URL, JSON or a text encoding can damage. */
export const awkwardTexts: readonly string[] = [
  'a & b = c + d % 41 %zz',
  ' both ends ',
  'line\nbreak\r\nand\ttab',
  '"quotes" \\ and / slashes',
  '<p>ä ö ß €</p>',
  '日本語 😀 🇨🇭 e\u0301 \u200d',
  '[1,2] {"a":1} null true 007 1e3',
  '#hash ?query ;semicolon \u2028 \u00a0',
  `${'long '.repeat(260)}end`,
  'one " quote, and { and [ that stay open',
]

const isSync = ({ path }: WireRequest): boolean => path === 'sync'

function sole(server: ScriptedServer, title: string): JsonObject {
  const found = server.titled(title)
  const [thing] = found
  expectThat(
    found.length === 1 && thing !== undefined,
    `one thing "${title}" in the account, which the client created`,
    `the account has ${found.length} of them, among ${showValue(
      server.things().map((each) => each.title),
      300,
    )}`,
    lastExchange(server.wire.exchanges, isSync),
  )
  return thing
}

/** Returns the settings that an upload has for a tag: one entry for each parameter with its name. */
function sentSettings(upload: WireExchange | undefined, name: string): readonly Json[] {
  const values = upload === undefined ? [] : valuesOf(upload.request, `tag[${name}]`)
  return values.map((value) => parseJson(value) ?? value)
}

/**
 * Returns the things that an upload has, in the order of its parameters. `archived` false may be left out, because a
 * missing `archived` means false; and a `local_id` may be written as text.
 */
function sentThings(upload: WireExchange | undefined, kind: 'new_thing' | 'changed_thing'): readonly Json[] {
  const pairs = upload === undefined ? [] : [...upload.request.form, ...upload.request.query]
  const values = pairs.filter(([name]) => name.replace(/\[\d*\]$/, '') === kind).map(([, value]) => value)
  return values.flatMap((value) => parseJson(value) ?? value).map(comparable)
}

function comparable(thing: Json): Json {
  if (!isObject(thing)) return thing
  const { archived, local_id, ...rest } = thing
  return {
    ...rest,
    ...(archived === false || archived === undefined ? {} : { archived }),
    ...(local_id === undefined ? {} : { local_id: String(local_id) }),
  }
}

/** Rules about the parameters of a sync. */
export const parameterRules = clientRulesOf('api', '4.3', [
  {
    id: 'CLIENT-SYNC-01',
    title: 'MUST NOT send a parameter that it was not given',
    requirements: ['D-4.3-2'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await client.succeed('sync', {})
      const exchange = lastExchange(server.wire.exchanges, isSync)
      const names = [...(exchange?.request.query ?? []), ...(exchange?.request.form ?? [])].map(([name]) => name)
      const extra = names.filter((name) => name !== 'access_token')
      expectThat(extra.length === 0, 'a sync without parameters', `the request has ${extra.join(', ')}`, exchange)
    },
  },
  {
    id: 'CLIENT-SYNC-02',
    title: 'MUST send `from` exactly, for every number up to 2^53',
    section: '2.3',
    requirements: ['D-2.3-1', 'D-4.3-2'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      for (const from of [0, 1, 2_147_483_648, 4_294_967_297, 1_767_225_600_123, 9_007_199_254_740_991]) {
        await client.succeed('sync', { from })
        const exchange = lastExchange(server.wire.exchanges, isSync)
        const sent = exchange === undefined ? [] : valuesOf(exchange.request, 'from')
        // 0 and an absent `from` mean the same.
        if (from === 0 && sent.length === 0) continue
        expectEqual(sent, [String(from)], `from, which was ${from}`, exchange)
      }
    },
  },
  {
    id: 'CLIENT-SYNC-03',
    title: 'MUST send `skip` and `limit` as they were given, and return the page',
    requirements: ['D-4.3-2', 'D-4.3-11'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      for (let number = 0; number < 5; number += 1) await other.create({ title: `page ${number}` })
      const client = await lab.client(server)
      const { things, thingCount } = await client.succeed('sync', { from: 0, skip: 1, limit: 2 })
      const exchange = lastExchange(server.wire.exchanges, isSync)
      const titles = listOf(isObject(things) ? things.changed : undefined).map(
        (thing) => isObject(thing) && thing.title,
      )
      expectEqual(titles, ['page 1', 'page 2'], 'the second and third thing of five, with skip 1 and limit 2', exchange)
      expectEqual(thingCount, 5, 'thingCount of the whole listing', exchange)
      await client.succeed('sync', { limit: 0 })
      const last = lastExchange(server.wire.exchanges, isSync)
      expectEqual(last && valuesOf(last.request, 'limit'), ['0'], 'limit 0, as it was given', last)
    },
  },
  {
    id: 'CLIENT-SYNC-04',
    title: 'MUST send `skip_id` as it was given',
    requirements: ['D-4.3-2'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const ids = [
        await other.create({ title: 'one' }),
        await other.create({ title: 'two' }),
        await other.create({ title: 'three' }),
      ]
      const client = await lab.client(server)
      const { things } = await client.succeed('sync', { from: 0, skip_id: ids.slice(0, 2) })
      const titles = listOf(isObject(things) ? things.changed : undefined).map(
        (thing) => isObject(thing) && thing.title,
      )
      expectEqual(
        titles,
        ['three'],
        'the things without the two of skip_id',
        lastExchange(server.wire.exchanges, isSync),
      )
    },
  },
])

/** Rules about uploads. */
export const uploadRules = clientRulesOf('api', '4.3', [
  {
    id: 'CLIENT-UPLOAD-01',
    title: 'MUST upload by POST with a form body',
    requirements: ['D-4.3-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await client.succeed('sync', { from: 1, skip: 0, limit: 5, new_thing: [{ local_id: 'a', title: 'posted' }] })
      const exchange = lastExchange(server.wire.exchanges, isUpload) ?? lastExchange(server.wire.exchanges, isSync)
      const request = exchange?.request
      expectThat(
        request?.method === 'POST' && request.form.some(([name]) => name.startsWith('new_thing')),
        'a POST with the content type application/x-www-form-urlencoded and new_thing in its body',
        `${request?.method} with the content type ${request?.headers['content-type'] ?? 'none'}`,
        exchange,
      )
      const inQuery = request.query.map(([name]) => name).filter((name) => name !== 'access_token')
      expectThat(
        inQuery.length === 0,
        'every parameter of the POST in its body',
        `${inQuery} came in the URL`,
        exchange,
      )
      sole(server, 'posted')
    },
  },
  {
    id: 'CLIENT-UPLOAD-02',
    title: 'MUST upload every field of a new thing',
    section: '2.1',
    requirements: ['D-2.1-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      await other.setTag('todo', { todo: true })
      const client = await lab.client(server)
      const fields = {
        title: 'all fields',
        tags: 'todo home',
        date: 1_234_567_890,
        url: 'https://example.org/?a=1&b=2',
        html: '<p>x</p>',
        archived: true,
        todoStatus: true,
      }
      await client.succeed('sync', { from: 0, new_thing: [{ local_id: 'a', ...fields }] })
      const { _id, ...thing } = sole(server, 'all fields')
      expectEqual(
        thing,
        fields,
        'the thing with every field as it was given',
        lastExchange(server.wire.exchanges, isUpload),
      )
    },
  },
  {
    id: 'CLIENT-UPLOAD-03',
    title: 'MUST upload texts character for character',
    section: '2.1',
    requirements: ['D-2.1-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      for (const [index, text] of awkwardTexts.entries()) {
        const local = `text${index}`
        await client.succeed('sync', { from: 0, new_thing: [{ local_id: local, title: text, html: text }] })
        const found = server.things().filter((thing) => thing.title === text && thing.html === text)
        const newest = server.things().at(-1)
        expectThat(
          found.length === 1,
          `title and html ${showValue(text)} in the account`,
          `the account has title ${showValue(newest?.title)} and html ${showValue(newest?.html)}`,
          lastExchange(server.wire.exchanges, isUpload),
        )
      }
    },
  },
  {
    id: 'CLIENT-UPLOAD-04',
    title: 'MUST NOT leave out the date 0, todoStatus false or an empty title',
    section: '2.1',
    requirements: ['D-2.1-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      await other.setTag('todo', { todo: true })
      const done = await other.create({ title: 'done', tags: 'todo', todoStatus: true, date: 5 })
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0, new_thing: [{ local_id: 'a', title: '', date: 0 }] })
      const upload = lastExchange(server.wire.exchanges, isUpload)
      expectEqual(sole(server, '').date, 0, 'the date 0, and not another one', upload)
      await client.succeed('sync', {
        from: 0,
        changed_thing: [{ _id: done, title: 'done', tags: 'todo', todoStatus: false, date: 0 }],
      })
      const { todoStatus, date } = sole(server, 'done')
      expectEqual(
        { todoStatus, date },
        { todoStatus: false, date: 0 },
        'the values that were given',
        lastExchange(server.wire.exchanges, isUpload),
      )
    },
  },
  {
    id: 'CLIENT-UPLOAD-05',
    title: 'MUST NOT send null for a field that has no value',
    section: '2.1',
    requirements: ['D-2.1-2'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0, new_thing: [{ local_id: 'a', title: 'bare' }] })
      const upload = lastExchange(server.wire.exchanges, isUpload)
      const text = upload?.request.form.find(([name]) => name.startsWith('new_thing'))?.[1] ?? ''
      const sent = listOf([parseJson(text) ?? null].flat())
      const nulls = sent
        .flatMap((thing) => Object.entries(isObject(thing) ? thing : {}))
        .filter(([, value]) => value === null)
      expectThat(nulls.length === 0, 'no field that is null in new_thing', `${text} came`, upload)
    },
  },
  {
    id: 'CLIENT-UPLOAD-06',
    title: 'MUST send several things of each kind so that the server reads all of them',
    requirements: ['D-4.3-3'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const old = [await other.create({ title: 'change me' }), await other.create({ title: 'me too' })]
      const gone = [await other.create({ title: 'delete me' }), await other.create({ title: 'me as well' })]
      const client = await lab.client(server)
      const response = await client.succeed('sync', {
        from: 0,
        new_thing: [1, 2, 3].map((number) => ({ local_id: `n${number}`, title: `new ${number}` })),
        changed_thing: old.map((_id, index) => ({ _id, title: `changed ${index}` })),
        deleted_thing: gone,
      })
      const titles = server.things().map((thing) => thing.title)
      const wanted = ['changed 0', 'changed 1', 'new 1', 'new 2', 'new 3']
      const upload = lastExchange(server.wire.exchanges, isUpload)
      expectEqual(
        [...titles].sort(),
        wanted,
        'the titles in the account after 3 creations, 2 changes and 2 deletions',
        upload,
      )
      const ids = isObject(response.things) && isObject(response.things.new) ? Object.keys(response.things.new) : []
      expectEqual(ids.sort(), ['n1', 'n2', 'n3'], 'the keys of things.new in the result', upload)
    },
  },
  {
    id: 'CLIENT-UPLOAD-07',
    title: 'MUST return things.new for every local_id, also for a number and for `__proto__`',
    requirements: ['D-4.3-4'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      const localIds = ['__proto__', 'constructor', '7', 'ä b&c', '']
      for (const local_id of [...localIds, 42]) {
        const title = `local ${local_id}`
        const { things } = await client.succeed('sync', { from: 0, new_thing: [{ local_id, title }] })
        const created = isObject(things) && isObject(things.new) ? Object.entries(things.new) : []
        const { _id } = sole(server, title)
        expectEqual(
          created,
          [[String(local_id), _id]],
          `things.new with the entry of local_id ${showValue(local_id)}`,
          lastExchange(server.wire.exchanges, isUpload),
        )
      }
    },
  },
  {
    id: 'CLIENT-UPLOAD-08',
    title: 'MUST upload tag settings under the exact name, with the exact values',
    section: '2.2',
    requirements: ['D-2.2-2', 'D-2.2-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      const settings = { favorite: true, color: '#a1b2c3', todo: 'strike' }
      for (const name of ['plain', 'a]b[c', 'ä&b=c+d%41', '__proto__', '😀', '0']) {
        const tag = Object.fromEntries([[name, settings]])
        const { tags } = await client.succeed('sync', { from: 0, tag })
        const stored = server.account().tags.get(name)?.settings
        const upload = lastExchange(server.wire.exchanges, isUpload)
        expectEqual(sentSettings(upload, name), [settings], `the values of the parameter tag[${name}]`, upload)
        expectEqual(stored, settings, `the settings of the tag ${showValue(name)} in the account`, upload)
        const listed = Object.entries(isObject(tags) ? tags : {}).find(([key]) => key === name)?.[1]
        expectEqual(listed, settings, `the settings of the tag ${showValue(name)} in the result`, upload)
      }
      await client.succeed('sync', { from: 0, tag: { plain: { favorite: false, color: false, todo: false } } })
      const reset = { favorite: false, color: false, todo: false }
      expectEqual(
        server.account().tags.get('plain')?.settings,
        reset,
        'the settings that were reset',
        lastExchange(server.wire.exchanges, isUpload),
      )
      const several = {
        one: { favorite: true },
        two: { color: '#00ff00' },
        three: { todo: true },
        four: { color: false },
      }
      await client.succeed('sync', { from: 0, tag: several })
      const upload = lastExchange(server.wire.exchanges, isUpload)
      for (const [name, given] of Object.entries(several))
        expectEqual(sentSettings(upload, name), [given], `the settings that were given for the tag ${name}`, upload)
    },
  },
  {
    id: 'CLIENT-UPLOAD-09',
    title: 'MUST upload 200 things and 500 KB at once',
    requirements: ['D-4.3-3'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      const html = 'x'.repeat(2500)
      const things = Array.from({ length: 200 }, (_, number) => ({
        local_id: `n${number}`,
        title: `many ${number}`,
        html,
      }))
      await client.succeed('sync', { from: 0, new_thing: things })
      expectThat(
        server.things().length === 200,
        '200 things in the account',
        `the account has ${server.things().length}`,
        lastExchange(server.wire.exchanges, isUpload),
      )
    },
  },
  {
    id: 'CLIENT-UPLOAD-10',
    title: 'MUST NOT send an upload twice by itself when nothing went wrong',
    requirements: ['D-4.3-8'],
    check: async (lab) => {
      const server = await lab.openServer({ behavior: { rememberedUploads: () => undefined } })
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0, new_thing: [{ local_id: 'a', title: 'once' }] })
      sole(server, 'once')
    },
  },
  {
    id: 'CLIENT-UPLOAD-11',
    title: 'MUST upload the fields that were given, and no others',
    section: '2.1',
    requirements: ['D-4.3-2', 'D-2.1-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const _id = await other.create({ title: 'old', tags: 'a b', url: 'https://example.org/', archived: true })
      const client = await lab.client(server)
      const more: readonly JsonObject[] = [
        {},
        { tags: '' },
        { tags: ' two  spaces ', date: 0 },
        { url: '', html: '' },
        { archived: false, todoStatus: false },
        { archived: true, todoStatus: true, date: 4_102_444_800 },
      ]
      const created = more.map((fields, index) => ({ local_id: `n${index}`, title: `given ${index}`, ...fields }))
      const changed = more.map((fields, index) => ({ _id, title: `changed ${index}`, ...fields }))
      const uploads: readonly (readonly ['new_thing' | 'changed_thing', readonly JsonObject[]])[] = [
        ...created.map((thing) => ['new_thing', [thing]] as const),
        ...changed.map((thing) => ['changed_thing', [thing]] as const),
        ['new_thing', created],
      ]
      for (const [kind, given] of uploads) {
        await client.succeed('sync', { from: 0, [kind]: given })
        const upload = lastExchange(server.wire.exchanges, isUpload)
        expectEqual(sentThings(upload, kind), given.map(comparable), `${kind} as it was given`, upload)
      }
    },
  },
])

/** Rules about the other operations. */
export const operationRules = clientRulesOf('api', '4.1', [
  {
    id: 'CLIENT-OPERATION-01',
    title: 'MUST add, change and delete a thing with the operations on single things',
    features: ['operations'],
    requirements: ['D-4.1-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      const [text = ''] = awkwardTexts
      const added = await client.succeed('thing-add', { title: text, tags: 'a b', date: 77 })
      const thing = sole(server, text)
      expectEqual(
        { _id: added._id, title: added.title, date: added.date },
        { _id: thing._id, title: text, date: 77 },
        'the thing that was added, in the result',
      )
      const id = String(thing._id)
      const changed = await client.succeed('thing-change', { _id: id, html: '<b>&amp;</b>' })
      expectEqual(
        [sole(server, text).html, changed.html],
        ['<b>&amp;</b>', '<b>&amp;</b>'],
        'html in the account, and in the result of thing-change',
      )
      await client.succeed('thing-delete', { _id: id })
      expectThat(
        server.things().length === 0,
        'no thing after thing-delete',
        `the account has ${showValue(server.things())}`,
      )
    },
  },
  {
    id: 'CLIENT-OPERATION-02',
    title: 'MUST return what things/get, tags/get and user/get return',
    features: ['operations'],
    requirements: ['D-4.1-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      await other.setTag('home', { favorite: true })
      await other.create({ title: 'one', tags: 'home' })
      await other.create({ title: 'two', tags: 'home __proto__' })
      const client = await lab.client(server)
      const { items } = await client.succeed('things-get')
      expectEqual(
        listOf(items).map((thing) => isObject(thing) && thing.title),
        ['one', 'two'],
        'the titles in items of things-get',
      )
      const { favorite, other: rest } = await client.succeed('tags-get')
      expectEqual(
        [Object.entries(favorite ?? {}), Object.entries(rest ?? {})],
        [[['home', 2]], [['__proto__', 1]]],
        'favorite and other of tags-get',
      )
      const { username, thingCount } = await client.succeed('user-get')
      expectEqual({ username, thingCount }, { username: 'alice', thingCount: 2 }, 'username and thingCount of user-get')
    },
  },
  {
    id: 'CLIENT-OPERATION-03',
    title: 'MUST return an error for a thing that does not exist',
    section: '7',
    features: ['operations'],
    requirements: ['D-7-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      const error = await client.fail('thing-delete', { _id: 'nothing' }, 'there is no such thing')
      expectThat(error.kind === 'rejected', 'an error of the kind rejected', `${showError(error)} came`)
    },
  },
  {
    id: 'CLIENT-OPERATION-04',
    title: 'MUST send every field of thing/add and thing/change, also true and false',
    features: ['operations'],
    requirements: ['D-4.1-1', 'D-2.1-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      await other.setTag('todo', { todo: true })
      const client = await lab.client(server)
      const texts = { title: 'all fields', tags: 'todo', url: 'https://example.org/?a=1&b=2', html: '<p>ä</p>' }
      const fields = { ...texts, date: 77, archived: true, todoStatus: true }
      const { _id } = await client.succeed('thing-add', fields)
      const { _id: _added, ...added } = sole(server, 'all fields')
      expectEqual(added, fields, 'the thing with every field as it was given')
      await client.succeed('thing-change', { _id: _id ?? '', archived: false, todoStatus: false })
      const { _id: _changed, ...changed } = sole(server, 'all fields')
      const wanted = { ...texts, date: 77, todoStatus: false }
      expectEqual(changed, wanted, 'the thing after a change of archived and todoStatus to false')
    },
  },
])
