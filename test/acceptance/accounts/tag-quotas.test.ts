import { expect, test } from 'vitest'
import { createMemoryLocalStore } from '../../../client/src/local-store.ts'
import { createReplica } from '../../../client/src/replica.ts'
import { changeQuota } from '../../../src/accounts/quotas.ts'
import { createTestClient } from '../../support/create-test-client.ts'
import { openFileServer } from '../../support/open-test-server.ts'
import { signInBrowser } from '../../support/test-browser.ts'

const server = await openFileServer({ settings: { quotaTags: 3 } })

const favorite = { favorite: true }
const cleared = { favorite: false, color: false, todo: false }
const plain = { favorite: true, color: false, todo: false }
const nameTags = (from: number, to: number, settings: object = favorite) =>
  Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`tag ${from + index}`, settings]))

const tooMany = {
  error: 'too_large',
  error_description:
    'This account may have at most 3 tags with settings (quota_tags); clear the settings of some, or ask the administrator',
}
const tooManyCleared = {
  error: 'too_large',
  error_description:
    'This account may have at most 3 tags with cleared settings (quota_tags); use one of these tags, or ask the administrator',
}

const openDevice = async (of = server, userName?: string) => {
  if (userName !== undefined) await of.addUser(userName)
  const device = await of.openDevice(userName)
  return { ...device, upload: (json: object) => device.post('/sync', { json }) }
}

test('an upload with one tag with settings too many is rejected whole, and the error names the limit', async () => {
  const { upload, sync } = await openDevice()
  await upload({ tag: nameTags(0, 2) })

  const rejected = await upload({ tag: nameTags(2, 4), new_thing: { local_id: 1, title: 'a' } })
  const third = await upload({ tag: nameTags(2, 3) })
  const exchanged = await upload({ tag: { ...nameTags(0, 1, cleared), ...nameTags(3, 4) } })
  const todo = await upload({ tag: { one: { todo: true }, two: { color: '#fff' } } })

  expect([rejected.status, rejected.body]).toEqual([413, tooMany])
  expect([third.status, exchanged.status]).toEqual([200, 200])
  expect([todo.status, todo.body]).toEqual([413, tooMany])
  expect(await sync({ from: 0 })).toEqual({ pos: 5, tags: { 'tag 1': plain, 'tag 2': plain, 'tag 3': plain } })
})

test('names whose settings were cleared are kept up to the same limit, and can always be changed', async () => {
  const { upload, sync } = await openDevice()
  await upload({ tag: nameTags(0, 3) })
  await upload({ tag: nameTags(0, 3, cleared) })

  const second = [await upload({ tag: nameTags(3, 6) }), await upload({ tag: nameTags(3, 6, cleared) })]
  const rejected = [await upload({ tag: nameTags(6, 7) }), await upload({ tag: { new: cleared } })]
  const known = [await upload({ tag: nameTags(0, 3) }), await upload({ tag: nameTags(3, 6, cleared) })]
  const over = await upload({ tag: nameTags(3, 4) })

  expect(second.map(({ status }) => status)).toEqual([200, 200])
  expect(rejected.map(({ status, body }) => [status, body])).toEqual([
    [413, tooManyCleared],
    [413, tooManyCleared],
  ])
  expect(known.map(({ status }) => status)).toEqual([200, 200])
  expect([over.status, over.body]).toEqual([413, tooMany])
  expect(await sync({ from: 6 })).toMatchObject({ tags: { ...nameTags(0, 3), ...nameTags(3, 6, cleared) } })
})

test('a user with more tags than a later limit can read, export and reduce them, and add none', async () => {
  const { upload, sync, get, userName } = await openDevice(server, 'over the limit')
  await changeQuota(server.store, userName, { tags: 'none' })
  await upload({ tag: nameTags(0, 200), new_thing: { local_id: 1, title: 'a', tags: 'carried other' } })
  await changeQuota(server.store, userName, { tags: 'default' })
  const browser = await signInBrowser(server, userName)

  const counts = await get('/tags/get')
  const listed = await sync({ from: 0 })
  const exported = JSON.parse((await browser.open('/account/export')).html)
  const added = await upload({ tag: { carried: favorite } })
  const changed = await upload({ tag: nameTags(0, 2, { color: '#fff' }) })
  const reduced = await upload({ tag: nameTags(0, 198, cleared) })
  const addedNow = await upload({ tag: { carried: favorite } })

  expect(Object.keys(counts.body.favorite ?? {})).toHaveLength(200)
  expect(counts.body.other).toEqual({ carried: 1, other: 1 })
  expect(Object.keys((listed as { tags: object }).tags)).toHaveLength(200)
  expect(Object.keys(exported.tags)).toHaveLength(200)
  expect([added.status, added.body]).toEqual([413, tooMany])
  expect([changed.status, reduced.status]).toEqual([200, 200])
  expect([addedNow.status, addedNow.body]).toEqual([413, tooManyCleared])
})

