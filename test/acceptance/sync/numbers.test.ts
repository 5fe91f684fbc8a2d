import { expect, test } from 'vitest'
import { openFileServer } from '../../support/open-test-server.ts'
import type { TestRequest } from '../../support/test-request.ts'

const server = await openFileServer()

const jsonType = { 'content-type': 'application/json' }
/** JSON as it goes over the wire: no value of JavaScript is written so. */
const json = (body: string): TestRequest => ({ body, headers: jsonType })
const thing = (localId: string, date = '0') => `{"local_id":${localId},"title":"A","date":${date}}`
const manyThings = (last: string) =>
  Array.from({ length: 3000 }, (_, n) => thing(String(n)))
    .concat(last)
    .join()

test.each<[string, string, string, (id: string) => TestRequest]>([
  ['sync, form', '/sync', 'new_thing[0].date', () => ({ form: { from: '0', new_thing: thing('1', '1e400') } })],
  ['sync, JSON', '/sync', 'new_thing[0].date', () => json(`{"from":0,"new_thing":[${thing('1', '1e400')}]}`)],
  ['sync, negative', '/sync', 'new_thing[0].date', () => json(`{"new_thing":[${thing('1', '-1e400')}]}`)],
  [
    'sync, a change',
    '/sync',
    'changed_thing[0].date',
    (id) => ({ form: { changed_thing: `{"_id":"${id}","title":"A","date":-1e400}` } }),
  ],
  [
    'sync, long form',
    '/sync',
    'new_thing[3000].date',
    () => ({ form: { new_thing: `[${manyThings(thing('"x"', '1e400'))}]` } }),
  ],
  [
    'sync, long JSON',
    '/sync',
    'new_thing[3000].date',
    () => json(`{"new_thing":[${manyThings(thing('"x"', '1e400'))}]}`),
  ],
  ['local_id, form', '/sync', 'new_thing[0].local_id', () => ({ form: { new_thing: thing('1e400') } })],
  ['local_id, JSON', '/sync', 'new_thing[0].local_id', () => json(`{"new_thing":[${thing('-1e400')}]}`)],
  ['from, form', '/sync', 'from', () => ({ form: { from: '1e400' } })],
  ['from, JSON', '/sync', 'from', () => json('{"from":1e400}')],
  ['skip, JSON', '/sync', 'skip', () => json('{"skip":1e400}')],
  ['limit, JSON', '/sync', 'limit', () => json('{"limit":1e400}')],
  ['limit, query', '/sync', 'limit', () => ({ query: { limit: '1e400' } })],
  ['thing/add, form', '/thing/add', 'date', () => ({ form: { title: 'A', date: '1e400' } })],
  ['thing/add, JSON', '/thing/add', 'date', () => json('{"title":"A","date":1e400}')],
  ['thing/change, form', '/thing/change', 'date', (id) => ({ form: { _id: id, date: '-1e400' } })],
  ['thing/change, JSON', '/thing/change', 'date', (id) => json(`{"_id":"${id}","date":-1e400}`)],
])('a number beyond the range of a double is named in the error: %s', async (_name, path, parameter, toRequest) => {
  const device = await server.openDevice()
  const { body: added } = await device.post('/thing/add', { form: { title: 'Kept', date: '5' } })

  const { status, body } = await device.post(path, toRequest(String(added._id)))

  expect(status).toBe(400)
  expect(body.error).toBe('parameter_invalid')
  expect(String(body.error_description)).toContain(`${parameter} must be`)
  expect((await device.sync()).things).toMatchObject({ changed: [{ title: 'Kept', date: 5 }] })
})

test.each(['from', 'skip', 'limit'])('%s beyond the range of a double is rejected in a GET', async (parameter) => {
  const device = await server.openDevice()

  const { status, body } = await device.get('/sync', { query: { [parameter]: '1e400' } })

  expect(status).toBe(400)
  expect(body.error_description).toBe(`${parameter} must be a whole number`)
})

test.each(['9007199254740993', '9007199254740992', '-9007199254740993', '1e300'])(
  'the local_id %s, whose digits a number may lose, gets an error that names it',
  async (localId) => {
    const device = await server.openDevice()

    const inForm = await device.post('/sync', { form: { new_thing: `[${thing('1')},${thing(localId)}]` } })
    const inJson = await device.post('/sync', json(`{"new_thing":[${thing(localId)}]}`))

    const reason = localId.startsWith('-') ? 'must be at least -9007199254740991' : 'must be at most 9007199254740991'
    expect([inForm.status, inJson.status]).toEqual([400, 400])
    expect(inForm.body).toEqual({ error: 'parameter_invalid', error_description: `new_thing[1].local_id ${reason}` })
    expect(inJson.body).toEqual({ error: 'parameter_invalid', error_description: `new_thing[0].local_id ${reason}` })
    expect(await device.sync()).toEqual({ pos: 0 })
  },
)

test('a local_id may be a safe number, a fraction, or long digits as text', async () => {
  const device = await server.openDevice()
  const ids = ['9007199254740991', '-9007199254740991', '1.5', '"9007199254740993"']

  const { body } = await device.post('/sync', json(`{"new_thing":[${ids.map((id) => thing(id)).join()}]}`))

  expect(Object.keys(body.things?.new ?? {}).sort()).toEqual(
    ['9007199254740991', '-9007199254740991', '1.5', '9007199254740993'].sort(),
  )
})
