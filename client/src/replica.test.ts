import { expect, test } from 'vitest'
import { openFileServer, openTestServer } from '../../test/support/open-test-server.ts'
import { openTestReplica, shownByServer } from '../../test/support/replica.ts'
import { createMemoryLocalStore } from './local-store.ts'
import { createReplica, type ReplicaOptions } from './replica.ts'
import { keys } from './replica-records.ts'

const server = await openFileServer()
const nothing = { rejected: [], lost: [], overwritten: [] }

test('edits are shown at once, survive the end of the program, and are sent by the next sync', async () => {
  const device = await server.openDevice()
  const fixture = await openTestReplica(server, device.userName, { now: () => 5_900 })

  const milk = await fixture.replica().create({ title: 'milk', tags: 'home' })
  const removed = await fixture.replica().create({ title: 'gone' })
  await fixture.replica().change(milk, { title: 'oat milk', url: 'https://a.example/', archived: true })
  await fixture.replica().remove(removed)
  await fixture.replica().setTag('home', { color: '#f00' })
  await fixture.restart()

  const shown = { title: 'oat milk', tags: 'home', date: 5, url: 'https://a.example/', archived: true }
  expect(await fixture.content()).toEqual({
    things: [{ id: milk, ...shown, isPending: true }],
    tags: new Map([['home', { favorite: false, color: '#f00', todo: false }]]),
  })
  expect(await fixture.replica().findThing(removed)).toBeUndefined()
  expect(fixture.replica().countPending()).toBe(2)

  expect(await fixture.replica().sync()).toEqual({ position: 2, sent: 2, listed: 0, ...nothing })
  expect(await fixture.content()).toEqual(await shownByServer(device))
  expect(fixture.replica().countPending()).toBe(0)
})

test('a replica without a client or a store says what it needs', async () => {
  const needs = new TypeError('createReplica needs an object with client and store')

  await expect(createReplica(undefined as unknown as ReplicaOptions)).rejects.toThrow(needs)
  await expect(createReplica({ client: {} } as ReplicaOptions)).rejects.toThrow(needs)
  await expect(createReplica({ store: createMemoryLocalStore() } as ReplicaOptions)).rejects.toThrow(needs)
})

test('a field of a wrong type is rejected by name, before it can break every read', async () => {
  const device = await server.openDevice()
  const fixture = await openTestReplica(server, device.userName, { now: () => 5_900 })
  const milk = await fixture.replica().create({ title: 'milk', url: null })
  const check = (work: (replica: ReturnType<typeof fixture.replica>) => Promise<unknown>) =>
    work(fixture.replica()).then(
      () => 'done',
      (problem: unknown) => String(problem),
    )

  // Values as a program in JavaScript may pass them.
  const wrong = [
    await check((replica) => replica.create({ title: 'a', tags: ['home'] as unknown as string })),
    await check((replica) => replica.create({ title: 'a', date: new Date(0) as unknown as number })),
    await check((replica) => replica.create({ title: 'a', date: Number.NaN })),
    await check((replica) => replica.create({} as { title: string })),
    await check((replica) => replica.change(milk, { title: null as unknown as string })),
    await check((replica) =>
      replica.editAll([
        { kind: 'create', fields: { title: 'b' } },
        { kind: 'change', id: milk, fields: { archived: 1 as unknown as boolean } },
      ]),
    ),
    await check((replica) => replica.setTag('at home', { favorite: true })),
    await check((replica) => replica.setTag('', { favorite: true })),
    await check((replica) => replica.setTag(undefined as unknown as string, { favorite: true })),
    await check((replica) => replica.setTag('home', { favorite: 'yes' as unknown as boolean })),
    await check((replica) => replica.setTag('home', { color: 5 as unknown as string })),
  ]
  await fixture.restart()

  expect(wrong).toEqual([
    'TypeError: tags must be text or null, not array',
    'TypeError: date must be number, not object',
    'TypeError: date must be number, not NaN',
    'TypeError: a new thing needs a title',
    'TypeError: title must be text, not null',
    'TypeError: archived must be boolean, not number',
    'TypeError: name must be one word, without spaces, not "at home"',
    'TypeError: name must be one word, without spaces, not ""',
    'TypeError: name must be text, not undefined',
    'TypeError: favorite must be boolean, not text',
    'TypeError: color must be text or boolean, not number',
  ])
  expect(await fixture.content()).toEqual({ things: [expect.objectContaining({ title: 'milk' })], tags: new Map() })
})

