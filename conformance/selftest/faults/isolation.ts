import { type Behavior, findParameter, type ListingOf, rightServer, type Upload } from '../../src/model/behavior.ts'
import type { Account, Json, JsonObject, Listed, ServerState, Thing } from '../../src/model/state.ts'
import { type Fault, fault, meet, meetOther, responses } from './fault.ts'

function others({ account, exchange }: ListingOf): readonly Account[] {
  return [...exchange.state.accounts.values()].filter((other) => other !== account)
}

function foreignThings(of: ListingOf): readonly Listed[] {
  return others(of).flatMap(({ things }) =>
    [...things.values()].filter(({ deleted }) => deleted).map(({ id }) => ({ id, json: id })),
  )
}

/** Returns pages from the list of the first session that requested it, for all users. */
function keptForAll(): Partial<Behavior> {
  return {
    keepsPages: false,
    listed: (list, kind, { from, exchange }) => {
      const { state, parameters } = exchange
      const key = `${kind} from ${from}`
      const [skip, limit] = ['skip', 'limit'].map((name) => findParameter(parameters, name))
      if (limit === undefined) return list
      if (Number(skip ?? 0) === 0) state.memory.set(key, list)
      return (state.memory.get(key) as readonly Listed[] | undefined) ?? list
    },
  }
}

/** Stores large pages and returns them to any session with the same request. */
function keptWhole(): Partial<Behavior> {
  return {
    listed: (list, kind, { from, exchange }) => {
      const { state, parameters } = exchange
      const limit = Number(findParameter(parameters, 'limit') ?? 0)
      if (limit < 1000) return list
      const key = `${kind} from ${from} limit ${limit}`
      state.memory.set(key, state.memory.get(key) ?? list)
      return state.memory.get(key) as readonly Listed[]
    },
  }
}

/** Faults of state that all users share (interface 1). */
export const isolationKindFaults: readonly Fault[] = [
  fault('todo-tags-of-all-users', 'looks for todo tags of all users', {
    thing: (thing, isTodo, of) => {
      const accounts = [...(of?.exchange.state.accounts.values() ?? [])]
      return rightServer.thing(thing, isTodo || accounts.some(({ tags }) => rightServer.isTodo(thing, tags)), of)
    },
  }),
  fault(
    'favorites-of-all-users',
    'lists the favorites of all users in full',
    responses((response, exchange) => ({
      ...response,
      tags: {
        ...Object.fromEntries(
          [...exchange.state.accounts.values()].flatMap(({ tags }) =>
            [...tags].filter(([, { settings }]) => settings.favorite).map(([name, { settings }]) => [name, settings]),
          ),
        ),
        ...(response.tags as object | undefined),
      },
    })),
  ),
  fault('tags-of-last-writer-for-all', 'gives all users the color that the last of them set', {
    syncResponse: (response, { state }) => recolor(response, [...state.accounts.values()], true),
  }),
  fault('tags-of-first-writer-stay', 'gives all users the color that the first of them set', {
    syncResponse: (response, { state }) => recolor(response, [...state.accounts.values()], false),
  }),
  fault('deletions-of-all-users', 'lists the deletions of all users for every user', {
    listed: (list, kind, of) => (kind === 'deleted' && !of.full ? [...list, ...foreignThings(of)] : list),
  }),
  fault(
    'thing-count-of-all-users',
    'counts the new things of all users',
    responses((response, { account, state }) => {
      const more = [...state.accounts.values()]
        .filter((other) => other !== account)
        .reduce((sum, { things }) => sum + things.size, 0)
      return more > 0 ? { ...response, thingCount: Number(response.thingCount ?? 0) + more } : response
    }),
  ),
  fault('pos-of-other-users-writes', 'lists in full when another user has written', {
    isFull: (from, account) => rightServer.isFull(from, account) || account.memory.has('foreign'),
    delay: async ({ state, account }) => {
      for (const other of state.accounts.values())
        if (other !== account && other.position > Number(account?.memory.get('seen') ?? 0))
          account?.memory.set('foreign', true)
    },
  }),
  fault('pages-of-all-users', 'goes on with the pages of the session that asked last, of any user', keptForAll()),
  fault('listing-kept-for-all-users', 'keeps a large page for every user that asks for the same', keptWhole()),
]

/** Gives tags the color that the last, or the first, account set. */
function recolor(response: JsonObject, accounts: readonly Account[], last: boolean): JsonObject {
  if (response.tags === undefined) return response
  const recolored = Object.entries(response.tags as Record<string, JsonObject>).map(([name, tag]) => {
    const known = accounts.flatMap(({ tags }) => tags.get(name)?.settings.color || [])
    return [name, { ...tag, color: (last ? known.at(-1) : known[0]) ?? tag.color }] as const
  })
  return { ...response, tags: Object.fromEntries(recolored) }
}

