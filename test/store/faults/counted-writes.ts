import assert from 'node:assert/strict'
import type { Json } from '../../../src/store/model.ts'
import type { Draft, Store } from '../../../src/store/store.ts'
import { createSettings, createThing, listIds, readTags } from '../fixtures.ts'

/** What an account of counted writes is at; its whole content follows from it. */
export interface CountedState {
  /** Number of writes that it holds. */
  readonly count: number
  readonly position: number
  /** The attempts that made the last three writes. */
  readonly attempts: readonly string[]
}

/** What a counted write resolves with. */
export interface CountedWrite {
  readonly count: number
  readonly position: number
}

const positionsOf = (count: number): number => count * 2 + Math.max(0, count - 3) + Math.floor(count / 5)

/** The record of the outbox entries that there must be, with their due times, and the record of what was delivered. */
const [outboxKind, deliveredKind] = ['outbox', 'delivered']

const noteEntries = async (draft: Draft): Promise<void> =>
  draft.putRecord(outboxKind, '', '', Object.fromEntries(await draft.listOutboxEntries()))

/**
 * Writes to an account once more: a new thing, one that changes every time, the deletion of the third-last new one, and
 * with every fifth write the settings of a tag. `attempt` marks what it leaves. One outbox entry waits from the first
 * change that was not delivered, one is moved each time, and one comes and goes.
 */
export const writeOnce = (store: Store, userId: string, attempt: string): Promise<CountedWrite> =>
  store.write(userId, 'phone', async (draft) => {
    const count = Number((await draft.findRecord('counter', '', '')) ?? 0) + 1
    await draft.putRecord('counter', '', '', count)
    await draft.putThing(createThing(`t${count}`, { title: attempt, tags: 'red', url: `u${count % 7}` }))
    await draft.putThing(createThing('often', { title: attempt, html: '<p>'.repeat(count % 50) }))
    await draft.deleteThing(`t${count - 3}`)
    if (!(await draft.listOutboxEntries()).has('hook')) await draft.putOutboxEntry('hook', count)
    await draft.putOutboxEntry('moved', -count)
    await (count % 3 === 0 ? draft.deleteOutboxEntry('turning') : draft.putOutboxEntry('turning', count))
    await noteEntries(draft)
    if (count % 5 === 0) await draft.putTag('red', { ...createSettings('strike'), color: `#${100 + (count % 900)}` })
    return { count, position: draft.position() }
  })

/** Takes an outbox entry, if there is one, and deletes it with a record of the delivery. @throws StoreError */
export const deliverOnce = async (store: Store): Promise<void> => {
  const taken = await store.takeOutboxEntry(Number.POSITIVE_INFINITY)
  if (taken === undefined) return
  try {
    await store.write(taken.userId, 'dispatcher', async (draft) => {
      // The account may have been removed, or the entry deleted.
      if (!(await draft.listOutboxEntries()).has(taken.key)) return
      if (taken.key === 'hook') await draft.putRecord(deliveredKind, '', '', draft.position())
      await draft.deleteOutboxEntry(taken.key)
      await noteEntries(draft)
    })
  } finally {
    await taken.release()
  }
}

/** Compares the outbox of an account with its records: what was not delivered still waits. @throws AssertionError */
const checkOutbox = async (store: Store, userId: string): Promise<void> => {
  const view = await store.read(userId)
  const noted: Json = (await view.listRecords(outboxKind, '')).get('') ?? {}
  const delivered = Number((await view.listRecords(deliveredKind, '')).get('') ?? 0)
  const entries = await view.listOutboxEntries()
  const listed = (await store.listOutboxEntries()).filter((entry) => entry.userId === userId)

  assert.deepEqual(Object.fromEntries(entries), noted, `outbox of ${userId}`)
  assert.deepEqual(new Map(listed.map(({ key, dueAt }) => [key, dueAt])), entries)
  if (Object.keys(noted).length > 0 || delivered > 0)
    assert.ok(delivered === view.position || entries.has('hook'), `${userId} has an undelivered change and no entry`)
}

const numberTo = (first: number, last: number): readonly string[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => `t${first + index}`)

/**
 * Reads an account of counted writes and compares all that the view returns with what as many whole writes leave. The
 * outbox entries that a damaged journal held may be unknown.
 * @throws AssertionError when it is anything else; what the store throws when it cannot be read
 */
export const readCounted = async (
  store: Store,
  userId: string,
  { isOutboxKnown = true } = {},
): Promise<CountedState> => {
  const view = await store.read(userId)
  if (isOutboxKnown) await checkOutbox(store, userId)
  const count = Number((await view.listRecords('counter', '')).get('') ?? 0)
  const living = numberTo(Math.max(1, count - 2), count)
  const ids = count > 0 ? [...living, 'often'] : []
  const things = await Promise.all(living.map(view.findThing))
  const tags = count < 5 ? [] : [['red', `#${100 + ((count - (count % 5)) % 900)}`]]

  assert.equal(view.position, positionsOf(count), `position of ${userId} after ${count} writes`)
  assert.deepEqual(new Set((await listIds(view, 0)).changed), new Set(ids))
  assert.equal(await view.countThings(), ids.length)
  // Positions 1, 3 and 5 created the first three things; later ones came after.
  assert.deepEqual((await listIds(view, 5)).deleted, numberTo(1, Math.min(3, count - 3)))
  for (const id of numberTo(Math.max(1, count - 30), count - 3)) assert.equal(await view.findThing(id), undefined)
  const settings = await readTags(view, 0)
  assert.deepEqual(
    Array.from(settings, ([name, { color }]) => [name, color]),
    tags,
  )
  const attempts = things.map((thing) => thing?.title ?? '')
  assert.equal((await view.findThing('often'))?.title, attempts.at(-1))
  return { count, position: view.position, attempts }
}

/** Puts one more user into the registry; gives their number. */
export const addUser = (store: Store): Promise<number> =>
  store.registry.change(async (draft) => {
    const number = (await draft.listUsers()).length + 1
    const name = `user ${number}`
    await draft.put('users', { id: name, name, passwordHash: `hash ${number}`, createdAt: number })
    return number
  })

/** The numbers of the users that `addUser` put; each must be whole. @throws AssertionError */
export const listUsers = async (store: Store): Promise<readonly number[]> => {
  const users = (await store.registry.listUsers()).toSorted((a, b) => a.createdAt - b.createdAt)
  for (const user of users) {
    const name = `user ${user.createdAt}`
    assert.deepEqual(user, { id: name, name, passwordHash: `hash ${user.createdAt}`, createdAt: user.createdAt })
  }
  return users.map(({ createdAt }) => createdAt)
}

/** How many users `addUser` put; none is missing. @throws AssertionError */
export const countUsers = async (store: Store): Promise<number> => {
  const numbers = await listUsers(store)
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => index + 1),
  )
  return numbers.length
}