test('10,000 is the limit where no setting says another one', async () => {
  const usual = await openFileServer({ settings: {} })
  const { upload, sync } = await openDevice(usual)

  const first = await upload({ tag: nameTags(0, 6000) })
  const second = await upload({ tag: nameTags(6000, 12_000) })
  const rest = await upload({ tag: nameTags(6000, 10_000) })

  expect([first.status, second.status, rest.status]).toEqual([200, 413, 200])
  expect(second.body.error_description).toMatch(
    /^This account may have at most 10000 tags with settings \(quota_tags\);/,
  )
  expect(Object.keys(((await sync({ from: 0 })) as { tags: object }).tags)).toHaveLength(10_000)
})

test('a tag counts 64 bytes and its name in quota_bytes, also when its settings were cleared', async () => {
  const { upload, userName } = await openDevice()
  await changeQuota(server.store, userName, { bytes: 2 * 64 + 'ä😀'.length * 2 + 4, tags: 'none' })

  const taken = await upload({ tag: { 'ä😀': favorite, b: favorite } })
  const clearedTags = await upload({ tag: { 'ä😀': cleared, b: cleared } })
  const rejected = await upload({ tag: { c: favorite } })
  const again = await upload({ tag: { 'ä😀': favorite } })

  expect([taken.status, clearedTags.status, again.status]).toEqual([200, 200, 200])
  expect([rejected.status, rejected.body.error_description]).toEqual([413, expect.stringContaining('(quota_bytes)')])
})

test('a name of a tag may have 1,000 characters however it is sent, and the error does not repeat a longer one', async () => {
  const { upload, post, get, userName } = await openDevice()
  await changeQuota(server.store, userName, { tags: 'none' })
  const max = '😀'.repeat(1000)
  const more = '😀'.repeat(1001)
  const endless = 'x'.repeat(1_000_000)
  const inForms = (name: string) => [
    upload({ tag: { [name]: favorite } }),
    post('/sync', { form: { [`tag[${name}]`]: JSON.stringify(favorite) } }),
    post('/sync', { form: { [`tag[${name}][favorite]`]: 'true' } }),
    post('/sync', { form: { tag: JSON.stringify({ [name]: favorite }) } }),
    post('/sync', { form: { tag: JSON.stringify({ [name]: JSON.stringify(favorite) }) } }),
  ]

  const taken = await Promise.all(inForms(max))
  const rejected = await Promise.all([...inForms(more), ...inForms(endless)])

  expect(taken.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  for (const { status, body } of rejected) {
    expect([status, body.error]).toEqual([400, 'parameter_invalid'])
    expect(body.error_description).toMatch(/^The name tag\[.{1,200}\] .*1000/u)
    expect(body.error_description?.length).toBeLessThan(300)
  }
  expect((await get('/tags/get')).body.favorite).toEqual({ [max]: 0 })
})

test('tags and their limit are shown to their user and to an administrator, who can change it', async () => {
  const { upload, userName } = await openDevice(server, 'shown')
  await upload({ tag: nameTags(0, 2) })
  const user = await server.store.registry.findUserByName(userName)
  const path = `/admin/users/${user?.id}/change`
  const admin = await signInBrowser(server, 'anna')
  const browser = await signInBrowser(server, userName)

  const before = await browser.open('/account')
  const saved = await admin.send(await admin.open(path), path, {
    name: userName,
    tags: '5',
    things: '',
    bytes: '',
    hooks: '',
  })
  const after = await admin.open(saved.location)
  const fifth = await upload({ tag: nameTags(2, 5) })

  expect(before.html).toMatch(/Tags with settings<\/dt><dd>2<span class="soft"> of 3<\/span>/)
  expect(after.html).toMatch(/Tags with settings<\/dt><dd>2<span class="soft"> of 5<\/span>/)
  expect(fifth.status).toBe(200)
})

test('the client keeps the tag that a limit rejects, reports it, and sends the rest', async () => {
  const client = createTestClient(server)
  await server.addUser('tag client')
  await client.signIn('tag client', 'correct horse')
  const replica = await createReplica({ client, store: createMemoryLocalStore() })
  for (const name of ['a', 'b', 'c', 'd']) await replica.setTag(name, { favorite: true })
  await replica.create({ title: 'thing' })

  const { rejected } = await replica.sync()
  const again = await replica.sync()
  const view = await server.store.read(String((await server.store.registry.findUserByName('tag client'))?.id))

  expect(await view.countUsage()).toMatchObject({ things: 1, tags: 3 })
  for (const one of [rejected, again.rejected])
    expect(one.map(({ kind, error }) => [kind, error.status, error.message])).toEqual([
      ['tag', 413, expect.stringContaining('quota_tags')],
    ])
})
