import { type Behavior, rightServer, type Upload } from '../../src/model/behavior.ts'
import type { Account, Pair, ServerState, Session, StoredTag, Thing } from '../../src/model/state.ts'
import { createFaults, type Fault, fault } from './fault.ts'

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

/** Changes the fields of each thing at a restart. */
function eachFields(edit: (fields: Thing['fields'], thing: Thing) => void): Partial<Behavior> {
  return eachThing((thing) => edit(thing.fields, thing))
}

function eachText(edit: (text: string) => string): Partial<Behavior> {
  return eachFields((fields) => {
    fields.title = edit(fields.title)
    if (fields.html !== undefined) fields.html = edit(fields.html)
  })
}

const asLatin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

/** Notes something of each upload, and undoes the last one at a restart. */
function undoing(note: (account: Account, upload: Upload) => (() => void) | undefined): Partial<Behavior> {
  return {
    applied: (upload, _session, account) => {
      const undo = note(account, upload)
      if (undo !== undefined) account.memory.set('undo', undo)
      return upload
    },
    ...accounts(({ memory }) => {
      const undo = memory.get('undo') as (() => void) | undefined
      undo?.()
    }),
  }
}

const livingIds: Partial<Behavior> = {
  newId: ({ memory }) => {
    const count = Number(memory.get('ids') ?? 0) + 1
    memory.set('ids', count)
    return `t${count}`
  },
  ...accounts(({ things, memory }) => {
    const living = [...things.values()].filter(({ deleted }) => !deleted).map(({ id }) => Number(String(id).slice(1)))
    memory.set('ids', Math.max(0, ...living))
  }),
}

const startingIds: Partial<Behavior> = {
  newId: ({ things, memory }) => {
    let count = Number(memory.get('ids') ?? 0) + 1
    while (things.get(`t${count}`)?.deleted === false) count += 1
    memory.set('ids', count)
    return `t${count}`
  },
  ...accounts(({ memory }) => void memory.set('ids', 0)),
}

/** Mixes the data of all accounts at a restart. */
function mixing(mix: (account: Account, others: readonly Account[]) => void): Partial<Behavior> {
  return {
    restarted: (state) => {
      const all = [...state.accounts.values()]
      for (const account of all)
        mix(
          account,
          all.filter((other) => other !== account),
        )
    },
  }
}

