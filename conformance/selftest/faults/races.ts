import { setImmediate as turn } from 'node:timers/promises'
import { type Behavior, type Exchange, findParameter, rightServer } from '../../src/model/behavior.ts'
import {
  type Account,
  ApiError,
  type Json,
  type JsonObject,
  type StoredTag,
  type Thing,
} from '../../src/model/state.ts'
import { type Fault, fault, fromOf, has, hold, type Memory, meet, type Part, parts, visit, words } from './fault.ts'

function copyOf({ things, tags }: Account): readonly [Map<unknown, Thing>, Map<string, StoredTag>] {
  const copied = [...things].map(([id, thing]) => [id, { ...thing, fields: { ...thing.fields } }] as const)
  return [new Map(copied), new Map(tags)]
}

/** When two uploads with these parts meet, the second restores the state that it read at its start. */
function overwriting(one: Part, other: Part): Partial<Behavior> {
  return {
    commit: async (account, work, upload) => {
      const mine = has(upload, one) ? one : has(upload, other) ? other : undefined
      const take = (): number => rightServer.nextPosition(account)
      if (mine === undefined) return work(take)
      const barrier = `${one} and ${other}`
      const theirs = mine === one ? other : one
      const [things, tags] = copyOf(account)
      const waitsFor = `${barrier} ${theirs}`
      if (visit(account.memory, waitsFor) > 0) {
        work(take)
        return
      }
      const met = await hold(account.memory, `${barrier} ${mine}`)
      if (!met) return work(take)
      // The other upload writes first, in this turn; then this one writes its stale state.
      await new Promise((resolve) => setImmediate(resolve))
      account.things = things
      account.tags = tags
      work(take)
    },
  }
}

/** Edits the responses of one grant type when two token requests meet. */
function meetingGrants(
  grant: string,
  edit: (response: JsonObject, memory: Memory, username: Json) => Json,
): Partial<Behavior> {
  return {
    delay: async (exchange) => {
      const { path, body, state } = exchange
      if (path !== 'token' || !body.some(([name, value]) => name === 'grant_type' && value === grant)) return
      const met = (state.memory.get('met') ?? new Set()) as Set<Exchange>
      state.memory.set('met', met)
      if (await meet(state.memory, grant)) met.add(exchange)
    },
    reply: (reply, exchange) => {
      const met = exchange.state.memory.get('met') as Set<Exchange> | undefined
      const applies = reply.status === 200 && met?.has(exchange) === true
      return applies
        ? {
            ...reply,
            body: edit(reply.body as JsonObject, exchange.state.memory, findParameter(exchange.body, 'username')),
          }
        : reply
    },
  }
}

