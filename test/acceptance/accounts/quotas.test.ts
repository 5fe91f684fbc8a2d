import { expect, test } from 'vitest'
import { createMemoryLocalStore } from '../../../client/src/local-store.ts'
import { createReplica } from '../../../client/src/replica.ts'
import { changeQuota } from '../../../src/accounts/quotas.ts'
import { createTestClient } from '../../support/create-test-client.ts'
import { openFileServer } from '../../support/open-test-server.ts'
import { signInBrowser } from '../../support/test-browser.ts'

const server = await openFileServer({ settings: { quotaThings: 3, quotaBytes: 400, quotaHooks: 1 } })

const thing = (localId: number, title = 'a') => ({ local_id: localId, title, tags: '', date: 1 })
const things = (count: number, title?: string) => Array.from({ length: count }, (_, index) => thing(index, title))
const idsOf = (body: object): string[] =>
  Object.values((body as { things: { new: Record<string, string> } }).things.new)
const tooMany = {
  error: 'too_large',
  error_description: 'This account may have at most 3 things (quota_things); delete some, or ask the administrator',
}

test('an upload of more things than the quota is rejected whole, and the error names the limit', async () => {
  const device = await server.openDevice()
  await device.sync({ new_thing: things(2) })
  const before = await device.sync({ from: 0 })

  const rejected = await device.post('/sync', { json: { new_thing: things(2, 'b'), tag: { red: { favorite: true } } } })
  const alone = await device.post('/thing/add', { json: { title: 'third' } })
  const fourth = await device.post('/thing/add', { json: { title: 'fourth' } })

  expect([rejected.status, rejected.body]).toEqual([413, tooMany])
  expect(before).not.toHaveProperty('tags')
  expect(alone.status).toBe(200)
  expect([fourth.status, fourth.body]).toEqual([413, tooMany])
  expect(await device.sync({ from: 0 })).toMatchObject({ pos: 3, thingCount: 3 })
})

test('the bytes of things have a quota of their own, of which a change may take no more either', async () => {
  const device = await server.openDevice()
  const [id] = idsOf(await device.sync({ new_thing: things(1, 'x'.repeat(100)) }))
  const change = (title: string) => device.post('/thing/change', { json: { _id: id, title } })

  const tooLong = await change('x'.repeat(400))
  const shorter = await change('x'.repeat(200))

  expect([tooLong.status, tooLong.body]).toEqual([
    413,
    {
      error: 'too_large',
      error_description:
        'This account may have at most 400 bytes of things and tags (quota_bytes); delete or shorten some, or ask the administrator',
    },
  ])
  expect([shorter.status, shorter.body.title]).toEqual([200, 'x'.repeat(200)])
})

test('a user with more than a later quota can delete, shorten, archive and exchange, and add nothing', async () => {
  const device = await server.openDevice()
  const { store } = server
  await changeQuota(store, device.userName, { things: 'none', bytes: 'none' })
  const [first, second, third, fourth] = idsOf(await device.sync({ new_thing: things(6) }))
  await changeQuota(store, device.userName, { things: 2 })
  const upload = (json: object) => device.post('/sync', { json })

  const changed = await upload({ changed_thing: { _id: first, title: 'longer than before', archived: true } })
  const deleted = await upload({ deleted_thing: [second, third] })
  const exchanged = await upload({ new_thing: thing(9), deleted_thing: [fourth] })
  const added = await upload({ new_thing: thing(10) })
  const tagged = await upload({ tag: { red: { color: '#fff' } } })

  expect([changed, deleted, exchanged, added, tagged].map(({ status }) => status)).toEqual([200, 200, 200, 413, 200])
  expect(await device.sync({ from: 0 })).toMatchObject({ thingCount: 4 })
})

test('uploads at once do not get past a quota together', async () => {
  const device = await server.openDevice()

  const responses = await Promise.all(things(8).map((one) => device.post('/sync', { json: { new_thing: one } })))

  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 413, 413, 413, 413, 413])
  expect(await device.sync({ from: 0 })).toMatchObject({ thingCount: 3 })
})