/** Faults of restarts that change a value of one kind. */
export const restartValueFaults: readonly Fault[] = [
  ...createFaults(
    eachFields,
    [
      'restart-titles-as-latin1',
      'reads stored titles as Latin-1',
      (fields) => {
        fields.title = asLatin1(fields.title)
      },
    ],
    [
      'restart-loses-todo-status',
      'does not store todoStatus',
      (fields) => {
        fields.todoStatus = undefined
      },
    ],
    [
      'restart-loses-fractions',
      'stores whole dates',
      (fields) => {
        fields.date = Math.trunc(fields.date)
      },
    ],
    [
      'restart-dates-zero-again',
      'takes a stored date of 0 for none',
      (fields) => {
        fields.date ||= Math.floor(Date.now() / 1000)
      },
    ],
    [
      'restart-loses-tags-of-things',
      'stores ASCII tags of things only',
      (fields) => {
        fields.tags = fields.tags.replace(/[^ -~]/g, '')
      },
    ],
    [
      'restart-loses-urls',
      'cuts stored urls at the fragment',
      (fields) => {
        fields.url = fields.url?.replace(/#.*$/, '')
      },
    ],
    [
      'restart-cuts-html',
      'stores 4,096 characters of html',
      (fields) => {
        fields.html = fields.html?.slice(0, 4096)
      },
    ],
    [
      'restart-names-untitled',
      'names things without a title when it is restarted',
      (fields) => {
        fields.title ||= 'Untitled'
      },
    ],
  ),
  ...createFaults(
    eachText,
    ['restart-trims-texts', 'trims stored texts', (text) => text.trim()],
    ['restart-escapes-quotes', 'escapes stored quotes', (text) => text.replaceAll("'", "''")],
    ['restart-normalizes-line-breaks', 'stores CR LF as LF', (text) => text.replaceAll('\r\n', '\n')],
    [
      'restart-reads-values',
      'reads stored texts of digits as numbers',
      (text) => (/^\d+$/.test(text) ? String(Number(text)) : text),
    ],
  ),
  fault(
    'restart-loses-todo-settings',
    'does not store todo of tags',
    eachTag(({ settings }) => {
      settings.todo = false
    }),
  ),
  fault(
    'restart-loses-favorites',
    'does not store favorites',
    eachTag(({ settings }) => {
      settings.favorite = false
    }),
  ),
  fault(
    'restart-tag-names-as-latin1',
    'reads stored tag names as Latin-1',
    accounts((account) => {
      account.tags = new Map([...account.tags].map(([name, tag]) => [asLatin1(name), tag]))
    }),
  ),
  fault(
    'restart-rounds-colors',
    'stores one digit of each part of a color',
    eachTag(({ settings }) => {
      if (settings.color !== false) settings.color = settings.color.replace(/^#(.).(.).(.).$/, '#$1$1$2$2$3$3')
    }),
  ),
  fault(
    'restart-makes-favorites',
    'takes each tag with stored settings for a favorite',
    eachTag(({ settings }) => {
      settings.favorite = true
    }),
  ),
  fault('restart-first-settings-return', 'stores the first settings of each tag', {
    changedTag: (old, change) => rightServer.changedTag(old, change),
    applied: (upload, _session, account) => {
      const first = (account.memory.get('first') ?? new Map()) as Map<string, StoredTag['settings']>
      for (const [name, change] of upload.tags)
        if (!first.has(name))
          first.set(name, rightServer.changedTag({ favorite: false, color: false, todo: false }, change))
      account.memory.set('first', first)
      return upload
    },
    ...accounts(({ memory, tags }) => {
      for (const [name, settings] of (memory.get('first') ?? new Map()) as ReadonlyMap<string, StoredTag['settings']>) {
        const tag = tags.get(name)
        if (tag !== undefined) tag.settings = settings
      }
    }),
  }),
  fault(
    'restart-default-settings-forgotten',
    'does not store tags whose settings are all default',
    accounts(({ tags }) => {
      for (const [name, { settings }] of tags)
        if (!settings.favorite && settings.color === false && settings.todo === false) tags.delete(name)
    }),
  ),
  ...createFaults(
    undoing,
    [
      'restart-loses-last-creation',
      'loses the last new things when it is restarted',
      ({ things }, { created }) =>
        created.length === 0
          ? undefined
          : () => {
              for (const { id } of created) things.delete(id)
            },
    ],
    [
      'restart-loses-last-change',
      'loses the last changes when it is restarted',
      ({ things }, { changed }) => {
        const old = changed
          .flatMap(({ id }) => things.get(id) ?? [])
          .map((thing) => [thing, { ...thing.fields }] as const)
        return old.length === 0
          ? undefined
          : () => {
              for (const [thing, fields] of old) thing.fields = fields
            }
      },
    ],
    [
      'restart-loses-last-deletion',
      'loses the last deletions when it is restarted',
      ({ things }, { deleted }) =>
        deleted.length === 0
          ? undefined
          : () => {
              for (const id of deleted) {
                const thing = things.get(id)
                if (thing !== undefined) thing.deleted = false
              }
            },
    ],
    [
      'restart-loses-last-setting',
      'loses the last tag settings when it is restarted',
      ({ tags }, upload) => {
        const old = new Map([...upload.tags.keys()].map((name) => [name, tags.get(name)]))
        return old.size === 0
          ? undefined
          : () => {
              for (const [name, tag] of old) {
                if (tag === undefined) tags.delete(name)
                else tags.set(name, tag)
              }
            }
      },
    ],
  ),
  fault('restart-position-one-behind', 'goes on from one position less after a restart', {
    ...accounts((account) => {
      account.position -= 1
    }),
    isFull: (from) => from === undefined || from === 0,
  }),
  fault('restart-full-position-behind', 'gives full syncs one position less after a restart', {
    ...accounts(({ memory }) => void memory.set('restarted', true)),
    position: (account, _session, { full }) => account.position - (full && account.memory.has('restarted') ? 1 : 0),
  }),
  fault('restart-stops-positions', 'gives each write after a restart the position of the last one before it', {
    ...accounts(({ memory }) => void memory.set('restarted', true)),
    nextPosition: (account) => (account.memory.has('restarted') ? account.position : rightServer.nextPosition(account)),
  }),
  fault(
    'restart-forgets-change-positions',
    'stores the position of the creation of things only',
    eachThing((thing) => {
      if (!thing.deleted) thing.position = thing.created
    }),
  ),
  fault(
    'restart-forgets-deletion-positions',
    'stores the position of the creation of deleted things',
    eachThing((thing) => {
      if (thing.deleted) thing.position = thing.created
    }),
  ),
  fault(
    'restart-lists-settings-again',
    'gives all tag settings a new position when it is restarted',
    accounts((account) => {
      for (const tag of account.tags.values()) tag.position = rightServer.nextPosition(account)
    }),
  ),
  fault(
    'restart-lists-deletions-again',
    'gives all deletions a new position when it is restarted',
    eachThing((thing, account) => {
      if (thing.deleted) thing.position = rightServer.nextPosition(account)
    }),
  ),
  fault('restart-ids-from-start', 'counts _ids from 1 after a restart, and passes over living things', startingIds),
  fault('restart-ids-after-living', 'counts _ids from the newest living thing after a restart', livingIds),
  fault(
    'restart-mixes-accounts',
    'reads the things of all users into each account when it is restarted',
    mixing((account, others) => {
      for (const { things } of others) for (const [id, thing] of things) account.things.set(id, thing)
    }),
  ),
  fault(
    'restart-mixes-settings',
    'reads the tag settings of all users into each account when it is restarted',
    mixing((account, others) => {
      for (const { tags } of others) for (const [name, tag] of tags) account.tags.set(name, tag)
    }),
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
