import assert from 'node:assert/strict'
import { QueryError } from '../../src/store/postgres/database.ts'
import { type Draft, type Store, StoreError } from '../../src/store/store.ts'
import type { Random } from '../store/faults/random.ts'
import { listIds, makeThing } from '../store/fixtures.ts'

/** What was answered, by all clients, and what every client made of it. */
export interface History {
  /** A client that writes to, and follows, one account through any of the stores until `isDone`. */
  readonly runClient: (name: string, stores: readonly Store[], random: Random, isDone: () => boolean) => Promise<void>
  /** How many writes were answered so far. */
  readonly countResponses: () => number
  /** Judges everything, now that nobody writes any more. Gives how many writes were answered, and refused. */
  readonly judge: (stores: readonly Store[]) => Promise<Judged>
}

/** What came of the writes; of `unknown` ones, which were refused, the database was away when that was looked for. */
export interface Judged {
  readonly answered: number
  readonly refused: number
  readonly unknown: number
}

/** What a write has answered of one thing. */
interface Answer {
  readonly id: string
  readonly isDeleted: boolean
}

interface Replica {
  readonly known: Set<unknown>
  position: number
}

const userId = 'ann'
/** So far the database jumps when it has become another one. */
const leastRaise = 1_000_000
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

/** Nothing has happened. */
export const createHistory = (): History => {
  const responses = new Map<number, Answer>()
  const replicas: Replica[] = []
  const refusedIds = new Set<string>()
  let answered = 0
  let refused = 0
  let unknown = 0

  const note = (position: number, response: Answer): void => {
    assert.equal(responses.get(position), undefined, `position ${position} was given twice`)
    responses.set(position, response)
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
          const done: (readonly [number, Answer])[] = []
          await draft.putThing(makeThing(own))
          done.push([draft.position(), { id: own, isDeleted: false }])
          if (!isDeletion) {
            await draft.putThing(makeThing(shared, { title: own }))
            done.push([draft.position(), { id: shared, isDeleted: false }])
          } else if (await draft.deleteThing(shared)) {
            done.push([draft.position(), { id: shared, isDeleted: true }])
          }
          return done
        })
        answered += 1
        for (const [position, response] of noted) note(position, response)
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
        if (error instanceof QueryError && error.message.startsWith('nobody knows')) unknown += 1
        else refusedIds.add(own)
        refused += 1
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }

  const isPassedOver = (position: number): boolean => {
    const given = [...responses.keys(), position].sort((a, b) => a - b)
    return given.some((at, index) => {
      const step = at - (given[index - 1] ?? 0)
      return step > 1 && step < leastRaise
    })
  }

  const judge: History['judge'] = async (stores) => {
    const last = new Map<string, boolean>()
    for (const [, { id, isDeleted }] of [...responses].sort(([a], [b]) => a - b)) last.set(id, !isDeleted)
    const living = new Set([...last].filter(([, isLiving]) => isLiving).map(([id]) => id))
    for (const store of stores) {
      const view = await store.read(userId)
      const { changed } = await listIds(view, 0)
      assert.equal(new Set(changed).size, changed.length, 'a thing is listed twice')
      if (unknown === 0) assert.deepEqual(new Set(changed), living)
      else for (const id of living) assert.ok(sharedIds.includes(id) || changed.includes(id), `${id} was answered`)
      for (const id of refusedIds) assert.equal(changed.includes(id), false, `${id} was refused, and is there`)
      const count = Number((await view.listRecords('count', '')).get(''))
      assert.ok(count >= answered && count <= answered + unknown, 'a write was built on what was not there')
      assert.ok(view.position >= Math.max(...responses.keys()))
      assert.ok(unknown > 0 || !isPassedOver(view.position), 'a position was passed over')
    }
    const [store] = stores as [Store]
    const listed = new Set((await listIds(await store.read(userId), 0)).changed)
    for (const replica of replicas) {
      await catchUp(store, replica)
      assert.deepEqual(replica.known, listed)
    }
    return { answered, refused, unknown }
  }

  return { runClient, countResponses: () => answered, judge }
}
