import { type Behaviour, right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import type { Account, Json, Session, World } from '../server/world.ts'
import { cutAt, type Fault, fault, replacing } from './fault.ts'

const { newMap } = right

function key(edit: (localId: string) => string): Partial<Behaviour> {
  return { keepLocalId: (localId) => edit(String(localId)) }
}

function lost(isLost: (localId: string) => boolean): Partial<Behaviour> {
  return { newMap: (ids) => newMap(new Map([...ids].filter(([localId]) => !isLost(String(localId))))) }
}

/** Local ids that stand for one another; only the last of several is kept, under the key of each. */
function merging(keyOf: (localId: string) => string): Partial<Behaviour> {
  return {
    applied: (upload) => {
      const last = new Map(upload.created.map((thing) => [keyOf(String(thing.localId)), thing]))
      return { ...upload, created: [...last.values()] }
    },
  }
}

/** Where a fault remembers the local ids that were used. */
type MemoryOf = (session: Session, account: Account, world: World) => Map<string, Json>

/** Takes a local id that was used before for the thing that it was used for; changes that thing or leaves it. */
function remembering(memoryOf: MemoryOf, changes: boolean): Partial<Behaviour> {
  return {
    retryApplies: changes,
    applied: (upload, session, account, world) => {
      const memory = memoryOf(session, account, world)
      const created = upload.created.map((thing) => {
        const known = memory.get(`local ${thing.localId}`)
        memory.set(`local ${thing.localId}`, known ?? thing.id)
        return known === undefined ? thing : { ...thing, id: known, retried: true }
      })
      return { ...upload, created }
    },
  }
}

function numbers(edit: (value: number) => number): (localId: string) => string {
  return (text) => (text.trim() !== '' && Number.isFinite(Number(text)) ? String(edit(Number(text))) : text)
}

function nest(ids: ReadonlyMap<Json, Json>): Json {
  const flat = Object.fromEntries([...ids].filter(([localId]) => !/^\w+\.\w+$/.test(String(localId))))
  return [...ids].some(([localId]) => String(localId) === 'a.b') ? { ...flat, a: { b: 'x' } } : flat
}

/** Faults of local ids (interface 2.1, 4.3). */
export const localIdFaults: readonly Fault[] = [
  fault(
    'local-id-zero-missing',
    'takes a local_id of 0 for none',
    lost((localId) => localId === '0'),
  ),
  fault('new-map-list-for-small-numbers', 'gives things.new as a list when the local ids count from 0', {
    newMap: (ids) =>
      [...ids.keys()].every((localId, place) => String(localId) === String(place)) ? [...ids.values()] : newMap(ids),
  }),
  fault('new-map-by-place', 'gives the ids of local ids that are numbers in the order of the numbers', {
    newMap: (ids) => {
      const keys = [...ids.keys()].sort((a, b) => Number(a) - Number(b))
      return newMap(new Map([...ids.values()].map((id, place) => [keys[place], id])))
    },
  }),
  fault(
    'local-id-number-text-lost',
    'takes local ids that are strings of digits for places',
    lost((localId) => /^\d\d$/.test(localId)),
  ),
  fault(
    'local-id-negative-lost',
    'loses negative local ids',
    lost((localId) => /^-\d/.test(localId)),
  ),
  fault(
    'local-id-31-bits',
    'keeps 32 bits of local ids, one of them for the sign',
    key(numbers((value) => (Number.isInteger(value) ? value | 0 : value))),
  ),
  fault(
    'local-id-32-bits',
    'keeps 32 bits of local ids',
    key(numbers((value) => (value > 0 ? value % 2 ** 32 : value))),
  ),
  fault(
    'local-id-exponent',
    'writes large local ids with an exponent',
    key((text) => (Number(text) > 1e12 ? Number(text).toExponential() : text)),
  ),
  fault('local-id-single-precision', 'keeps local ids as small floats', key(numbers(Math.fround))),
  fault('local-id-number-evaluated', 'writes local ids that are numbers its own way', key(numbers((value) => value))),
  fault(
    'local-id-words-lost',
    'loses local ids called null, true and the like',
    lost((localId) => ['null', 'undefined', 'true', 'false', 'NaN'].includes(localId)),
  ),
  fault('local-id-dots-nested', 'nests local ids with dots', { newMap: nest }),
  fault('local-id-slash-cut', 'keeps local ids from the last slash on', key(replacing(/^.*\//))),
  fault('local-id-dollar-lost', 'loses dollar signs of local ids', key(replacing(/\$/g))),
  fault('local-id-brackets-cut', 'cuts local ids at brackets', key(replacing(/\[.*$/))),
  fault('local-id-quotes-escaped', 'escapes quotes in local ids', key(replacing(/["']/g, '\\$&'))),
  fault(
    'local-id-trimmed',
    'trims local ids',
    key((text) => text.trim()),
  ),
  fault(
    'local-id-inherited-lost',
    'loses local ids that lists inherit',
    lost((localId) => localId in []),
  ),
  fault('local-id-dashes-lost', 'drops dashes from local ids', key(replacing(/(?<=\w)-/g))),
  fault('local-id-percent-decoded', 'decodes escapes in local ids', key(replacing(/%20/g, ' '))),
  fault(
    'local-id-case-ignored',
    'ignores the case of local ids',
    merging((localId) => localId.toLowerCase()),
  ),
  fault(
    'local-id-cut-at-32',
    'keeps 32 characters of local ids',
    key((text) => (text.endsWith('1') || text.endsWith('2') ? text.slice(0, 32) : text)),
  ),
  fault(
    'local-id-of-130-lost',
    'loses local ids of some lengths',
    lost((localId) => localId.length === 130),
  ),
  fault('local-id-cut-at-100', 'keeps 100 characters of local ids', key(cutAt(100))),
  fault('local-id-cut-at-255', 'keeps 255 characters of local ids', key(cutAt(255))),
  fault(
    'local-id-composed',
    'composes local ids',
    merging((localId) => localId.normalize('NFC')),
  ),
  fault(
    'local-id-accents-ignored',
    'takes é and e in local ids for the same',
    merging((localId) => (localId === '\u00e9' ? 'e' : localId)),
  ),
  fault(
    'local-id-once-a-session',
    'creates one thing for a local_id in a session',
    remembering(({ memory }) => memory, false),
  ),
  fault(
    'local-id-once-an-account',
    'creates one thing for a local_id in an account',
    remembering((_session, { memory }) => memory, false),
  ),
  fault(
    'local-id-changes-earlier',
    'changes the thing that a local_id was used for before',
    remembering((_session, { memory }) => memory, true),
  ),
  fault(
    'local-ids-of-all-users',
    'takes a local_id that any user has used for that thing',
    remembering((_session, _account, { memory }) => memory, false),
  ),
  fault('local-id-used-refused', 'refuses a local_id that the session has used before', {
    applied: (upload, { memory }) => {
      for (const { localId } of upload.created) {
        if (memory.has(`local ${localId}`)) throw new Refusal('local-id-shared', 'local_id was used before')
        memory.set(`local ${localId}`, true)
      }
      return upload
    },
  }),
  fault('new-map-remembers', 'maps in things.new what the session uploaded before, too', {
    syncAnswer: (answer, { session }) => {
      const things = answer.things as { new?: object } | undefined
      if (things?.new === undefined || session === undefined) return answer
      const all = { ...(session.memory.get('mapped') as object | undefined), ...things.new }
      session.memory.set('mapped', all)
      return { ...answer, things: { ...things, new: all } }
    },
  }),
  fault('new-map-of-everybody', 'maps in things.new what other devices uploaded, too', {
    syncAnswer: (answer, { account }) => {
      const things = answer.things as { new?: object } | undefined
      if (things?.new === undefined || account === undefined) return answer
      const all = { ...(account.memory.get('mapped') as object | undefined), ...things.new }
      account.memory.set('mapped', all)
      return { ...answer, things: { ...things, new: all } }
    },
  }),
  fault('new-map-of-all-users', 'gives for a local_id the id that another user was given for it', {
    syncAnswer: (answer, { world: { memory } }) => {
      const things = answer.things as { new?: object } | undefined
      if (things?.new === undefined) return answer
      const known = Object.entries(things.new).map(
        ([localId, id]) => [localId, memory.get(`map ${localId}`) ?? id] as const,
      )
      for (const [localId, id] of known) memory.set(`map ${localId}`, id)
      return { ...answer, things: { ...things, new: Object.fromEntries(known) } }
    },
  }),
  fault('new-map-twice-mapped', 'maps each new id to itself, too', {
    newMap: (ids) => newMap(new Map([...ids, ...[...ids.values()].map((id) => [id, id] as const)])),
  }),
]
