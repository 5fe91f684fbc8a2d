import { expect, test } from 'vitest'
import { openApiServer, readResponse } from '../../test/support/bodies.ts'

/** For a busy machine. */
const busy = { timeout: 60_000 }

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const json = { 'content-type': 'application/json' }
const announce = (bytes: number) => ({ 'content-length': String(bytes) })
const chunked = { 'transfer-encoding': 'chunked' }
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const toChunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const MB = 1_000_000

// No byte of these bodies is ever sent: a server that waited for it would never respond.
test.each<[string, string, Record<string, string>, number, string]>([
  ['a JSON body of 20 MB without a token', '/sync', { ...json, ...announce(20 * MB) }, 413, 'too_large'],
  ['a JSON body with a wrong token', '/sync', { ...json, ...announce(MB), ...bearer('x') }, 401, 'invalid_grant'],
  ['a wrong token in the query', '/sync?access_token=x', { ...form, ...announce(MB) }, 401, 'invalid_grant'],
  [
    'a body of a type that holds no token',
    '/sync',
    { 'content-type': 'text/plain', ...announce(9) },
    401,
    'invalid_request',
  ],
  ['a compressed body', '/sync', { ...form, ...announce(9), 'content-encoding': 'gzip' }, 401, 'invalid_request'],
  ['a form that is too large', '/sync', { ...form, ...announce(33 * 2 ** 20) }, 413, 'too_large'],
  ['an unknown operation', '/nothing', { ...form, ...announce(MB) }, 404, 'not_found'],
  ['a method that no token makes right', '/user/get', { ...form, ...announce(MB) }, 405, 'method_not_allowed'],
  ['a wrong token and a wrong method', '/user/get', { ...form, ...announce(MB), ...bearer('x') }, 401, 'invalid_grant'],
  ['a large request of a token', '/token', { ...form, ...announce(65_537) }, 413, 'too_large'],
  ['a large revocation', '/revoke', { ...json, ...announce(65_537) }, 413, 'too_large'],
])('%s is rejected before its body, and a waiting client gets no 100 Continue', async (...row) => {
  const [, path, headers, status, error] = row
  const fixture = await openApiServer()

  const connection = await fixture.begin(path, { ...headers, expect: '100-continue' })
  const response = await readResponse(connection)

  expect([response.status, response.body.error]).toEqual([status, error])
  expect(connection.received()).not.toContain('100 Continue')
  expect([fixture.bodyBudgets.unauthenticated.heldBytes(), fixture.bodyBudgets.users.heldBytes()]).toEqual([0, 0])
})

test('a waiting client gets 100 Continue as soon as its head is checked', async () => {
  const fixture = await openApiServer()
  const { token } = await fixture.enroll()
  const expects = { expect: '100-continue', ...form }

  for (const [headers, body] of [
    [bearer(token), 'limit=0'],
    [{}, `limit=0&access_token=${token}`],
  ] as const) {
    const connection = await fixture.begin('/sync', { ...expects, ...announce(body.length), ...headers })
    await expect.poll(() => connection.received(), busy).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    connection.socket.write(body)
    expect((await readResponse(connection)).body).toEqual({ pos: 0 })
  }
})

test('a chunked JSON body without a token is rejected above 64 KiB, and its bytes are freed', async () => {
  const fixture = await openApiServer()

  const connection = await fixture.begin('/sync', { ...json, ...chunked }, toChunk(`{"a":"${'x'.repeat(65_536)}`))
  const { status, body } = await readResponse(connection)

  expect([status, body.error_description]).toEqual([
    413,
    'A request body that contains the access token may have at most 65536 bytes; send the token in the Authorization header',
  ])
  expect(fixture.bodyBudgets.unauthenticated.heldBytes()).toBe(0)
})

test('a small JSON body may hold the token, and is checked for its depth first', async () => {
  const fixture = await openApiServer()
  const { token } = await fixture.enroll()

  const good = await fixture.post('/sync', json, JSON.stringify({ access_token: token, limit: 0 }))
  const missing = await fixture.post('/sync', json, '{"limit":0}')
  const deep = await fixture.post('/sync', json, `{"a":${'['.repeat(65_000)}`)

  expect(good.body).toEqual({ pos: 0 })
  expect([missing.status, missing.body.error]).toEqual([401, 'invalid_request'])
  expect([deep.status, deep.body.error_description]).toEqual([400, 'The request body is nested deeper than 32 levels'])
  expect([fixture.bodyBudgets.unauthenticated.heldBytes(), fixture.bodyBudgets.users.heldBytes()]).toEqual([0, 0])
})

