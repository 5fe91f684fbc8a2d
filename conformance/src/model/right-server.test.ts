import { afterEach, expect, test } from 'vitest'
import { type OpenServer, openRightServer } from './right-server.ts'

type ListingResponse = Record<string, unknown>

const opened: OpenServer[] = []
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close()
})

async function open(): Promise<OpenServer> {
  const server = await openRightServer()
  opened.push(server)
  return server
}

async function post(server: OpenServer, path: string, form: readonly (readonly string[])[]): Promise<ListingResponse> {
  const body = new URLSearchParams(form as [string, string][])
  return (await (await fetch(`${server.baseUrl}${path}`, { method: 'POST', body })).json()) as ListingResponse
}

async function login(server: OpenServer, index = 0): Promise<string> {
  const { username = '', password = '' } = server.users[index] ?? {}
  const client = [
    ['client_id', server.clientId],
    ['client_secret', server.clientSecret],
  ]
  const grant = [
    ['grant_type', 'password'],
    ['username', username],
    ['password', password],
  ]
  return String((await post(server, 'token', [...client, ...grant])).access_token)
}

function thing(localId: string | number, title: string, more: object = {}): string {
  return JSON.stringify({ local_id: localId, title, ...more })
}

test('creations, changes and deletions of one client reach the other', async () => {
  const server = await open()
  const [phone, laptop] = [await login(server), await login(server)]
  const created = await post(server, 'sync', [
    ['access_token', phone],
    ['new_thing[]', thing('a', 'Ä & b', { date: 5, url: 'http://x' })],
    ['new_thing[]', thing(7, 'two', { archived: true })],
  ])
  const { a, 7: seven } = (created.things as { new: Record<string, string> }).new
  const listed = await post(server, 'sync', [['access_token', laptop]])
  const deleted = await post(server, 'sync', [
    ['access_token', phone],
    ['from', '2'],
    ['changed_thing', JSON.stringify({ _id: a, title: 'new' })],
    ['deleted_thing', String(seven)],
    ['tag[x]', '{"favorite":true}'],
  ])
  const incremental = await post(server, 'sync', [
    ['access_token', laptop],
    ['from', '2'],
  ])

  expect(created).toEqual({ pos: 2, thingCount: 2, things: { new: { a, 7: seven } } })
  expect(listed).toEqual({
    pos: 2,
    thingCount: 2,
    things: {
      changed: [
        { _id: a, title: 'Ä & b', tags: '', date: 5, url: 'http://x' },
        { _id: seven, title: 'two', tags: '', date: expect.any(Number), archived: true },
      ],
    },
  })
  const tags = { x: { favorite: true, color: false, todo: false } }
  expect(deleted).toEqual({ pos: 5, tags })
  const changed = [{ _id: a, title: 'new', tags: '', date: 5, url: 'http://x' }]
  expect(incremental).toEqual({ pos: 5, thingCount: 2, tags, things: { changed, deleted: [seven] } })
})

test('a page belongs to the snapshot of its first page', async () => {
  const server = await open()
  const [phone, laptop] = [await login(server), await login(server)]
  const things = JSON.stringify([1, 2, 3].map((n) => ({ local_id: n, title: `t${n}` })))
  await post(server, 'sync', [
    ['access_token', phone],
    ['new_thing', things],
  ])
  const first = await post(server, 'sync', [
    ['access_token', laptop],
    ['limit', '2'],
  ])
  await post(server, 'sync', [
    ['access_token', phone],
    ['new_thing', thing('x', 'later')],
  ])
  const second = await post(server, 'sync', [
    ['access_token', laptop],
    ['limit', '2'],
    ['skip', '2'],
  ])

  const titles = ({ things }: ListingResponse): string[] =>
    (things as { changed: { title: string }[] }).changed.map((t) => t.title)
  expect([...titles(first), ...titles(second)]).toEqual(['t1', 't2', 't3'])
  expect([first.pos, second.pos]).toEqual([3, 3])
})

test('the server applies a retried upload once, and nothing of a wrong request', async () => {
  const server = await open()
  const token = await login(server)
  const upload = [
    ['access_token', token],
    ['from', '0'],
    ['new_thing', thing('a', 'once')],
  ]
  const first = await post(server, 'sync', upload)
  const again = await post(server, 'sync', upload)
  const wrong = await post(server, 'sync', [
    ['access_token', token],
    ['new_thing[]', thing('b', 'fine')],
    ['new_thing[]', '{"local_id":"c"}'],
  ])
  const full = await post(server, 'sync', [['access_token', token]])

  expect(again.things).toEqual(first.things)
  expect(wrong).toEqual({ error: 'parameter_invalid', error_description: 'new_thing[1].title is required' })
  expect(full.thingCount).toBe(1)
})

test('a wrong token gets the same response in every location', async () => {
  const server = await open()
  const invalid = { error: 'invalid_grant', error_description: 'The access token provided is invalid' }
  const header = await fetch(`${server.baseUrl}sync`, { headers: { authorization: 'access_token=no' } })
  const query = await fetch(`${server.baseUrl}sync?access_token=no`)

  expect(await header.json()).toEqual(invalid)
  expect(await query.json()).toEqual(invalid)
  expect(await post(server, 'sync', [['access_token', 'no']])).toEqual(invalid)
  expect([header.status, query.status]).toEqual([401, 401])
})

test('accounts are isolated', async () => {
  const server = await open()
  const [alice, bob] = [await login(server), await login(server, 1)]
  await post(server, 'sync', [
    ['access_token', alice],
    ['new_thing', thing('a', 'hers')],
  ])

  expect(await post(server, 'sync', [['access_token', bob]])).toEqual({ pos: 0 })
})