/** Faults of two concurrent requests, for each pair of parts. */
export const raceFaults: readonly Fault[] = [
  ...parts.flatMap((one, index) =>
    parts
      .slice(index)
      .map(
        (other): Fault =>
          fault(
            `race-${one}-${other}-loses-one`,
            `writes back what it read before, when ${words[one]} meets ${words[other]}`,
            overwriting(one, other),
          ),
      ),
  ),
  fault(
    'race-tags-last-map-wins',
    'keeps the tag settings of the last of several uploads at once',
    overwriting('tag', 'tag'),
  ),
  fault('race-one-session-drops', 'drops an upload of a session that has another one under way', {
    delay: async (exchange) => {
      const { session, method, path } = exchange
      if (session === undefined || method !== 'POST' || path !== 'sync') return
      if (await meet(session.memory, 'session')) {
        if (session.memory.has('busy'))
          exchange.parameters = exchange.parameters.filter(([name]) => !name.startsWith('tag'))
        session.memory.set('busy', true)
      } else session.memory.delete('busy')
    },
  }),
  fault(
    'race-grants-share-pair',
    'gives grants at the same time the same tokens',
    meetingGrants('password', (response, memory, username) => {
      const key = `shared ${username}`
      memory.set(key, memory.get(key) ?? response)
      return memory.get(key)
    }),
  ),
  fault(
    'race-grants-lose-token',
    'forgets tokens that were given at the same time as others',
    meetingGrants('password', (response) => ({ ...response, access_token: `${response.access_token}x` })),
  ),
  fault('race-grants-mix-users', 'gives grants of two users at the same time tokens of one', {
    delay: async (exchange) => {
      if (exchange.path !== 'token' || !(await meet(exchange.state.memory, 'grants'))) return
      exchange.body = exchange.body.map(
        ([name, value]) =>
          [
            name,
            name === 'username'
              ? 'alice'
              : name === 'password'
                ? (exchange.state.accounts.get('alice')?.password ?? '')
                : value,
          ] as const,
      )
    },
  }),
  fault(
    'race-refreshes-share-pair',
    'gives refreshes at the same time the same access token',
    meetingGrants('refresh_token', (response) => ({ ...response, access_token: 'shared' })),
  ),
  fault('race-refreshes-reject-one', 'rejects a refresh that meets another', {
    delay: async ({ path, state, body }) => {
      if (path !== 'token' || !body.some(([, value]) => value === 'refresh_token')) return
      if (await meet(state.memory, 'refreshes')) throw new ApiError('grant-rejected', 'another refresh is under way')
    },
  }),
  fault('race-responses-swapped', 'responds to concurrent listings with what one of them asked for', {
    delay: async (exchange) => {
      const { account, method, path } = exchange
      if (account === undefined || method !== 'GET' || path !== 'sync') return
      if (await meet(account.memory, 'listings'))
        exchange.parameters = exchange.parameters.filter(([name]) => name !== 'from')
    },
  }),
  fault('race-from-of-last-asker', 'keeps from in a variable of the account while it lists', {
    delay: async (exchange) => {
      const { account, method, path } = exchange
      if (account === undefined || method !== 'GET' || path !== 'sync') return
      account.memory.set('from', fromOf(exchange))
      if (!(await meet(account.memory, 'listings'))) return
      const from = account.memory.get('from')
      const others = exchange.parameters.filter(([name]) => name !== 'from')
      exchange.parameters = from === undefined ? others : [...others, ['from', from]]
    },
  }),
  fault('race-listing-stops-write', 'drops changes that come while a client lists', {
    delay: async (exchange) => {
      const { account, method, path } = exchange
      if (account === undefined || path !== 'sync') return
      const isWrite = exchange.parameters.some(([name]) => name === 'changed_thing')
      if (method === 'GET') visit(account.memory, 'writing')
      if (isWrite && (await hold(account.memory, 'writing')))
        exchange.parameters = exchange.parameters.filter(([name]) => name !== 'changed_thing')
    },
  }),
]

/** An upload with the first part takes its position, but is stored only after an upload with the other part. */
function gapping(one: Part, other: Part): Partial<Behavior> {
  const barrier = `${one} before ${other}`
  return {
    commit: async (account, work, upload) => {
      const take = (): number => rightServer.nextPosition(account)
      const isSecond = has(upload, other) && visit(account.memory, barrier) > 0
      if (isSecond || !has(upload, one)) return work(take)
      const early = rightServer.nextPosition(account)
      await hold(account.memory, barrier)
      // The other request gets its response first.
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

/** Runs `then` when an upload with the first part meets an upload with the other part of the same things. */
function meeting(one: Part, other: Part, then: (account: Account, ids: readonly string[]) => void): Partial<Behavior> {
  return {
    commit: async (account, work, upload) => {
      const take = (): number => rightServer.nextPosition(account)
      const ids = [...upload.changed.map(({ id }) => id), ...upload.deleted]
      const barriers = ids.map((id) => `${one} ${other} ${id}`)
      if (has(upload, other) && barriers.some((barrier) => visit(account.memory, barrier) > 0)) return work(take)
      const [first] = barriers
      if (first !== undefined && has(upload, one) && (await hold(account.memory, first))) then(account, ids)
      work(take)
    },
  }
}

/** Faults in the listings after two uploads met. */
export const raceListingFaults: readonly Fault[] = [
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