test('a form without a token in the header is decoded only after the check of its token', async () => {
  const fixture = await openApiServer()
  const { token } = await fixture.enroll()
  const broken = '%zz=%&deleted_thing=%'

  const missing = await fixture.post('/sync', form, broken)
  const wrong = await fixture.post('/sync', form, `${broken}&access_token=wrong`)
  const valid = await fixture.post('/sync', form, `${broken}&access_token=${token}`)

  expect([missing.status, missing.body.error]).toEqual([401, 'invalid_request'])
  expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_grant'])
  expect([valid.status, valid.body.error]).toEqual([400, 'parameter_invalid'])
})

test('a wrong token in a form is rejected before the rest of the form is sent', async () => {
  const fixture = await openApiServer()

  const connection = await fixture.begin('/sync', { ...form, ...announce(MB) }, 'access_token=wrong&new_thing=')

  expect((await readResponse(connection)).body.error).toBe('invalid_grant')
  expect(fixture.bodyBudgets.unauthenticated.heldBytes()).toBe(0)
})

test('a form counts for its user as soon as its token has arrived, and may then be as large as any', async () => {
  const fixture = await openApiServer({
    maxUnauthenticatedFormBytes: 1000,
    maxUnauthenticatedBytes: 1000,
    maxUnauthenticatedBytesPerAddress: 1000,
  })
  const { token } = await fixture.enroll()
  const thing = encodeURIComponent(JSON.stringify({ local_id: 1, title: 'a', html: 'x'.repeat(200_000) }))
  const start = `access_token=${token}&new_thing=`

  const connection = await fixture.begin('/sync', { ...form, ...announce(start.length + thing.length) }, start)
  await expect.poll(() => fixture.bodyBudgets.users.heldBytes(), busy).toBe(start.length)
  expect(fixture.bodyBudgets.unauthenticated.heldBytes()).toBe(0)
  connection.socket.write(thing)

  expect((await readResponse(connection)).status).toBe(200)
  expect(fixture.bodyBudgets.users.heldBytes()).toBe(0)
})

test('a large form may end in its token, up to the limit of unauthenticated forms', async () => {
  const fixture = await openApiServer({ maxUnauthenticatedFormBytes: 300_000 })
  const { token } = await fixture.enroll()
  const things = (count: number) =>
    Array.from({ length: count }, (_, i) => `new_thing[]=${encodeURIComponent(`{"local_id":${i},"title":"a"}`)}`)

  const good = await fixture.post('/sync', form, [...things(4000), `%61ccess%5Ftoken=${token}`].join('&'))
  const large = await fixture.post('/sync', form, [...things(6000), `access_token=${token}`].join('&'))

  expect([good.status, good.body]).toEqual([200, expect.objectContaining({ pos: 4000 })])
  expect([large.status, large.body.error_description]).toEqual([413, expect.stringContaining('300000 bytes')])
  expect([fixture.bodyBudgets.unauthenticated.heldBytes(), fixture.bodyBudgets.users.heldBytes()]).toEqual([0, 0])
})

test('slow unauthenticated forms share one budget, and a small form with a token is still served', async () => {
  const fixture = await openApiServer({ maxUnauthenticatedBytes: 200_000, maxUnauthenticatedBytesPerAddress: 100_000 })
  const { token } = await fixture.enroll()
  const hold = (address: string) =>
    fixture.begin('/sync', { ...form, ...announce(32_000), 'x-address': address }, `a=${'x'.repeat(30_998)}`)
  const held: Awaited<ReturnType<typeof hold>>[] = []
  for (let i = 0; i < 60; i++) held.push(await hold(`address ${i % 4}`))

  const isRejected = ({ received }: (typeof held)[number]) => received().startsWith('HTTP/1.1 429 ')
  await expect.poll(() => held.filter(isRejected).length, busy).toBe(54)
  const heldBytes = fixture.bodyBudgets.unauthenticated.heldBytes()
  const small = await fixture.post('/sync', { ...form, 'x-address': 'another' }, `access_token=${token}`)

  expect(heldBytes).toBe(6 * 31_000)
  expect(held.find(isRejected)?.received()).toMatch(/retry-after: 5\r\n/i)
  expect(small.body).toEqual({ pos: 0 })
  for (const { socket } of held) socket.destroy()
  await expect.poll(() => fixture.bodyBudgets.unauthenticated.heldBytes(), busy).toBe(0)
})