test('settings under a name that no thing can have, made by another program, can be cleared', async () => {
  const device = await server.openDevice()
  const fixture = await openTestReplica(server, device.userName)
  await device.sync({ tag: { 'at home': { favorite: true } } })
  await fixture.sync()

  await fixture.replica().setTag('at home', { favorite: false })
  await fixture.sync()

  expect(await fixture.content()).toEqual({ things: [], tags: new Map() })
  expect(await shownByServer(device)).toEqual({ things: [], tags: new Map() })
})

test('edits that are made together are written at once, all of them or none, one on top of the other', async () => {
  const device = await server.openDevice()
  const fixture = await openTestReplica(server, device.userName, { now: () => 5_900 })
  const kept = await fixture.replica().create({ title: 'kept' })
  const removed = await fixture.replica().create({ title: 'gone' })
  const notified: number[] = []
  fixture.replica().watch(({ ids }) => notified.push(ids.size))

  const [milk = ''] = await fixture.replica().editAll([
    { kind: 'create', fields: { title: 'milk', tags: 'home' } },
    { kind: 'change', id: kept, fields: { tags: 'home' } },
    { kind: 'change', id: kept, fields: { archived: true } },
    { kind: 'remove', id: removed },
    { kind: 'remove', id: removed },
    { kind: 'tag', name: 'home', change: { color: '#F00' } },
    { kind: 'tag', name: 'home', change: { favorite: true } },
  ])
  const tooLate = fixture.replica().editAll([
    { kind: 'change', id: milk, fields: { title: 'oat milk' } },
    { kind: 'remove', id: kept },
    { kind: 'change', id: kept, fields: { title: 'late' } },
  ])

  await expect(tooLate).rejects.toMatchObject({ code: 'unknown_thing' })
  await fixture.restart()
  expect(await fixture.content()).toEqual({
    things: [
      { id: kept, title: 'kept', tags: 'home', date: 5, archived: true, isPending: true },
      { id: milk, title: 'milk', tags: 'home', date: 5, archived: false, isPending: true },
    ].sort((one, other) => (one.id < other.id ? -1 : 1)),
    tags: new Map([['home', { favorite: true, color: '#f00', todo: false }]]),
  })
  expect(notified).toEqual([3])
  await fixture.replica().sync()
  expect(await fixture.content()).toEqual(await shownByServer(device))
})

test('a client-assigned ID always works, also for edits that were made while its response was lost', async () => {
  const device = await server.openDevice()
  const fixture = await openTestReplica(server, device.userName)
  const id = await fixture.replica().create({ title: 'first' })

  fixture.setFault('response lost')
  await expect(fixture.replica().sync()).rejects.toMatchObject({ code: 'network' })
  await fixture.replica().change(id, { title: 'second' })
  fixture.setFault('none')
  await fixture.replica().sync()
  await fixture.replica().change(id, { tags: 'home' })
  await fixture.replica().sync()

  const _id = await fixture.replica().resolveId(id)
  expect((await device.sync()).things?.changed).toMatchObject([{ _id, title: 'second', tags: 'home' }])
  expect(await fixture.replica().findThing(id)).toMatchObject({ id: _id, title: 'second', isPending: false })
})

test('changes of one thing by two devices are joined field by field, and the later one wins', async () => {
  const { userName } = await server.openDevice()
  const [phone, laptop] = [await openTestReplica(server, userName), await openTestReplica(server, userName)]
  const id = await phone.replica().create({ title: 'milk', tags: 'home', html: 'note' })
  await phone.sync()
  await laptop.sync()

  const _id = await phone.replica().resolveId(id)
  await phone.replica().change(id, { title: 'from the phone', tags: 'phone' })
  await laptop.replica().change(_id, { tags: 'laptop', html: null })
  await phone.sync()
  await laptop.sync()
  await phone.sync()

  expect(await phone.replica().findThing(_id)).toMatchObject({ title: 'from the phone', tags: 'laptop' })
  expect(await phone.replica().findThing(_id)).not.toHaveProperty('html')
  expect(await laptop.content()).toEqual(await phone.content())
})

