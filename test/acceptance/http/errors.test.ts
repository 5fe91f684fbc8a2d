import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../src/store/memory-store.ts'
import { StoreError } from '../../../src/store/store.ts'
import { thingForm } from '../../../src/things/thing.ts'
import { openFileServer, openTestServer } from '../../support/open-test-server.ts'
import { recordLog } from '../../support/record-log.ts'

const server = await openFileServer()

test.each<[string, unknown, string]>([
  ['a title is missing', [{ local_id: 1, title: 'A' }, { local_id: 2 }], 'new_thing[1].title is required'],
  ['a local_id is missing', { title: 'A' }, 'new_thing[0].local_id is required'],
  [
    'a local_id is shared',
    [
      { local_id: 1, title: 'A' },
      { local_id: '1', title: 'B' },
    ],
    'new_thing[1].local_id repeats the local_id of another new thing',
  ],
  ['a title is a number', { local_id: 1, title: 1 }, 'new_thing[0].title must be a string'],
  ['a date is a word', { local_id: 1, title: 'A', date: 'today' }, 'new_thing[0].date must be a number'],
  ['a local_id is an object', { local_id: {}, title: 'A' }, 'new_thing[0].local_id must be a string or a number'],
])('when %s nothing of the request is applied', async (_name, newThing, sentence) => {
  const { token } = await server.openDevice()

  const form = { new_thing: JSON.stringify(newThing), 'tag[work]': '{"favorite":true}' }
  const { status, body } = await server.post('/sync', { token, form })

  expect([status, body]).toEqual([400, { error: 'parameter_invalid', error_description: sentence }])
  expect((await server.get('/sync', { token })).body).toEqual({ pos: 0 })
})

test.each<[string, string, string]>([
  ['broken JSON', 'new_thing', '{"local_id":'],
  ['a word', 'changed_thing', 'milk'],
  ['a tag that is no map', 'tag', '[1]'],
  ['a tag that is plain text', 'tag', 'work'],
  ['a colour that is none', 'tag[work]', '{"color":"red"}'],
  ['a NUL', 'new_thing', '{"local_id":1,"title":"a\\u0000b"}'],
  ['a lone surrogate', 'new_thing', '{"local_id":1,"title":"a\\ud800b"}'],
  ['nested brackets', 'new_thing[0][title]', 'A'],
  ['a negative skip', 'skip', '-1'],
])('%s gets an error that names it', async (_name, parameter, value) => {
  const { token } = await server.openDevice()

  const { status, body } = await server.post('/sync', { token, form: { [parameter]: value } })

  expect([status, body.error]).toEqual([400, 'parameter_invalid'])
  expect(body.error_description).toContain(parameter.split('[')[0])
  expect((await server.get('/sync', { token })).body).toEqual({ pos: 0 })
})

test('an unknown thing is not found by change and delete', async () => {
  const { token } = await server.openDevice()

  const change = await server.post('/thing/change', { token, form: { _id: 'nothing', title: 'A' } })
  const deletion = await server.post('/thing/delete', { token, form: { _id: 'nothing' } })

  expect([change.status, change.body.error]).toEqual([404, 'not_found'])
  expect([deletion.status, deletion.body.error]).toEqual([404, 'not_found'])
})

test('an unknown operation is 404, a wrong method 405 with Allow', async () => {
  const { token } = await server.openDevice()

  const unknown = await server.get('/things/steal')
  const wrong = await server.call('PUT', '/sync', { token })
  const wrongToken = await server.call('GET', '/token')

  expect([unknown.status, unknown.body.error]).toEqual([404, 'not_found'])
  expect([wrong.status, wrong.body.error, wrong.headers.get('allow')]).toEqual([405, 'method_not_allowed', 'GET, POST'])
  expect([wrongToken.status, wrongToken.headers.get('allow')]).toEqual([405, 'POST'])
})

test('a POST to an operation that only takes GET is 405, also with the token in the form', async () => {
  const { token } = await server.openDevice()

  const { status, headers } = await server.post('/user/get', { form: { access_token: token } })

  expect([status, headers.get('allow')]).toEqual([405, 'GET'])
})

test('a body that is too large, and too many things, are 413', async () => {
  const server = await openTestServer({ settings: { maxBodyBytes: 10_000 } })
  const token = await server.signIn()

  const large = await server.post('/thing/add', { token, form: { title: 'A', html: 'x'.repeat(20_000) } })
  const stream = await server.post('/thing/add', { token, form: { title: 'A' } })

  expect([large.status, large.body.error]).toEqual([413, 'too_large'])
  expect(stream.status).toBe(200)
})

test('more than 100,000 ids in one request are too many', async () => {
  const { token } = await server.openDevice()

  const { status, body } = await server.post('/sync', { token, json: { deleted_thing: Array(100_001).fill('a') } })

  expect([status, body.error]).toEqual([413, 'too_large'])
  expect(body.error_description).toContain('deleted_thing')
})

test.each(['text/plain', 'multipart/form-data; boundary=x', 'application/xml'])('%s is 415', async (type) => {
  const { token } = await server.openDevice()

  const { status, body } = await server.post('/sync', { token, body: 'x', headers: { 'content-type': type } })

  expect([status, body.error]).toEqual([415, 'unsupported_media_type'])
  expect(body.error_description).toBe(
    `This operation does not accept ${type.split(';')[0]}; send application/json or application/x-www-form-urlencoded`,
  )
})

test('the token endpoint takes no JSON', async () => {
  const { status, body } = await server.post('/token', { json: { grant_type: 'password' } })

  expect(status).toBe(415)
  expect(body.error_description).toBe(
    'This operation does not accept application/json; send application/x-www-form-urlencoded',
  )
})

test('a failed store is 503 with Retry-After and never 401, and a sentence in the log', async () => {
  const store = await openMemoryStore({ form: thingForm })
  let isBroken = false
  const failing = {
    ...store,
    registry: {
      ...store.registry,
      findSessionByAccessHash: (hash: string) =>
        isBroken ? Promise.reject(new StoreError('disk gone')) : store.registry.findSessionByAccessHash(hash),
    },
  }
  const { lines, log } = recordLog()
  const server = await openTestServer({ store: failing, log })
  const token = await server.signIn()
  isBroken = true

  const { status, headers, body } = await server.get('/sync', { token })

  expect([status, body.error]).toEqual([503, 'temporarily_unavailable'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(lines.filter(({ level }) => level === 'error')).toEqual([
    {
      level: 'error',
      time: expect.anything(),
      requestId: headers.get('x-request-id'),
      msg: 'a request failed: disk gone',
    },
  ])
})

test('a bug is 500 and shows no details', async () => {
  const store = await openMemoryStore({ form: thingForm })
  const server = await openTestServer({ store: { ...store, read: () => Promise.reject(new Error('secret /path')) } })
  const token = await server.signIn()

  const { status, body } = await server.get('/sync', { token })

  expect([status, body]).toEqual([
    500,
    { error: 'server_error', error_description: 'The server failed to handle this request' },
  ])
})

test('what is not HTTP gets an error object', async () => {
  const { port } = new URL(server.baseUrl)

  const response = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'))
    let text = ''
    socket.on('data', (chunk) => (text += chunk)).on('close', () => resolve(text))
  })

  expect(response).toMatch(/^HTTP\/1.1 400 /)
  expect(JSON.parse(response.slice(response.indexOf('\r\n\r\n')))).toMatchObject({ error: 'parameter_invalid' })
})
