import assert from 'node:assert/strict'
import { QueryError } from '../../src/store/postgres/database.ts'
import { type Draft, type Store, StoreError } from '../../src/store/store.ts'
import type { Random } from '../store/faults/random.ts'
import { createThing, listIds } from '../store/fixtures.ts'

/** The writes of all clients that resolved, and what each client knows. */
export interface History {
  /** A client that writes to, and follows, one account through any of the stores until `isDone`. */
  readonly runClient: (name: string, stores: readonly Store[], random: Random, isDone: () => boolean) => Promise<void>
  /** How many writes resolved so far. */
  readonly countWrites: () => number
  /** Checks everything when all clients have ended, and returns how many writes were acknowledged and failed. */
  readonly check: (stores: readonly Store[]) => Promise<HistoryOutcome>
}

/** Numbers of writes. Of `unknown` failed ones the outcome is unknown: the database was away when the store looked. */
export interface HistoryOutcome {
  readonly acknowledged: number
  readonly failed: number
  readonly unknown: number
}

/** What a write that resolved did to one thing. */
interface Change {
  readonly id: string
  readonly isDeleted: boolean
}

interface Replica {
  readonly known: Set<unknown>
  position: number
}

const userId = 'ann'
/** The position jumps by at least this when the database has become another one. */
const minRaise = 1_000_000
const sharedIds = ['s0', 's1', 's2', 's3', 's4', 's5']

const countUp = async (draft: Draft): Promise<number> => {
  const count = Number((await draft.findRecord('count', '', '')) ?? 0) + 1
  await draft.putRecord('count', '', '', count)
  return count
}

const catchUp = async (store: Store, replica: Replica): Promise<void> => {
  const view = await store.read(userId)
  assert.ok(view.position >= replica.position, `position ${view.position} was given after ${replica.position}`)
  const { changed, deleted } = await listIds(view, replica.position)
  assert.equal(new Set(changed).size, changed.length, 'a thing is listed twice')
  for (const id of changed) replica.known.add(id)
  for (const id of deleted) replica.known.delete(id)
  replica.position = view.position
}

/** Creates an empty history. */
export const createHistory = (): History => {
  const changes = new Map<number, Change>()
  const replicas: Replica[] = []
  const failedIds = new Set<string>()
  let acknowledged = 0
  let failed = 0
  let unknown = 0

  const note = (position: number, change: Change): void => {
    assert.equal(changes.get(position), undefined, `position ${position} was given twice`)
    changes.set(position, change)
  }

  const runClient: History['runClient'] = async (name, stores, random, isDone) => {
    const replica: Replica = { known: new Set(), position: 0 }
    replicas.push(replica)
    for (let turn = 0; !isDone(); turn += 1) {
      const own = `${name}-${turn}`
      try {
        if (random.below(3) === 0) await catchUp(random.pick(stores), replica)
        const shared = random.pick(sharedIds)
        const isDeletion = random.below(4) === 0
        const noted = await random.pick(stores).write(userId, name, async (draft) => {
          await countUp(draft)
          const done: (readonly [number, Change])[] = []
          await draft.putThing(createThing(own))
          done.push([draft.position(), { id: own, isDeleted: false }])
          if (!isDeletion) {
            await draft.putThing(createThing(shared, { title: own }))
            done.push([draft.position(), { id: shared, isDeleted: false }])
          } else if (await draft.deleteThing(shared)) {
            done.push([draft.position(), { id: shared, isDeleted: true }])
          }
          return done
        })
        acknowledged += 1
        for (const [position, change] of noted) note(position, change)
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
        if (error instanceof QueryError && error.message.startsWith('nobody knows')) unknown += 1
        else failedIds.add(own)
        failed += 1
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }

  const isPassedOver = (position: number): boolean => {
    const given = [...changes.keys(), position].sort((a, b) => a - b)
    return given.some((at, index) => {
      const step = at - (given[index - 1] ?? 0)
      return step > 1 && step < minRaise
    })
  }

  const check: History['check'] = async (stores) => {
    const last = new Map<string, boolean>()
    for (const [, { id, isDeleted }] of [...changes].sort(([a], [b]) => a - b)) last.set(id, !isDeleted)
    const living = new Set([...last].filter(([, isLiving]) => isLiving).map(([id]) => id))
    for (const store of stores) {
      const view = await store.read(userId)
      const { changed } = await listIds(view, 0)
      assert.equal(new Set(changed).size, changed.length, 'a thing is listed twice')
      if (unknown === 0) assert.deepEqual(new Set(changed), living)
      else for (const id of living) assert.ok(sharedIds.includes(id) || changed.includes(id), `${id} was acknowledged`)
      for (const id of failedIds) assert.equal(changed.includes(id), false, `${id} failed, and is there`)
      const count = Number((await view.listRecords('count', '')).get(''))
      assert.ok(count >= acknowledged && count <= acknowledged + unknown, 'a write was built on what was not there')
      assert.ok(view.position >= Math.max(...changes.keys()))
      assert.ok(unknown > 0 || !isPassedOver(view.position), 'a position was passed over')
    }
    const [store] = stores as [Store]
    const listed = new Set((await listIds(await store.read(userId), 0)).changed)
    for (const replica of replicas) {
      await catchUp(store, replica)
      assert.deepEqual(replica.known, listed)
    }
    return { acknowledged, failed, unknown }
  }

  return { runClient, countWrites: () => acknowledged, check }
}