test('a deletion elsewhere wins over a waiting change, which is reported until it is forgotten', async () => {
  const { userName } = await server.openDevice()
  const [phone, laptop] = [await openTestReplica(server, userName), await openTestReplica(server, userName)]
  const id = await phone.replica().create({ title: 'milk', tags: 'home', url: 'https://a.example/', date: 5 })
  await phone.sync()
  await laptop.sync()

  const _id = await phone.replica().resolveId(id)
  await laptop.replica().remove(_id)
  await phone.replica().change(id, { html: 'a long note', url: null })
  await laptop.sync()
  const content = { title: 'milk', tags: 'home', date: 5, html: 'a long note', archived: false }
  const lost = [{ id: _id, content, edited: ['url', 'html'] }]
  expect(await phone.replica().sync()).toEqual({ position: 2, sent: 0, listed: 1, ...nothing, lost })

  expect(await phone.content()).toEqual({ things: [], tags: new Map() })
  await expect(phone.replica().change(_id, { title: '' })).rejects.toMatchObject({ code: 'unknown_thing' })

  await phone.restart()
  expect(await phone.replica().listLostEdits()).toEqual(lost)
  await phone.replica().create(content)
  await phone.replica().forgetLostEdit(_id)
  expect(await phone.replica().sync()).toEqual({ position: 3, sent: 1, listed: 0, ...nothing })
  await laptop.sync()
  expect(await laptop.content()).toMatchObject({ things: [{ ...content, isPending: false }] })
})

test('a sent change of a deleted thing is reported with later edits, and not counted as sent', async () => {
  const { userName } = await server.openDevice()
  const [phone, laptop] = [await openTestReplica(server, userName), await openTestReplica(server, userName)]
  const id = await phone.replica().create({ title: 'milk', date: 5 })
  await phone.sync()
  await laptop.sync()
  const _id = await phone.replica().resolveId(id)

  await phone.replica().change(id, { title: 'sent' })
  phone.setFault('request lost')
  await phone.sync()
  phone.setFault('none')
  await laptop.replica().remove(_id)
  await laptop.sync()
  await phone.replica().change(id, { tags: 'later' })
  const result = await phone.replica().sync()

  const content = { title: 'sent', tags: 'later', date: 5, archived: false }
  expect(result).toMatchObject({ sent: 0, lost: [{ id: _id, content, edited: ['title', 'tags'] }] })
  expect(phone.replica().countPending()).toBe(0)
})

test('an edit of a new thing whose response was lost, and which others deleted, is reported', async () => {
  const { userName } = await server.openDevice()
  const [phone, laptop] = [await openTestReplica(server, userName), await openTestReplica(server, userName)]
  await phone.sync()
  const id = await phone.replica().create({ title: 'milk', date: 5 })
  phone.setFault('response lost')
  await phone.sync()
  phone.setFault('none')
  await laptop.sync()
  for await (const thing of laptop.replica().listThings()) await laptop.replica().remove(thing.id)
  await laptop.sync()

  await phone.replica().change(id, { title: 'oat milk' })
  const { lost } = await phone.replica().sync()

  const content = { title: 'oat milk', tags: '', date: 5, archived: false }
  expect(lost).toEqual([{ id: await phone.replica().resolveId(id), content, edited: ['title'] }])
})

test('a change of a thing that the application deleted itself, or that changed nothing, is no loss', async () => {
  const { userName } = await server.openDevice()
  const [phone, laptop] = [await openTestReplica(server, userName), await openTestReplica(server, userName)]
  const ids = [await phone.replica().create({ title: 'a' }), await phone.replica().create({ title: 'b' })]
  await phone.sync()
  await laptop.sync()
  for await (const thing of laptop.replica().listThings()) await laptop.replica().remove(thing.id)
  await laptop.sync()

  await phone.replica().change(String(ids[0]), { title: 'changed' })
  await phone.replica().remove(String(ids[0]))
  await phone.replica().change(String(ids[1]), { title: 'b' })

  expect(await phone.replica().sync()).toMatchObject({ lost: [] })
})

