import { expect, test } from 'vitest'
import { openFileServer } from '../../support/open-test-server.ts'

const server = await openFileServer()

const titles = async (token: string) => {
  const { body } = await server.get('/sync', { token })
  return ((body.things?.changed ?? []) as unknown as { title: string }[]).map(({ title }) => title).sort()
}

const thing = (localId: unknown, title: string) => ({ local_id: localId, title })

test.each<[string, [string, string][]]>([
  ['one object', [['new_thing', JSON.stringify(thing('a', 'A'))]]],
  ['an array', [['new_thing', JSON.stringify([thing('a', 'A'), thing(2, 'B')])]]],
  [
    'repeated new_thing[]',
    [
      ['new_thing[]', JSON.stringify(thing('a', 'A'))],
      ['new_thing[]', JSON.stringify(thing(2, 'B'))],
    ],
  ],
  ['new_thing[] with an array', [['new_thing[]', JSON.stringify([thing('a', 'A'), thing(2, 'B')])]]],
  [
    'new_thing[0]',
    [
      ['new_thing[0]', JSON.stringify(thing('a', 'A'))],
      ['new_thing[1]', JSON.stringify(thing(2, 'B'))],
    ],
  ],
])('new things may come as %s', async (_name, form) => {
  const { token } = await server.openDevice()

  const { status, body } = await server.post('/sync', { token, form })

  const count = form.length === 2 || form[0]?.[1].startsWith('[') ? 2 : 1
  expect(status).toBe(200)
  expect(Object.keys(body.things?.new ?? {}).sort()).toEqual(['2', 'a'].slice(2 - count))
  expect(body.thingCount).toBe(count)
  expect(await titles(token)).toEqual(['A', 'B'].slice(0, count))
})

test('10,000 repeated parameters are all kept', async () => {
  const { token } = await server.openDevice()
  const form = Array.from({ length: 10_000 }, (_, i): [string, string] => [
    'new_thing[]',
    JSON.stringify(thing(i, `t${i}`)),
  ])

  const { body } = await server.post('/sync', { token, form })

  expect(Object.keys(body.things?.new ?? {})).toHaveLength(10_000)
  expect((await server.get('/sync', { token })).body.thingCount).toBe(10_000)
})

test.each<[string, (ids: string[]) => [string, string][]]>([
  ['a plain id', ([a]) => [['deleted_thing', `${a}`]]],
  ['repeated deleted_thing[]', (ids) => ids.map((id) => ['deleted_thing[]', id])],
  ['deleted_thing[0]', (ids) => ids.map((id, i) => [`deleted_thing[${i}]`, id])],
  ['repeated plain parameters', (ids) => ids.map((id) => ['deleted_thing', id])],
  ['a JSON array', (ids) => [['deleted_thing', JSON.stringify(ids)]]],
  ['JSON strings', (ids) => ids.map((id) => ['deleted_thing', JSON.stringify(id)])],
  [
    'null beside them',
    (ids) => [['deleted_thing', 'null'], ...ids.map((id): [string, string] => ['deleted_thing', id])],
  ],
])('deletions may come as %s', async (name, toForm) => {
  const { token } = await server.openDevice()
  const created = await server.post('/sync', { token, json: { new_thing: [thing('a', 'A'), thing('b', 'B')] } })
  const ids = [String(created.body.things?.new?.a), String(created.body.things?.new?.b)]

  await server.post('/sync', { token, form: toForm(ids) })

  expect(await titles(token)).toEqual(name === 'a plain id' ? ['B'] : [])
})

test.each<[string, [string, string][]]>([
  ['tag[name]', [['tag[work]', '{"favorite":true,"color":"#f80"}']]],
  [
    'tag[name][field]',
    [
      ['tag[work][favorite]', 'true'],
      ['tag[work][color]', '#f80'],
    ],
  ],
  ['a map of objects', [['tag', '{"work":{"favorite":true,"color":"#f80"}}']]],
  ['a map of JSON texts', [['tag', '{"work":"{\\"favorite\\":true,\\"color\\":\\"#f80\\"}"}']]],
])('tag settings may come as %s', async (_name, form) => {
  const { token } = await server.openDevice()

  const { body } = await server.post('/sync', { token, form })

  expect(body).toEqual({ pos: 1, tags: { work: { favorite: true, color: '#f80', todo: false } } })
})

test('a JSON body takes the same names with native types', async () => {
  const { token } = await server.openDevice()

  const { body } = await server.post('/sync', {
    json: { access_token: token, new_thing: { local_id: 1, title: 'A' }, tag: { work: { todo: true } } },
  })

  expect(body).toEqual({
    pos: 2,
    thingCount: 1,
    tags: { work: { favorite: false, color: false, todo: 'strike' } },
    things: { new: { 1: expect.stringMatching(/^[0-9A-Za-z]+$/) } },
  })
})

