import { expect, test } from 'vitest'
import { document } from '../../../generated/document.ts'
import { declaredProperties, itemSchema, type JsonSchema, mapValueSchema } from '../../../src/wire/json-schema.ts'
import { openFileServer } from '../../support/open-test-server.ts'

const server = await openFileServer()

interface Operation {
  readonly requestBody?: { readonly content: Record<string, { readonly schema: JsonSchema & { required?: string[] } }> }
}

const bodies = Object.entries(document.paths as Record<string, { post?: Operation }>).flatMap(([path, { post }]) => {
  const schema = post?.requestBody?.content['application/json']?.schema
  return schema === undefined ? [] : [{ path, schema }]
})

const required: Record<string, () => Promise<object> | object> = {
  '/revoke': () => ({ token: 'unknown', client_id: server.clientId, client_secret: server.clientSecret }),
  '/thing/add': () => ({ title: 'A' }),
  '/register/device': () => ({ type: 'pigeon', id: '1' }),
  '/unregister/device': () => ({ type: 'pigeon', id: '1' }),
  '/device/register': () => ({ type: 'pigeon', id: '1' }),
  '/device/unregister': () => ({ type: 'pigeon', id: '1' }),
  '/webhook/register': () => ({ target_url: 'https://hook.example/', event: 'any' }),
  '/webhook/unregister': () => ({ target_url: 'https://hook.example/', event: 'any' }),
}

/** Gives the id of another session of the user. */
const openSession = async (userName: string): Promise<string> => {
  const other = await server.openDevice(userName)
  const sessions = (await other.get('/session/list')).body as unknown as { id: string; current: boolean }[]
  return sessions.find(({ current }) => current)?.id ?? ''
}

const nullsBeside = (schema: JsonSchema, given: object): object =>
  Object.fromEntries([...declaredProperties(schema).keys()].map((name) => [name, name in given ? undefined : null]))

/** The response without the values that differ between two responses to the same request. */
const comparable = (body: object): object => ({
  ...body,
  _id: 'any',
  date: 0,
  secret: 'any',
  deleted_thing: 'any',
  revoked_session: 'any',
})

test.each(bodies)('$path takes null for every field that may be absent, in JSON', async ({ path, schema }) => {
  const device = await server.openDevice()
  const token = path === '/revoke' ? {} : { token: device.token }
  const send = async (withNulls: boolean) => {
    const { _id } = (await device.post('/thing/add', { json: { title: 'A', url: 'https://a.example/' } })).body
    const given =
      path === '/thing/change' || path === '/thing/delete'
        ? { _id }
        : path === '/session/revoke'
          ? { id: await openSession(device.userName) }
          : ((await required[path]?.()) ?? {})
    const json = withNulls ? { ...nullsBeside(schema, given), ...given } : given
    const { status, body } = await server.post(path, { ...token, json })
    return { status, body: path === '/sync' ? Object.keys(body) : comparable(body) }
  }

  const plain = await send(false)

  expect(plain.status).toBe(200)
  expect(await send(true)).toEqual(plain)
})

test('the document says of every field that may be absent that it may be null', () => {
  const findStrict = (schema: JsonSchema & { required?: readonly string[] }, path: string): string[] => {
    const inner = itemSchema(schema) ?? mapValueSchema(schema)
    const fields = [...declaredProperties(schema)].flatMap(([name, field]) => {
      const mayBeNull = [field, ...(field.oneOf ?? [])].some(({ nullable }) => nullable === true)
      const isStrict = schema.required?.includes(name) !== true && !mayBeNull
      return [...(isStrict ? [`${path}.${name}`] : []), ...findStrict(field, `${path}.${name}`)]
    })
    return inner === undefined ? fields : [...fields, ...findStrict(inner, `${path}[]`)]
  }

  expect(bodies.length).toBeGreaterThan(10)
  expect(bodies.flatMap(({ path, schema }) => findStrict(schema, path))).toEqual([])
})

const nothing = { tags: null, date: null, url: null, html: null, archived: null, todoStatus: null }

test.each(['json', 'form'])('null changes nothing of a thing and of tag settings, in %s', async (spelling) => {
  const { token } = await server.openDevice()
  const write = (value: unknown) => (spelling === 'json' ? value : JSON.stringify(value))
  const sync = (fields: object) => server.post('/sync', { token, [spelling]: fields })
  const content = { title: 'A', tags: 'work', date: 5, url: 'https://a.example/', html: 'x' }
  const full = { favorite: true, color: '#abc', todo: 'strike' }
  await sync({ new_thing: write([{ local_id: 1, ...content }]), tag: write({ work: full }) })
  const [known] = (await server.get('/things/get', { token })).body as unknown as { _id: string }[]

  const changed = { new_thing: write(null), changed_thing: write([{ _id: known?._id, ...nothing, title: 'B' }]) }
  await sync({ ...changed, tag: write({ work: { favorite: null, color: null, todo: null } }) })

  expect((await server.get('/sync', { token })).body).toEqual({
    pos: 4,
    thingCount: 1,
    tags: { work: full },
    things: { changed: [{ _id: known?._id, ...content, title: 'B', todoStatus: false }] },
  })
})

test('null for what must be there is the same as leaving it out', async () => {
  const { token } = await server.openDevice()

  const { status, body } = await server.post('/thing/add', { token, json: { title: null } })

  expect([status, body]).toEqual([400, { error: 'parameter_invalid', error_description: 'title is required' }])
})

test('a token that is null in a body is not one', async () => {
  const { token } = await server.openDevice()

  expect((await server.post('/test', { token, json: { access_token: null } })).status).toBe(200)
  expect((await server.post('/test', { json: { access_token: null } })).status).toBe(401)
})

test('a tag whose settings are null is ignored, in every spelling', async () => {
  const device = await server.openDevice()

  const responses = [
    await device.post('/sync', { json: { tag: { x: null } } }),
    await device.post('/sync', { json: { 'tag[x]': null } }),
    await device.post('/sync', { form: { 'tag[x]': 'null' } }),
    await device.post('/sync', { form: { tag: '{"x":null}' } }),
  ]
  const beside = await device.post('/sync', { form: { tag: '{"x":null,"y":{"favorite":true}}' } })

  expect(responses.map(({ body }) => body)).toEqual(Array(4).fill({ pos: 0 }))
  expect(beside.body).toEqual({ pos: 1, tags: { y: { favorite: true, color: false, todo: false } } })
})
