import { expect, test } from 'vitest'
import { createThing, openDeliveryFixture } from '../../test/support/delivery.ts'
import type { ChangeKind } from '../store/store.ts'
import { thingForm } from '../things/thing.ts'
import { buildMessage, hasUndeliveredChanges, matchesEvent, maxMessageBytes } from './webhook-message.ts'
import type { WebhookEvent } from './webhooks.ts'

const events: readonly WebhookEvent[] = ['new_thing', 'changed_thing', 'deleted_thing', 'tag', 'any']

/** Builds the message of each kind of webhook from a position on. */
const openFixture = async () => {
  const fixture = await openDeliveryFixture()
  const build = async (event: WebhookEvent, told = 0) => {
    const view = await fixture.store.read('anna')
    const message = await buildMessage(view, { event, told }, 0, thingForm.showThing)
    expect(await hasUndeliveredChanges(view, { event, told })).toBe(message !== undefined)
    return message === undefined ? undefined : { ...message, data: JSON.parse(message.body).data }
  }
  const idsOf = async (told: number) =>
    Object.fromEntries(
      await Promise.all(events.map(async (event) => [event, (await build(event, told))?.data.ids] as const)),
    )
  return { ...fixture, build, idsOf }
}

test.each<[WebhookEvent, ChangeKind, boolean]>([
  ['any', 'tag', true],
  ['any', 'deleted_thing', true],
  ['new_thing', 'new_thing', true],
  ['new_thing', 'changed_thing', false],
  ['tag', 'new_thing', false],
])('a webhook for %s is notified of %s: %s', (event, kind, isNotified) => {
  expect(matchesEvent(event, new Set([kind]))).toBe(isNotified)
  expect(matchesEvent(event, new Set())).toBe(false)
})

test('each webhook gets its event only: new, changed or deleted things, tags', async () => {
  const { write, put, build, idsOf } = await openFixture()
  await put('old')
  await put('gone')
  await put('new')
  await put('new')
  await put('old')
  await write((draft) => draft.deleteThing('gone'))
  await write((draft) => draft.putTag('x', { favorite: false, color: false, todo: 'strike' }))

  const some = { new_thing: ['new'], changed_thing: ['new', 'old'], deleted_thing: ['gone'], tag: [] }
  expect(await idsOf(2)).toEqual({ ...some, any: ['new', 'old', 'gone'] })
  expect(await idsOf(6)).toEqual({ tag: [], any: [] })
  expect(await idsOf(7)).toEqual({})
  const tags = { x: { favorite: false, color: false, todo: 'strike' } }
  expect((await build('tag', 6))?.data).toEqual({ pos: 7, ids: [], tags })
  expect((await build('any', 6))?.data).toEqual({ pos: 7, ids: [], tags })
})

test('a message has things in their returned form, but none if a thing is deleted', async () => {
  const { write, put, build } = await openFixture()
  await write((draft) => draft.putTag('todo', { favorite: false, color: false, todo: 'strike' }))
  await put('a', { tags: 'todo', url: 'https://example.com/', archived: true })
  await put('b')
  const shown = { _id: 'a', title: 'thing a', tags: 'todo', date: 1, url: 'https://example.com/' }

  expect((await build('any', 2))?.data.things).toEqual([{ _id: 'b', title: 'thing b', tags: '', date: 1 }])
  expect((await build('any', 1))?.data.things[0]).toEqual({ ...shown, archived: true, todoStatus: false })
  await write((draft) => draft.deleteThing('b'))

  expect((await build('any', 1))?.data).toEqual({ pos: 4, ids: ['a', 'b'] })
})

test('a message has the current form of things, whether it has all changes or some', async () => {
  const { write, put, build } = await openFixture()
  await put('old', { tags: 'later' })
  await put('new', { tags: 'later', title: 'Grüße, „new“' })
  await put('old', { tags: 'later' })
  await write((draft) => draft.putTag('later', { favorite: false, color: false, todo: 'strike' }))
  const shown = { tags: 'later', date: 1, todoStatus: false }
  const [old, newest] = [
    { _id: 'old', title: 'thing old', ...shown },
    { _id: 'new', title: 'Grüße, „new“', ...shown },
  ]

  expect((await build('any', 1))?.data.things).toEqual([newest, old])
  expect((await build('new_thing', 1))?.data.things).toEqual([newest])
  expect((await build('changed_thing', 1))?.data.things).toEqual([old])
})

test('a body stays under 16 KiB: all things are left out if they would make it longer', async () => {
  const { put, build } = await openFixture()
  const lengths: number[] = []
  for (let length = maxMessageBytes - 260; length < maxMessageBytes; length += 1) {
    await put('a', { html: 'x'.repeat(length) })
    const message = await build('any', 0)
    expect(message?.data.ids).toEqual(['a'])
    if (message?.data.things !== undefined) lengths.push(Buffer.byteLength(message.body))
  }

  expect(Math.max(...lengths)).toBeLessThan(maxMessageBytes)
  expect(Math.max(...lengths)).toBeGreaterThan(maxMessageBytes - 20)
  expect((await build('any'))?.data).toEqual({ pos: 260, ids: ['a'] })
})

test('a message has at most 500 IDs, and says if there are more', async () => {
  const { write, build } = await openFixture()
  const fill = (from: number, to: number) =>
    write(async (draft) => {
      for (let index = from; index < to; index++) await draft.putThing(createThing(`t${index}`))
    })
  await fill(0, 500)
  expect((await build('any'))?.data).toEqual({ pos: 500, ids: expect.objectContaining({ length: 500 }) })
  await fill(500, 502)

  const message = await build('any')

  expect(message?.data).toMatchObject({ pos: 502, truncated: true })
  expect(message?.data.ids).toHaveLength(500)
  expect(message?.data).not.toHaveProperty('things')
  expect(message?.to).toBe(502)
})

test('tags that would make a body too long are left out, and the message says so', async () => {
  const { write, build } = await openFixture()
  const settings = { favorite: true, color: false, todo: false } as const
  await write((draft) => draft.putTag('__proto__', settings))
  expect((await build('tag'))?.body).toContain('"__proto__":{"favorite":true')
  await write((draft) => draft.putTag('x'.repeat(maxMessageBytes), settings))

  expect((await build('tag'))?.data).toEqual({ pos: 2, ids: [], truncated: true })
})