test('a JSON body with a number as text is rejected', async () => {
  const { token } = await server.openDevice()

  const { status, body } = await server.post('/sync', { token, json: { from: '12' } })

  expect(status).toBe(400)
  expect(body).toEqual({ error: 'parameter_invalid', error_description: 'from must be a whole number' })
})

test.each(['true', 'TRUE', '1', '"true"', '"1"', '"True"'])('archived may be spelled %s', async (spelling) => {
  const { token } = await server.openDevice()

  const inJson = `{"local_id":"a","title":"A","archived":${/^t/i.test(spelling) ? 'true' : spelling}}`
  await server.post('/sync', { token, form: { new_thing: inJson } })
  await server.post('/thing/add', { token, form: { title: 'B', archived: spelling } })

  const { body } = await server.get('/things/get', { token, query: { archived: spelling } })
  expect(body).toMatchObject([
    { title: 'A', archived: true },
    { title: 'B', archived: true },
  ])
})

test.each(['false', 'FALSE', '0', '"false"', '"0"'])('archived may be denied as %s', async (spelling) => {
  const { token } = await server.openDevice()

  const { body } = await server.post('/thing/add', { token, form: { title: 'B', archived: spelling } })

  expect(body.title).toBe('B')
  expect(body.archived).toBeUndefined()
})

test.each(['[', '{}', '"a1', '{"_id":"a1"}', '["a1"'])('an id written %s gets an error that names it', async (text) => {
  const device = await server.openDevice()

  const deleted = await device.post('/sync', { form: { deleted_thing: text } })
  const skipped = await device.get('/sync', { query: { skip_id: text } })

  expect([deleted, skipped].map(({ status, body }) => [status, body.error])).toEqual(
    Array(2).fill([400, 'parameter_invalid']),
  )
  expect(deleted.body.error_description).toMatch(/^deleted_thing\[0\] (is not valid JSON|must be a string)$/)
  expect(skipped.body.error_description).toMatch(/^skip_id\[0\] (is not valid JSON|must be a string)$/)
})

test.each(['null', '"ID"', '["ID"]', 'ID'])('skip_id may be %s', async (text) => {
  const device = await server.openDevice()
  const { body: added } = await device.post('/thing/add', { json: { title: 'A' } })

  const { body } = await device.get('/sync', { query: { skip_id: text.replace('ID', String(added._id)) } })

  expect(body.thingCount).toBe(text === 'null' ? 1 : undefined)
})

const padding = JSON.stringify({ local_id: 9, title: 'x'.repeat(60_000) })

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['new_thing', { 'new_thing[]': '{"local_id":1,"title":"A"}' }, { new_thing: '{"local_id":2,"title":"B"}' }],
  ['new_thing', { 'new_thing[]': '{"local_id":1,"title":"A"}' }, { 'new_thing[0]': padding, 'new_thing[1]': padding }],
  ['changed_thing', { changed_thing: '{"_id":"a","title":"A"}' }, { changed_thing: '{"_id":"b","title":"A"}' }],
  ['deleted_thing', { deleted_thing: 'a' }, { 'deleted_thing[]': 'b' }],
  ['tag', { 'tag[y]': '{"favorite":true}' }, { 'tag[x]': '{"favorite":true}' }],
])('%s in query and body is rejected, so that neither is lost', async (name, query, form) => {
  const device = await server.openDevice()

  const { status, body } = await device.post('/sync', { query, form })

  expect([status, body.error]).toEqual([400, 'parameter_invalid'])
  expect(body.error_description).toBe(`${name} is given in the query and in the body`)
  expect(await device.sync()).toEqual({ pos: 0 })
})

test('different uploads may be in query and body, and of what is no upload the body wins', async () => {
  const device = await server.openDevice()

  const query = { 'tag[y]': '{"favorite":true}', limit: '1' }
  const { body } = await device.post('/sync', { query, form: { new_thing: '{"local_id":1,"title":"A"}', limit: '2' } })

  expect(body).toMatchObject({ pos: 2, tags: { y: { favorite: true } }, things: { new: { 1: expect.any(String) } } })
})

test('a tag without a name in its brackets is rejected, and an empty name in a map is a name', async () => {
  const device = await server.openDevice()

  const list = await device.post('/sync', { form: { 'tag[]': '{"favorite":true}' } })
  const map = await device.post('/sync', { form: { tag: '{"":{"favorite":true}}' } })

  expect([list.status, list.body]).toEqual([
    400,
    { error: 'parameter_invalid', error_description: 'tag[] must be written tag or tag[<name>]' },
  ])
  expect(map.body).toEqual({ pos: 1, tags: { '': { favorite: true, color: false, todo: false } } })
})

test('fields of tag settings may be in quotes', async () => {
  const { token } = await server.openDevice()
  const form = { 'tag[x][favorite]': '"true"', 'tag[x][color]': '"#f80"', 'tag[x][todo]': '"strike"' }

  const set = await server.post('/sync', { token, form })
  const unset = await server.post('/sync', { token, form: { 'tag[x][favorite]': '"0"', 'tag[x][color]': '"False"' } })

  expect(set.body.tags).toEqual({ x: { favorite: true, color: '#f80', todo: 'strike' } })
  expect(unset.body.tags).toEqual({ x: { favorite: false, color: false, todo: 'strike' } })
})