test('a body that holds the budget for long gives way, even to others of the same address', async () => {
  const fixture = await openApiServer({ maxUnauthenticatedBytes: 50_000, maxUnauthenticatedBytesPerAddress: 50_000 })
  const { token } = await fixture.enroll()
  const slow = await fixture.begin('/sync', { ...form, ...announce(50_000) }, `a=${'x'.repeat(40_000)}`)
  await expect.poll(() => fixture.bodyBudgets.unauthenticated.heldBytes(), busy).toBe(40_002)
  const upload = `${`skip_id=${'x'.repeat(100)}&`.repeat(200)}access_token=${token}`

  const early = await fixture.post('/sync', form, upload)
  fixture.passSeconds(6)
  const late = await fixture.post('/sync', form, upload)

  expect([early.status, early.body.error]).toEqual([429, 'slow_down'])
  expect([late.status, late.body]).toEqual([200, { pos: 0 }])
  expect((await readResponse(slow)).status).toBe(429)
  expect(fixture.bodyBudgets.unauthenticated.heldBytes()).toBe(0)
})

test('the bytes of one user under way are limited, and other users are served', async () => {
  const fixture = await openApiServer({ maxUserBytes: 100_000 })
  const { token, userName } = await fixture.enroll()
  const { token: again } = await fixture.enroll(userName)
  const { token: other } = await fixture.enroll()
  const body = `${`skip_id=${'x'.repeat(100)}&`.repeat(500)}limit=0`
  const held = await Promise.all(
    [token, again].map((own) =>
      fixture.begin('/sync', { ...form, ...bearer(own), ...announce(50_000) }, `a=${'x'.repeat(30_000)}`),
    ),
  )
  await expect.poll(() => fixture.bodyBudgets.users.heldBytes(), busy).toBe(60_004)

  const mine = await fixture.post('/sync', { ...form, ...bearer(token) }, body)
  const mineInside = await fixture.post('/sync', form, `access_token=${token}&${body}`)
  const theirs = await fixture.post('/sync', { ...form, ...bearer(other) }, body)

  for (const { status, headers, body } of [mine, mineInside]) {
    expect([status, body.error]).toEqual([429, 'slow_down'])
    expect(headers).toMatch(/retry-after: 5/i)
  }
  expect(theirs.body).toEqual({ pos: 0 })
  for (const { socket } of held) socket.destroy()
  await expect.poll(() => fixture.bodyBudgets.users.heldBytes(), busy).toBe(0)
})

test('the rest of a rejected body is received and dropped, up to a limit', async () => {
  const fixture = await openApiServer({ maxBodyBytes: 1000, maxDiscardedBytes: 100_000 })
  const { token } = await fixture.enroll()
  const head = { ...form, ...bearer(token) }

  const polite = await fixture.begin('/sync', { ...head, ...announce(90_000) }, 'x'.repeat(90_000))
  expect((await readResponse(polite)).status).toBe(413)
  polite.socket.write('GET /test HTTP/1.1\r\nhost: a\r\n\r\n')
  await expect.poll(() => polite.received(), busy).toContain('HTTP/1.1 401')

  const endless = await fixture.begin('/sync', { ...head, ...chunked }, toChunk('x'.repeat(2000)))
  expect((await readResponse(endless)).status).toBe(413)
  endless.socket.write(toChunk('x'.repeat(200_000)))
  await endless.ended
})