test('webhooks have a quota, and one more than it gets an error that names the quota', async () => {
  const device = await server.openDevice()
  const register = (event: string) =>
    device.post('/webhook/register', { json: { target_url: 'https://93.184.215.14/x', event } })

  const [first, again, second] = [await register('any'), await register('any'), await register('tag')]

  expect([first.status, again.status]).toEqual([200, 200])
  expect([second.status, second.body]).toEqual([
    400,
    {
      error: 'parameter_invalid',
      error_description:
        'target_url is one more than the 1 webhooks that this user may have (quota_hooks); unregister another',
    },
  ])
})

test('the client keeps what a quota rejects, reports it, and sends the rest with the deletions', async () => {
  const client = createTestClient(server)
  await server.addUser('quota client')
  await changeQuota(server.store, 'quota client', { things: 2 })
  await client.signIn('quota client', 'correct horse')
  const replica = await createReplica({ client, store: createMemoryLocalStore() })
  const first = await replica.create({ title: 'first' })
  await replica.create({ title: 'second' })
  await replica.sync()
  const [known] = await replica.listNewest(2)

  await replica.remove(known?.id ?? first)
  await replica.create({ title: 'third' })
  await replica.create({ title: 'fourth' })
  const { rejected } = await replica.sync()
  const view = await server.store.read(String((await server.store.registry.findUserByName('quota client'))?.id))

  expect(await view.countThings()).toBe(2)
  expect(rejected.map(({ error }) => [error.status, error.message])).toEqual([
    [413, expect.stringContaining('quota_things')],
  ])
})

test('the account page shows what there is and what there may be', async () => {
  await server.addUser('quota reader')
  await changeQuota(server.store, 'quota reader', { bytes: 12_345, hooks: 'none' })
  const browser = await signInBrowser(server, 'quota reader')

  const { html } = await browser.open('/account')

  expect(html).toMatch(/Items<\/dt><dd>0<span class="soft"> of 3<\/span>/)
  expect(html).toMatch(/Size of items and tags<\/dt><dd>0 bytes<span class="soft"> of 12 KB<\/span>/)
  expect(html).toMatch(/Webhooks<\/dt><dd>0<span class="soft"> of 20<\/span>/)
})

test('an admin renames a user and sets limits on a page, and both hold at once', async () => {
  await server.addUser('before')
  const token = await server.signIn('before')
  const user = await server.store.registry.findUserByName('before')
  const path = `/admin/users/${user?.id}/change`
  const admin = await signInBrowser(server, 'anna')
  const send = async (fields: Record<string, string>) => admin.send(await admin.open(path), path, fields)

  const bad = await send({ name: 'after', things: 'many', bytes: '', hooks: '' })
  const overMost = await send({ name: 'after', things: '', bytes: '', hooks: '21' })
  const taken = await send({ name: 'ANNA', things: '', bytes: '', hooks: '' })
  const done = await send({ name: 'after', things: '1', bytes: 'none', hooks: '' })

  expect([bad.status, bad.html]).toEqual([422, expect.stringContaining('Enter a whole number, or “none”.')])
  expect([overMost.status, overMost.html]).toEqual([
    422,
    expect.stringContaining('Enter a whole number from 0 to 20, or “none”.'),
  ])
  expect(overMost.html).toContain('A number up to 20, or “none” for these 20. Empty: the default (1).')
  expect([taken.status, taken.html]).toEqual([422, expect.stringContaining('User &quot;anna&quot; exists already')])
  expect([done.status, done.location]).toEqual([303, `/admin/users/${user?.id}?done=changed`])
  expect((await admin.open(done.location)).html).toMatch(/Items<\/dt><dd>0<span class="soft"> of 1<\/span>/)
  expect((await server.get('/user/get', { token })).body).toMatchObject({ username: 'after' })
  const two = await server.post('/sync', { token, json: { new_thing: things(2) } })
  expect([two.status, two.body.error]).toEqual([413, 'too_large'])
})
