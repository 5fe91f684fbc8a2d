import { type Behaviour, right } from '../server/behaviour.ts'
import type { Account, Pair, Session, StoredTag, Thing, World } from '../server/world.ts'
import type { Fault } from './fault.ts'

/** A restart that does something to each account. */
function accounts(work: (account: Account) => void): Partial<Behaviour> {
  return {
    restarted: (world) => {
      for (const account of world.accounts.values()) work(account)
    },
  }
}

function eachThing(work: (thing: Thing, account: Account) => void): Partial<Behaviour> {
  return accounts((account) => {
    for (const thing of account.things.values()) work(thing, account)
  })
}

function highestPosition({ things }: Account, counts: (thing: Thing) => boolean): number {
  return Math.max(0, ...[...things.values()].filter(counts).map(({ position }) => position))
}

function eachTag(work: (tag: StoredTag) => void): Partial<Behaviour> {
  return accounts(({ tags }) => {
    for (const tag of tags.values()) work(tag)
  })
}

function eachPair(edit: (pair: Pair) => Pair): Partial<Behaviour> {
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

function oldSessions({ memory }: World): Set<Session> {
  const sessions = (memory.get('old') ?? new Set()) as Set<Session>
  memory.set('old', sessions)
  return sessions
}

const idsAgain: Partial<Behaviour> = {
  newId: ({ memory }) => {
    const count = Number(memory.get('ids') ?? 0) + 1
    memory.set('ids', count)
    return `t${count}`
  },
  ...accounts(({ memory }) => memory.set('ids', 0)),
}

/** What a restart forgets (interface 4.3, 5, 8). */
export const restartFaults: readonly Fault[] = [
  {
    id: 'restart-loses-things',
    title: 'keeps things in memory only',
    behaviour: accounts(({ things }) => things.clear()),
  },
  {
    id: 'restart-loses-changes',
    title: 'stores new things and forgets their changes when it is restarted',
    behaviour: eachThing((thing) => {
      thing.fields = { ...thing.first }
    }),
  },
  {
    id: 'restart-loses-html',
    title: 'does not store the html of things',
    behaviour: eachThing(({ fields }) => {
      fields.html = undefined
    }),
  },
  {
    id: 'restart-unarchives',
    title: 'does not store which things are archived',
    behaviour: eachThing(({ fields }) => {
      fields.archived = false
    }),
  },
  {
    id: 'restart-loses-last-upload',
    title: 'stores an upload when the next one comes',
    behaviour: {
      commit: async (account, work) => {
        save(account)
        work(() => right.nextPosition(account))
      },
      ...accounts((account) => {
        const saved = account.memory.get('saved') as Saved | undefined
        if (saved !== undefined) Object.assign(account, saved)
      }),
    },
  },
  {
    id: 'restart-revives-deleted',
    title: 'does not store deletions',
    behaviour: eachThing((thing) => {
      thing.deleted = false
    }),
  },
  {
    id: 'restart-lists-deleted-in-full',
    title: 'puts deleted things back into full listings when it is restarted',
    behaviour: {
      ...accounts(({ memory }) => memory.set('restarted', true)),
      listsThing: (thing, of) =>
        right.listsThing(thing, of) || (of.full && thing.deleted && of.account.memory.has('restarted')),
    },
  },
  {
    id: 'restart-forgets-deletions',
    title: 'forgets what was deleted when it is restarted',
    behaviour: eachThing(({ id, deleted }, { things }) => {
      if (deleted) things.delete(id)
    }),
  },
  {
    id: 'restart-positions-begin-again',
    title: 'counts positions from 0 after a restart',
    behaviour: accounts((account) => {
      account.position = 0
    }),
  },
  {
    id: 'restart-positions-behind',
    title: 'goes on from a position that is older than those given before a restart',
    behaviour: {
      ...accounts((account) => {
        account.position -= 2
      }),
      // From a position that is not reached yet nothing is new.
      isFull: (from) => from === undefined || from === 0,
    },
  },
  {
    id: 'restart-positions-of-living-things',
    title: 'goes on from the highest position of a living thing after a restart',
    behaviour: accounts((account) => {
      account.position = highestPosition(account, ({ deleted }) => !deleted)
    }),
  },
  {
    id: 'restart-positions-of-things',
    title: 'goes on from the highest position of a thing, deleted ones too, after a restart',
    behaviour: accounts((account) => {
      account.position = highestPosition(account, () => true)
    }),
  },
  {
    id: 'restart-lists-all-again',
    title: 'gives all things new positions when it is restarted',
    behaviour: eachThing((thing, account) => {
      thing.position = right.nextPosition(account)
    }),
  },
  {
    id: 'restart-forgets-what-was-new',
    title: 'tells after a restart only of what changed since',
    behaviour: eachThing((thing) => {
      thing.position = 0
    }),
  },
  {
    id: 'restart-loses-tags',
    title: 'keeps tag settings in memory only',
    behaviour: accounts(({ tags }) => tags.clear()),
  },
  {
    id: 'restart-loses-colors',
    title: 'does not store the colors of tags',
    behaviour: eachTag(({ settings }) => {
      settings.color = false
    }),
  },
  {
    id: 'restart-forgets-tag-positions',
    title: 'does not store when tag settings changed',
    behaviour: eachTag((tag) => {
      tag.position = 0
    }),
  },
  {
    id: 'restart-counts-ids-again',
    title: 'counts _ids from 1 again after a restart',
    behaviour: idsAgain,
  },
  {
    id: 'restart-forgets-access-tokens',
    title: 'keeps access tokens in memory only',
    behaviour: eachPair((pair) => ({ ...pair, access: '' })),
  },
  {
    id: 'restart-mixes-tokens',
    title: 'takes access tokens of before a restart for those of another user',
    behaviour: {
      restarted: (world) => {
        for (const session of world.sessions) oldSessions(world).add(session)
      },
      accountOf: (world, session) => world.accounts.get(oldSessions(world).has(session) ? 'bob' : session.username),
    },
  },
  {
    id: 'restart-refreshes-in-vain',
    title: 'gives tokens that nothing knows for request tokens of before a restart',
    behaviour: {
      restarted: ({ memory }) => memory.set('restarted', true),
      findAccessToken: (world, token, way, exchange) => {
        const found = right.findAccessToken(world, token, way, exchange)
        return found?.pair.parent !== undefined && world.memory.has('restarted') ? undefined : found
      },
    },
  },
  {
    id: 'restart-forgets-request-tokens',
    title: 'keeps request tokens in memory only',
    behaviour: eachPair((pair) => ({ ...pair, request: '' })),
  },
]

/** What a restart forgets of what the contract decides. */
export const fullRestartFaults: readonly Fault[] = [
  {
    id: 'restart-forgets-uploads',
    title: 'keeps in memory only which local ids it has seen',
    behaviour: {
      restarted: ({ sessions }) => {
        for (const { uploads } of sessions) uploads.clear()
      },
    },
  },
  {
    id: 'restart-revives-sessions',
    title: 'does not store which sessions have ended',
    behaviour: {
      restarted: ({ sessions }) => {
        for (const session of sessions) session.revoked = false
      },
    },
  },
]
