import { setImmediate as turn } from 'node:timers/promises'
import { type Behaviour, right } from '../server/behaviour.ts'
import type { Account, Json } from '../server/world.ts'
import { type Fault, fault } from './fault.ts'
import { hold, visit } from './meeting.ts'
import { has, type Part, parts, words } from './upload-parts.ts'

const { nextPosition } = right

/** An upload with the one part draws its position, and is stored only after one with the other part. */
function gapping(one: Part, other: Part): Partial<Behaviour> {
  const place = `${one} before ${other}`
  return {
    commit: async (account, work, upload) => {
      const take = (): number => nextPosition(account)
      const isSecond = has(upload, other) && visit(account.memory, place) > 0
      if (isSecond || !has(upload, one)) return work(take)
      const early = nextPosition(account)
      await hold(account.memory, place)
      // The other one is answered first.
      await turn()
      work(() => early)
    },
  }
}

function noted({ memory }: Account, name: string): Set<Json> {
  const ids = (memory.get(name) ?? new Set()) as Set<Json>
  memory.set(name, ids)
  return ids
}

/** An upload with the one part holds on to what it read until one with the other part, of the same things, has been stored. */
function meeting(one: Part, other: Part, then: (account: Account, ids: readonly string[]) => void): Partial<Behaviour> {
  return {
    commit: async (account, work, upload) => {
      const take = (): number => nextPosition(account)
      const ids = [...upload.changed.map(({ id }) => id), ...upload.deleted]
      const places = ids.map((id) => `${one} ${other} ${id}`)
      if (has(upload, other) && places.some((place) => visit(account.memory, place) > 0)) return work(take)
      const [first] = places
      if (first !== undefined && has(upload, one) && (await hold(account.memory, first))) then(account, ids)
      work(take)
    },
  }
}

/** Faults of what others are told when two uploads meet. */
export const raceToldFaults: readonly Fault[] = [
  ...parts.flatMap((one) =>
    parts.map(
      (other): Fault =>
        fault(
          `race-${one}-${other}-gap`,
          `draws the position of ${words[one]} before it is stored, which ${words[other]} may overtake`,
          gapping(one, other),
        ),
    ),
  ),
  fault(
    'race-change-delete-zombie',
    'writes a changed thing back that has been deleted meanwhile, and lists it as both',
    {
      ...meeting('change', 'delete', (account, ids) => {
        for (const id of ids) {
          const thing = account.things.get(id)
          if (thing === undefined) continue
          thing.deleted = false
          noted(account, 'zombies').add(id)
        }
      }),
      listed: (list, kind, { account, full }) => {
        const zombies = kind === 'deleted' && !full ? [...noted(account, 'zombies')] : []
        return [...list, ...zombies.map((id) => ({ id, json: id }))]
      },
    },
  ),
  fault('race-delete-delete-twice', 'notes two deletions of a thing at the same time, and lists both', {
    ...meeting('delete', 'delete', (account, ids) => {
      for (const id of ids) noted(account, 'twice').add(id)
    }),
    listed: (list, kind, { account }) => {
      const twice = noted(account, 'twice')
      return kind === 'deleted' ? list.flatMap((each) => (twice.has(each.id) ? [each, each] : [each])) : list
    },
  }),
]