test('an edit that the server rejects blocks no other edit, and is sent after it is fixed', async () => {
  const device = await server.openDevice()
  const fixture = await openTestReplica(server, device.userName)
  const titles = Array.from({ length: 10 }, (_, index) => (index === 6 ? 'nul \0' : `thing ${index}`))
  const ids = []
  for (const title of titles) ids.push(await fixture.replica().create({ title }))

  const name = String(ids[6])
  const result = await fixture.replica().sync()
  expect(result).toMatchObject({
    sent: 9,
    rejected: [{ kind: 'thing', name, error: { code: 'rejected', status: 400 } }],
  })
  expect(fixture.replica().countPending()).toBe(1)
  expect(await fixture.replica().findThing(name)).toMatchObject({ title: 'nul \0', isPending: true })

  await fixture.replica().change(name, { title: 'fixed' })
  expect(await fixture.replica().sync()).toMatchObject({ sent: 1, rejected: [] })
  expect(await fixture.content()).toEqual(await shownByServer(device))
})

test('for a server that clears what a change leaves out, a change sends all fields of its thing', async () => {
  const device = await server.openDevice()
  const sent: unknown[] = []
  const fixture = await openTestReplica(server, device.userName, { keepsLeftOutFields: false }, async (request) => {
    const form = new URLSearchParams(await request.clone().text())
    sent.push(...JSON.parse(form.get('changed_thing') ?? '[]'))
    return fetch(request)
  })
  const fields = { title: 'milk', tags: 'home', date: 5, url: 'https://a.example/', html: '<p>x</p>', archived: true }
  const milk = await fixture.replica().create(fields)
  await fixture.replica().sync()

  await fixture.replica().change(milk, { title: 'oat milk', html: '' })
  await fixture.replica().sync()

  const _id = await fixture.replica().resolveId(milk)
  expect(sent).toEqual([{ ...fields, _id, title: 'oat milk', html: '' }])
  expect(await fixture.content()).toEqual(await shownByServer(device))
})

test('an edit that the server rejects with the status 200 blocks no other edit', async () => {
  const device = await server.openDevice()
  const fixture = await openTestReplica(server, device.userName, {}, async (request) => {
    const isRejected = (await request.clone().text()).includes('rejected')
    return isRejected ? Response.json({ error: 'text_invalid', error_description: 'no' }) : fetch(request)
  })
  const replica = fixture.replica()
  const [one, wrong, two] = [
    await replica.create({ title: 'one' }),
    await replica.create({ title: 'rejected' }),
    await replica.create({ title: 'two' }),
  ]

  const { rejected, sent } = await replica.sync()

  expect(rejected.map(({ name }) => name)).toEqual([wrong])
  expect(sent).toBe(2)
  expect(await replica.resolveId(one)).not.toBe(one)
  expect(await replica.resolveId(two)).not.toBe(two)
})

test('a deletion is done when the server rejects its repetition, because it does not know the thing any more', async () => {
  const device = await server.openDevice()
  let isRejecting = false
  const fixture = await openTestReplica(server, device.userName, {}, async (request) => {
    const isDeletion = new URLSearchParams(await request.clone().text()).has('deleted_thing')
    if (isDeletion && isRejecting) return Response.json({ error: 'not_found', error_description: '' }, { status: 404 })
    return fetch(request)
  })
  const replica = fixture.replica()
  const [gone, kept] = [await replica.create({ title: 'gone' }), await replica.create({ title: 'kept' })]
  await replica.sync()
  await replica.remove(gone)
  fixture.setFault('response lost')
  await fixture.sync()
  fixture.setFault('none')
  isRejecting = true

  const { rejected } = await replica.sync()

  expect(rejected).toEqual([])
  expect(replica.countPending()).toBe(0)
  expect(await fixture.content()).toEqual(await shownByServer(device))
  await replica.remove(kept)
  expect((await replica.sync()).rejected).toMatchObject([{ kind: 'thing' }])
  expect(replica.countPending()).toBe(1)
})