/** A commit that other requests can interrupt, and that then loses something. */
function crowded(before: (upload: Upload) => void, after: (account: Account) => void): Behavior['commit'] {
  return async (account, work, upload) => {
    const met = await meet(account.memory, 'commit')
    if (met) before(upload)
    work(() => rightServer.nextPosition(account))
    if (met) after(account)
  }
}

function nothing(): void {}

function thingOfAnyUser(state: ServerState, id: Json): Thing | undefined {
  for (const { things } of state.accounts.values()) {
    const thing = things.get(id)
    if (thing?.deleted === false) return thing
  }
  return undefined
}

/** Faults that need two requests at once. */
export const concurrencyFaults: readonly Fault[] = [
  fault('lost-update-under-concurrency', 'writes back what it read before a slow commit', {
    commit: async (account, work) => {
      const copies = [...account.things].map(([id, thing]) => [id, { ...thing }] as const)
      await meet(account.memory, 'commit')
      account.things = new Map(copies)
      work(() => rightServer.nextPosition(account))
    },
  }),
  fault('parallel-creates-share-id', 'numbers new things before it counts them', {
    newId: ({ things, memory, position }) => {
      const at = memory.get('at') === position ? Number(memory.get('more')) + 1 : 0
      memory.set('at', position).set('more', at)
      return `t${things.size}n${at}`
    },
    commit: async (account, work) => {
      account.memory.delete('at')
      await meet(account.memory, 'commit')
      work(() => rightServer.nextPosition(account))
    },
  }),
  fault('half-batch-lost', 'applies only half of an upload that meets another', {
    commit: crowded(nothing, ({ things }) => {
      const [last] = [...things.keys()].slice(-1)
      things.delete(last)
    }),
  }),
  fault(
    'parallel-uploads-unanswered',
    'drops half of the new things of an upload that meets another, and their entries in things.new',
    {
      commit: crowded((upload) => {
        upload.created = upload.created.slice(0, Math.floor(upload.created.length / 2))
      }, nothing),
    },
  ),
  fault('parallel-upload-copied', 'shows what two users create at the same time to both', {
    commit: async (account, work, _upload, state) => {
      const met = await meetOther(state, account.username)
      work(() => rightServer.nextPosition(account))
      const others = [...state.accounts.values()].filter((other) => met && other !== account)
      for (const { things } of others) for (const [id, thing] of account.things) things.set(id, { ...thing })
      for (const { things } of others) for (const [id, thing] of things) account.things.set(id, { ...thing })
    },
  }),
  fault('parallel-deletions-lost', 'forgets the deletions of an upload that meets another', {
    commit: crowded((upload) => {
      upload.deleted = []
    }, nothing),
  }),
  fault('current-user-global', 'keeps the current user in a global variable', {
    delay: async (exchange) => {
      const { state, session } = exchange
      const { memory, accounts } = state
      if (session === undefined) return
      memory.set('user', session.username)
      await meetOther(state, session.username)
      const account = accounts.get(String(memory.get('user')))
      if (account !== undefined) exchange.account = account
    },
  }),
]

/** Faults of the isolation of accounts. */
export const isolationFaults: readonly Fault[] = [
  fault('accounts-share-things', 'keeps one account for all users', {
    accountOf: (state) => state.accounts.get('alice'),
  }),
  fault('accounts-share-tags', 'keeps one set of tag settings for all users', {
    tagsOf: (account, state) => state.accounts.get('alice')?.tags ?? account.tags,
  }),
  fault('accounts-share-incrementals', 'lists the new things of all accounts after a position', {
    listed: (list, kind, of) => {
      const others = [...of.exchange.state.accounts.values()].filter((account) => account !== of.account)
      const foreign = others.flatMap(({ things }) => [...things.values()]).filter(({ deleted }) => !deleted)
      const added = foreign.map((thing) => ({ id: thing.id, json: rightServer.thing(thing, false) }))
      return of.full || kind === 'deleted' ? list : [...list, ...added]
    },
  }),
  fault('deletion-crosses-accounts', 'deletes things of other accounts', {
    findToDelete: (_account, id, state) => thingOfAnyUser(state, id),
  }),
  fault('change-crosses-accounts', 'changes things of other accounts', {
    findToChange: (_account, id, state) => thingOfAnyUser(state, id),
  }),
]
