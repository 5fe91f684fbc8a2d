import { type Behavior, rightServer } from '../../src/model/behavior.ts'
import type { Account, Pair, ServerState, Session, StoredTag, Thing } from '../../src/model/state.ts'
import { type Fault, fault } from './fault.ts'

/** Changes each account at a restart. */
function accounts(work: (account: Account) => void): Partial<Behavior> {
  return {
    restarted: (state) => {
      for (const account of state.accounts.values()) work(account)
    },
  }
}

function eachThing(work: (thing: Thing, account: Account) => void): Partial<Behavior> {
  return accounts((account) => {
    for (const thing of account.things.values()) work(thing, account)
  })
}

function highestPosition({ things }: Account, counts: (thing: Thing) => boolean): number {
  return Math.max(0, ...[...things.values()].filter(counts).map(({ position }) => position))
}

function eachTag(work: (tag: StoredTag) => void): Partial<Behavior> {
  return accounts(({ tags }) => {
    for (const tag of tags.values()) work(tag)
  })
}

function eachPair(edit: (pair: Pair) => Pair): Partial<Behavior> {
  return {
    restarted: ({ sessions }) => {
      for (const { pairs } of sessions) pairs.splice(0, pairs.length, ...pairs.map(edit))
    },
  }
}

interface Saved {
  readonly things: Map<unknown, Thing>
  readonly tags: Map<string, StoredTag>
}

function save({ things, tags, memory }: Account): void {
  const copies = [...things].map(([id, thing]) => [id, { ...thing, fields: { ...thing.fields } }] as const)
  memory.set('saved', { things: new Map(copies), tags: new Map(tags) } satisfies Saved)
}

function oldSessions({ memory }: ServerState): Set<Session> {
  const sessions = (memory.get('old') ?? new Set()) as Set<Session>
  memory.set('old', sessions)
  return sessions
}

const idsAgain: Partial<Behavior> = {
  newId: ({ memory }) => {
    const count = Number(memory.get('ids') ?? 0) + 1
    memory.set('ids', count)
    return `t${count}`
  },
  ...accounts(({ memory }) => memory.set('ids', 0)),
}

/** Faults of restarts that forget something (interface 4.3, 5, 8). */
export const restartFaults: readonly Fault[] = [
  fault(
    'restart-loses-things',
    'keeps things in memory only',
    accounts(({ things }) => things.clear()),
  ),
  fault(
    'restart-loses-changes',
    'stores new things and forgets their changes when it is restarted',
    eachThing((thing) => {
      thing.fields = { ...thing.first }
    }),
  ),
  fault(
    'restart-loses-html',
    'does not store the html of things',
    eachThing(({ fields }) => {
      fields.html = undefined
    }),
  ),
  fault(
    'restart-unarchives',
    'does not store which things are archived',
    eachThing(({ fields }) => {
      fields.archived = false
    }),
  ),
  fault('restart-loses-last-upload', 'stores an upload when the next one comes', {
    commit: async (account, work) => {
      save(account)
      work(() => rightServer.nextPosition(account))
    },
    ...accounts((account) => {
      const saved = account.memory.get('saved') as Saved | undefined
      if (saved !== undefined) Object.assign(account, saved)
    }),
  }),
  fault(
    'restart-revives-deleted',
    'does not store deletions',
    eachThing((thing) => {
      thing.deleted = false
    }),
  ),
  fault('restart-lists-deleted-in-full', 'puts deleted things back into full syncs when it is restarted', {
    ...accounts(({ memory }) => memory.set('restarted', true)),
    listsThing: (thing, of) =>
      rightServer.listsThing(thing, of) || (of.full && thing.deleted && of.account.memory.has('restarted')),
  }),
  fault(
    'restart-forgets-deletions',
    'forgets what was deleted when it is restarted',
    eachThing(({ id, deleted }, { things }) => {
      if (deleted) things.delete(id)
    }),
  ),
  fault(
    'restart-positions-begin-again',
    'counts positions from 0 after a restart',
    accounts((account) => {
      account.position = 0
    }),
  ),
  fault('restart-positions-behind', 'goes on from a position that is older than those given before a restart', {
    ...accounts((account) => {
      account.position -= 2
    }),
    // A `from` beyond the current position has no changes.
    isFull: (from) => from === undefined || from === 0,
  }),
  fault(
    'restart-positions-of-living-things',
    'goes on from the highest position of a living thing after a restart',
    accounts((account) => {
      account.position = highestPosition(account, ({ deleted }) => !deleted)
    }),
  ),
  fault(
    'restart-positions-of-things',
    'goes on from the highest position of a thing, also a deleted one, after a restart',
    accounts((account) => {
      account.position = highestPosition(account, () => true)
    }),
  ),
  fault(
    'restart-lists-all-again',
    'gives all things new positions when it is restarted',
    eachThing((thing, account) => {
      thing.position = rightServer.nextPosition(account)
    }),
  ),
  fault(
    'restart-forgets-what-was-new',
    'lists after a restart only what changed since',
    eachThing((thing) => {
      thing.position = 0
    }),
  ),
  fault(
    'restart-loses-tags',
    'keeps tag settings in memory only',
    accounts(({ tags }) => tags.clear()),
  ),
  fault(
    'restart-loses-colors',
    'does not store the colors of tags',
    eachTag(({ settings }) => {
      settings.color = false
    }),
  ),
  fault(
    'restart-forgets-tag-positions',
    'does not store when tag settings changed',
    eachTag((tag) => {
      tag.position = 0
    }),
  ),
  fault('restart-counts-ids-again', 'counts _ids from 1 again after a restart', idsAgain),
  fault(
    'restart-forgets-access-tokens',
    'keeps access tokens in memory only',
    eachPair((pair) => ({ ...pair, access: '' })),
  ),
  fault('restart-mixes-tokens', 'takes earlier access tokens after a restart for tokens of another user', {
    restarted: (state) => {
      for (const session of state.sessions) oldSessions(state).add(session)
    },
    accountOf: (state, session) => state.accounts.get(oldSessions(state).has(session) ? 'bob' : session.username),
  }),
  fault('restart-refreshes-in-vain', 'gives unknown tokens for refresh tokens that it issued before a restart', {
    restarted: ({ memory }) => memory.set('restarted', true),
    findAccessToken: (state, token, way, exchange) => {
      const found = rightServer.findAccessToken(state, token, way, exchange)
      return found?.pair.parent !== undefined && state.memory.has('restarted') ? undefined : found
    },
  }),
  fault(
    'restart-forgets-request-tokens',
    'keeps refresh tokens in memory only',
    eachPair((pair) => ({ ...pair, request: '' })),
  ),
]

/** Faults of restarts that forget something that the contract requires. */
export const fullRestartFaults: readonly Fault[] = [
  fault('restart-forgets-uploads', 'keeps in memory only which client-assigned IDs it has seen', {
    restarted: ({ sessions }) => {
      for (const { uploads } of sessions) uploads.clear()
    },
  }),
  fault('restart-revives-sessions', 'does not store which sessions have ended', {
    restarted: ({ sessions }) => {
      for (const session of sessions) session.revoked = false
    },
  }),
]