test('a to-do tag is sent as a boolean, which every server takes', async () => {
  const device = await server.openDevice()
  const sent: unknown[] = []
  const fixture = await openTestReplica(server, device.userName, {}, async (request) => {
    const form = new URLSearchParams(await request.clone().text())
    for (const [name, value] of form) if (name.startsWith('tag[')) sent.push([name, JSON.parse(value)])
    return fetch(request)
  })

  await fixture.replica().setTag('shop', { todo: 'strike', favorite: true })
  await fixture.replica().setTag('read', { todo: 'dont-strike' })
  await fixture.replica().sync()

  expect(sent).toEqual([
    ['tag[shop]', { todo: true, favorite: true }],
    ['tag[read]', { todo: 'dont-strike' }],
  ])
  expect(await fixture.content()).toEqual(await shownByServer(device))
})

test('an outbox that is too large for one request is sent in several', async () => {
  const small = await openTestServer({ settings: { maxBodyBytes: 20_000 } })
  const device = await small.openDevice()
  const fixture = await openTestReplica(small, device.userName)
  for (let index = 0; index < 100; index++) {
    await fixture.replica().create({ title: `ключ ${index}`, html: 'x'.repeat(1000) })
  }

  expect(await fixture.replica().sync()).toMatchObject({ sent: 100, rejected: [] })

  expect(await device.sync()).toMatchObject({ thingCount: 100 })
  expect(await fixture.content()).toEqual(await shownByServer(device))
})

test('a thing that another session has sent is found by its content, and not created again', async () => {
  const device = await server.openDevice()
  const fixture = await openTestReplica(server, device.userName)
  for (const title of ['twin', 'twin', 'single']) await fixture.replica().create({ title, tags: 'x', url: '', date: 7 })

  fixture.setFault('response lost')
  await fixture.sync()
  fixture.setFault('none')
  await fixture.signInAgain()
  await fixture.replica().create({ title: 'twin', tags: 'x', date: 7 })
  await fixture.sync()

  expect(await device.sync()).toMatchObject({ thingCount: 4 })
  expect(await fixture.content()).toEqual(await shownByServer(device))
})

test('after a restore of the server a full sync drops the things that the server lost', async () => {
  const device = await server.openDevice()
  const fixture = await openTestReplica(server, device.userName)
  await device.sync({ new_thing: [{ local_id: 1, title: 'kept' }] })
  await fixture.sync()
  const lost = { title: 'lost', tags: '', date: 1, archived: false, todoStatus: false, seenIn: '', knownAfter: 1 }
  await fixture.store.write(
    new Map<string, unknown>([
      [keys.thing('lost'), lost],
      [keys.state, { version: 1, position: 1000, mustListAll: false }],
    ]),
  )
  await fixture.replica().create({ title: 'new' })

  await fixture.sync()

  expect(await fixture.content()).toEqual(await shownByServer(device))
})

test('a status that was set while nothing showed it is shown when a tag becomes a todo', async () => {
  const device = await server.openDevice()
  const fixture = await openTestReplica(server, device.userName)
  await device.sync({ new_thing: [{ local_id: 1, title: 'hidden', tags: 'home', todoStatus: true }] })
  await fixture.sync()

  await fixture.replica().setTag('home', { todo: true })
  await fixture.sync()

  expect(await fixture.content()).toEqual(await shownByServer(device))
  expect(await fixture.content()).toMatchObject({ things: [{ title: 'hidden', todoStatus: true }] })
})

test('a first sync reports its progress and can be aborted; concurrent syncs run one after the other', async () => {
  const device = await server.openDevice()
  const things = Array.from({ length: 1500 }, (_, index) => ({ local_id: index, title: `thing ${index}` }))
  await device.sync({ new_thing: things })
  const fixture = await openTestReplica(server, device.userName, { entriesPerWrite: 100 })

  await expect(fixture.replica().sync({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  const listed: number[] = []
  const first = fixture.replica().sync({ onProgress: (progress) => listed.push(progress.listed) })
  await fixture.replica().create({ title: 'meanwhile' })
  const results = await Promise.all([first, fixture.replica().sync()])

  const full = listed.slice(0, listed.indexOf(1500) + 1)
  expect(full.length).toBeGreaterThan(1)
  expect(full).toEqual(full.toSorted((a, b) => a - b))
  expect(results.map(({ sent }) => sent).sort()).toEqual([0, 1])
  expect(await fixture.content()).toEqual(await shownByServer(device))
})
