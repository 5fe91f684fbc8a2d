import { type Behaviour, right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import { type Exchange, findParameter } from '../server/right-requests.ts'
import type { Account, Json, JsonObject, StoredTag, Thing } from '../server/world.ts'
import { type Fault, fault, fromOf } from './fault.ts'
import { hold, type Memory, meet, visit } from './meeting.ts'
import { has, type Part, parts, words } from './upload-parts.ts'

const { nextPosition } = right

function copyOf({ things, tags }: Account): readonly [Map<unknown, Thing>, Map<string, StoredTag>] {
  const copied = [...things].map(([id, thing]) => [id, { ...thing, fields: { ...thing.fields } }] as const)
  return [new Map(copied), new Map(tags)]
}

/** Two uploads, one with each part, that meet: the one that came second puts back what was there when it came. */
function overwriting(one: Part, other: Part): Partial<Behaviour> {
  return {
    commit: async (account, work, upload) => {
      const mine = has(upload, one) ? one : has(upload, other) ? other : undefined
      const take = (): number => nextPosition(account)
      if (mine === undefined) return work(take)
      const place = `${one} and ${other}`
      const theirs = mine === one ? other : one
      const [things, tags] = copyOf(account)
      const waitsFor = `${place} ${theirs}`
      if (visit(account.memory, waitsFor) > 0) {
        work(take)
        return
      }
      const met = await hold(account.memory, `${place} ${mine}`)
      if (!met) return work(take)
      // The other one writes first, in this turn; then this one writes what it had read.
      await new Promise((resolve) => setImmediate(resolve))
      account.things = things
      account.tags = tags
      work(take)
    },
  }
}

/** Token answers of one grant type that meet another one, edited. */
function meetingGrants(
  grant: string,
  edit: (answer: JsonObject, memory: Memory, username: Json) => Json,
): Partial<Behaviour> {
  return {
    delay: async (exchange) => {
      const { path, body, world } = exchange
      if (path !== 'token' || !body.some(([name, value]) => name === 'grant_type' && value === grant)) return
      const met = (world.memory.get('met') ?? new Set()) as Set<Exchange>
      world.memory.set('met', met)
      if (await meet(world.memory, grant)) met.add(exchange)
    },
    reply: (reply, exchange) => {
      const met = exchange.world.memory.get('met') as Set<Exchange> | undefined
      const applies = reply.status === 200 && met?.has(exchange) === true
      return applies
        ? {
            ...reply,
            body: edit(reply.body as JsonObject, exchange.world.memory, findParameter(exchange.body, 'username')),
          }
        : reply
    },
  }
}

/** Faults of two things at the same time, for each pair of them. */
export const raceFaults: readonly Fault[] = [
  ...parts.flatMap((one, place) =>
    parts
      .slice(place)
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
    meetingGrants('password', (answer, memory, username) => {
      const key = `shared ${username}`
      memory.set(key, memory.get(key) ?? answer)
      return memory.get(key)
    }),
  ),
  fault(
    'race-grants-lose-token',
    'forgets tokens that were given at the same time as others',
    meetingGrants('password', (answer) => ({ ...answer, access_token: `${answer.access_token}x` })),
  ),
  fault('race-grants-mix-users', 'gives grants of two users at the same time tokens of one', {
    delay: async (exchange) => {
      if (exchange.path !== 'token' || !(await meet(exchange.world.memory, 'grants'))) return
      exchange.body = exchange.body.map(
        ([name, value]) =>
          [
            name,
            name === 'username'
              ? 'alice'
              : name === 'password'
                ? (exchange.world.accounts.get('alice')?.password ?? '')
                : value,
          ] as const,
      )
    },
  }),
  fault(
    'race-refreshes-share-pair',
    'gives refreshes at the same time the same access token',
    meetingGrants('refresh_token', (answer) => ({ ...answer, access_token: 'shared' })),
  ),
  fault('race-refreshes-refuse-one', 'refuses a refresh that meets another', {
    delay: async ({ path, world, body }) => {
      if (path !== 'token' || !body.some(([, value]) => value === 'refresh_token')) return
      if (await meet(world.memory, 'refreshes')) throw new Refusal('grant-refused', 'another refresh is under way')
    },
  }),
  fault('race-answers-swapped', 'answers listings at the same time with what one of them asked for', {
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
  fault('race-listing-stops-write', 'drops changes that come while somebody lists', {
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