test('a request for a token has at most 100 fields', async () => {
  const fixture = await openApiServer()
  const fields = (count: number) => Array.from({ length: count }, (_, i) => `f${i}=x`).join('&')

  const hundred = await fixture.post('/token', form, fields(100))
  const more = await fixture.post('/token', form, fields(101))
  const revocation = await fixture.post(
    '/revoke',
    json,
    JSON.stringify(Object.fromEntries(fields(101).split('&').entries())),
  )

  expect([hundred.status, hundred.body.error]).toEqual([400, 'invalid_request'])
  expect([more.status, more.body.error_description]).toEqual([413, 'The form has more than 100 fields'])
  expect([revocation.status, revocation.body.error_description]).toEqual([
    413,
    'The request body has more than 100 members',
  ])
  expect(fixture.bodyBudgets.unauthenticated.heldBytes()).toBe(0)
})

// Each is rejected for its contents before any parsing: no body is complete JSON.
test.each<[string, Record<string, string>, string, number, string]>([
  [
    'JSON that only opens lists',
    json,
    `{"new_thing":${'['.repeat(MB)}`,
    400,
    'The request body is nested deeper than 32 levels',
  ],
  [
    'a form field that only opens lists',
    form,
    `new_thing=${'['.repeat(MB)}`,
    400,
    'new_thing[0] is nested deeper than 32 levels',
  ],
  [
    'an id that only opens lists',
    form,
    `deleted_thing=${'['.repeat(MB)}`,
    400,
    'deleted_thing[0] is nested deeper than 32 levels',
  ],
  [
    'a short field that opens 33 lists',
    form,
    `new_thing[]=${'['.repeat(33)}`,
    400,
    'new_thing[0] is nested deeper than 32 levels',
  ],
  [
    'a tag that opens 33 objects',
    form,
    `tag[work]=${'{"a":'.repeat(33)}`,
    400,
    'tag[work] is nested deeper than 32 levels',
  ],
  [
    'a map of tags that opens 33 objects',
    form,
    `tag=${'{"a":'.repeat(33)}`,
    400,
    'tag is nested deeper than 32 levels',
  ],
  [
    'a million tags in a form',
    form,
    Array.from({ length: MB }, (_, i) => `tag[${i}]=`).join('&'),
    413,
    'The form has more than 120000 fields',
  ],
  [
    'more tags than a request may have',
    form,
    Array.from({ length: 10_001 }, (_, i) => `tag[${i}]={}`).join('&'),
    413,
    'tag has more than 10000 items',
  ],
  ['a million empty fields', form, '&'.repeat(MB), 413, 'The form has more than 120000 fields'],
  [
    'an object of 10,001 members',
    json,
    `{"tag":{${'"a":1,'.repeat(10_001)}`,
    413,
    'The request body holds an object of more than 10000 members',
  ],
  [
    'one of 10,001 prototypes',
    json,
    `{${'"__proto__":1,'.repeat(10_001)}`,
    413,
    'The request body holds an object of more than 10000 members',
  ],
  [
    'a thing of 50,001 values',
    json,
    `{"new_thing":[[${'0,'.repeat(50_001)}`,
    413,
    'The request body holds a thing or a map of more than 50000 values',
  ],
  [
    'a map of 50,001 values in a form',
    form,
    `tag={"a":[${'0,'.repeat(50_001)}`,
    413,
    'tag holds a thing or a map of more than 50000 values',
  ],
  [
    'a million things',
    json,
    `{"new_thing":[${'0,'.repeat(MB)}`,
    413,
    'The request body holds more than 1000000 values',
  ],
  [
    'a million things in a form',
    form,
    `new_thing=[${'0,'.repeat(MB)}`,
    413,
    'new_thing[0] holds more than 1000000 values',
  ],
  [
    'a million values in many fields',
    form,
    `new_thing=[[${'0,'.repeat(30_000)}0]]&`.repeat(34),
    413,
    'new_thing[33] holds more than 1000000 values',
  ],
])('%s is rejected for its contents', async (_name, type, body, status, sentence) => {
  const fixture = await openApiServer()
  const { token } = await fixture.enroll()

  const response = await fixture.post('/sync', { ...type, ...bearer(token) }, body)

  expect([response.status, response.body.error_description]).toEqual([status, sentence])
  expect(fixture.bodyBudgets.users.heldBytes()).toBe(0)
})
