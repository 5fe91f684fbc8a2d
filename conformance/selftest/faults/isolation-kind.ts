import { type Behaviour, right } from '../server/behaviour.ts'
import type { ListingOf } from '../server/right-listings.ts'
import { findParameter } from '../server/right-requests.ts'
import type { Account, JsonObject, Listed } from '../server/world.ts'
import { answers, type Fault, fault } from './fault.ts'

function others({ account, exchange }: ListingOf): readonly Account[] {
  return [...exchange.world.accounts.values()].filter((other) => other !== account)
}

function foreignThings(of: ListingOf): readonly Listed[] {
  return others(of).flatMap(({ things }) =>
    [...things.values()].filter(({ deleted }) => deleted).map(({ id }) => ({ id, json: id })),
  )
}

/** Pages that go on with the list that somebody was given first, of all users. */
function keptForAll(): Partial<Behaviour> {
  return {
    keepsPages: false,
    listed: (list, kind, { from, exchange }) => {
      const { world, parameters } = exchange
      const key = `${kind} from ${from}`
      const [skip, limit] = ['skip', 'limit'].map((name) => findParameter(parameters, name))
      if (limit === undefined) return list
      if (Number(skip ?? 0) === 0) world.memory.set(key, list)
      return (world.memory.get(key) as readonly Listed[] | undefined) ?? list
    },
  }
}

/** Large pages that are kept for whoever asks for the same. */
function keptWhole(): Partial<Behaviour> {
  return {
    listed: (list, kind, { from, exchange }) => {
      const { world, parameters } = exchange
      const limit = Number(findParameter(parameters, 'limit') ?? 0)
      if (limit < 1000) return list
      const key = `${kind} from ${from} limit ${limit}`
      world.memory.set(key, world.memory.get(key) ?? list)
      return world.memory.get(key) as readonly Listed[]
    },
  }
}

/** State that is kept for all users together (interface 1). */
export const isolationKindFaults: readonly Fault[] = [
  fault('todo-tags-of-all-users', 'looks for todo tags of all users', {
    thing: (thing, isTodo, of) => {
      const accounts = [...(of?.exchange.world.accounts.values() ?? [])]
      return right.thing(thing, isTodo || accounts.some(({ tags }) => right.isTodo(thing, tags)), of)
    },
  }),
  fault(
    'favorites-of-all-users',
    'lists the favorites of all users in full',
    answers((answer, exchange) => ({
      ...answer,
      tags: {
        ...Object.fromEntries(
          [...exchange.world.accounts.values()].flatMap(({ tags }) =>
            [...tags].filter(([, { settings }]) => settings.favorite).map(([name, { settings }]) => [name, settings]),
          ),
        ),
        ...(answer.tags as object | undefined),
      },
    })),
  ),
  fault('tags-of-last-writer-for-all', 'gives all users the color that the last of them set', {
    syncAnswer: (answer, { world }) => recolor(answer, [...world.accounts.values()], true),
  }),
  fault('tags-of-first-writer-stay', 'gives all users the color that the first of them set', {
    syncAnswer: (answer, { world }) => recolor(answer, [...world.accounts.values()], false),
  }),
  fault('deletions-of-all-users', 'tells every user of the deletions of all', {
    listed: (list, kind, of) => (kind === 'deleted' && !of.full ? [...list, ...foreignThings(of)] : list),
  }),
  fault(
    'thing-count-of-all-users',
    'counts the new things of all users',
    answers((answer, { account, world }) => {
      const more = [...world.accounts.values()]
        .filter((other) => other !== account)
        .reduce((sum, { things }) => sum + things.size, 0)
      return more > 0 ? { ...answer, thingCount: Number(answer.thingCount ?? 0) + more } : answer
    }),
  ),
  fault('pos-of-other-users-writes', 'lists in full when another user has written', {
    isFull: (from, account) => right.isFull(from, account) || account.memory.has('foreign'),
    delay: async ({ world, account }) => {
      for (const other of world.accounts.values())
        if (other !== account && other.position > Number(account?.memory.get('seen') ?? 0))
          account?.memory.set('foreign', true)
    },
  }),
  fault('pages-of-all-users', 'goes on with the pages of whoever asked last, of any user', keptForAll()),
  fault('listing-kept-for-all-users', 'keeps a large page for whoever asks for the same', keptWhole()),
]

/** Tags in the color that the last, or the first, account gave them. */
function recolor(answer: JsonObject, accounts: readonly Account[], last: boolean): JsonObject {
  if (answer.tags === undefined) return answer
  const recolored = Object.entries(answer.tags as Record<string, JsonObject>).map(([name, tag]) => {
    const known = accounts.flatMap(({ tags }) => tags.get(name)?.settings.color || [])
    return [name, { ...tag, color: (last ? known.at(-1) : known[0]) ?? tag.color }] as const
  })
  return { ...answer, tags: Object.fromEntries(recolored) }
}