test('text that is no boolean and no number gets an error that names it', async () => {
  const { token } = await server.openDevice()

  const archived = await server.post('/sync', {
    token,
    form: { 'new_thing[]': '{"local_id":1,"title":"A","archived":"yes"}' },
  })
  const from = await server.get('/sync', { token, query: { from: '0x10' } })
  const limit = await server.get('/sync', { token, query: { limit: '1.5' } })

  expect(archived.body).toEqual({
    error: 'parameter_invalid',
    error_description: 'new_thing[0].archived must be true or false',
  })
  expect(from.body).toEqual({ error: 'parameter_invalid', error_description: 'from must be a whole number' })
  expect(limit.body).toEqual({ error: 'parameter_invalid', error_description: 'limit must be a whole number' })
})

test('numbers may be numeric strings', async () => {
  const { token } = await server.openDevice()

  await server.post('/sync', { token, form: { new_thing: '{"local_id":"1","title":"A","date":"-1.5e3"}' } })
  const { body } = await server.get('/sync', { token, query: { from: '0', limit: '10' } })

  expect(body.things?.changed?.[0]).toMatchObject({ title: 'A', date: -1500 })
})

test('query parameters of a POST are also read, and the body wins', async () => {
  const { token } = await server.openDevice()

  const inQuery = await server.post('/thing/add', { query: { access_token: token, title: 'in the query' } })
  const inBoth = await server.post('/thing/add', {
    token,
    query: { title: 'in the query' },
    form: { title: 'in the body' },
  })

  expect(inQuery.body.title).toBe('in the query')
  expect(inBoth.body.title).toBe('in the body')
})

test('unknown parameters are ignored', async () => {
  const { token } = await server.openDevice()

  const get = await server.get('/sync', { token, query: { device: 'phone', 'x[y]': 'z' } })
  const post = await server.post('/sync', {
    token,
    form: { device: 'phone', new_thing: '{"local_id":1,"title":"A","x":{}}' },
  })

  expect(get.body).toEqual({ pos: 0 })
  expect(post.status).toBe(200)
})

test.each(['new_thing', 'new_thing[]', 'changed_thing[0]', 'deleted_thing', 'tag[work]'])(
  '%s in a GET is rejected and changes nothing',
  async (name) => {
    const { token } = await server.openDevice()

    const { status, body } = await server.get('/sync', { token, query: { [name]: '{"local_id":1,"title":"A"}' } })

    expect(status).toBe(400)
    expect(body.error).toBe('parameter_invalid')
    expect(body.error_description).toContain(name.split('[')[0])
    expect((await server.get('/sync', { token })).body).toEqual({ pos: 0 })
  },
)

test.each(['__proto__', 'constructor', '', '🌶', 'a]b', 'a[b', 'toString', '1'])(
  'a local id and a tag may be called %j',
  async (name) => {
    const { token } = await server.openDevice()

    const newThing = JSON.stringify({ local_id: name, title: 'A', tags: name })
    const settings = { favorite: true }
    const tag = name === '' ? { tag: JSON.stringify({ '': settings }) } : { [`tag[${name}]`]: JSON.stringify(settings) }
    const { text } = await server.post('/sync', { token, form: { new_thing: newThing, ...tag } })

    const response = JSON.parse(text)
    expect(Object.keys(response.things.new)).toEqual([name])
    expect(Object.entries(response.tags)).toEqual([[name, { favorite: true, color: false, todo: false }]])
  },
)

test('names of a megabyte are rejected by the limit', async () => {
  const { token } = await server.openDevice()
  const name = 'n'.repeat(1_000_000)

  const localId = await server.post('/sync', { token, json: { new_thing: { local_id: name, title: 'A' } } })
  const tag = await server.post('/sync', { token, form: { [`tag[${name}]`]: '{"favorite":true}' } })

  expect([localId.status, tag.status]).toEqual([400, 400])
  expect(localId.body.error_description).toBe('new_thing[0].local_id is longer than 1024 characters')
  expect(tag.body.error_description).toContain('is longer than 1000 characters')
})

test.each(['skip_id', 'skip_id[]', 'skip_id[0]'])('%s in a GET leaves a thing out', async (name) => {
  const { token } = await server.openDevice()
  const form = { new_thing: '[{"local_id":1,"title":"A"},{"local_id":2,"title":"B"}]' }
  const { things } = (await server.post('/sync', { token, form })).body
  const [left, listed] = [things?.new?.[1], things?.new?.[2]]

  const { body } = await server.get('/sync', { token, query: { [name]: String(left) } })

  expect(body).toMatchObject({ pos: 2, thingCount: 1, things: { changed: [{ _id: listed, title: 'B' }] } })
})
