import { type Behaviour, right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import type { Account, Json, Session, World } from '../server/world.ts'
import { cutAt, type Fault, replacing } from './fault.ts'

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
  {
    id: 'local-id-zero-missing',
    title: 'takes a local_id of 0 for none',
    behaviour: lost((localId) => localId === '0'),
  },
  {
    id: 'new-map-list-for-small-numbers',
    title: 'gives things.new as a list when the local ids count from 0',
    behaviour: {
      newMap: (ids) =>
        [...ids.keys()].every((localId, place) => String(localId) === String(place)) ? [...ids.values()] : newMap(ids),
    },
  },
  {
    id: 'new-map-by-place',
    title: 'gives the ids of local ids that are numbers in the order of the numbers',
    behaviour: {
      newMap: (ids) => {
        const keys = [...ids.keys()].sort((a, b) => Number(a) - Number(b))
        return newMap(new Map([...ids.values()].map((id, place) => [keys[place], id])))
      },
    },
  },
  {
    id: 'local-id-number-text-lost',
    title: 'takes local ids that are strings of digits for places',
    behaviour: lost((localId) => /^\d\d$/.test(localId)),
  },
  {
    id: 'local-id-negative-lost',
    title: 'loses negative local ids',
    behaviour: lost((localId) => /^-\d/.test(localId)),
  },
  {
    id: 'local-id-31-bits',
    title: 'keeps 32 bits of local ids, one of them for the sign',
    behaviour: key(numbers((value) => (Number.isInteger(value) ? value | 0 : value))),
  },
  {
    id: 'local-id-32-bits',
    title: 'keeps 32 bits of local ids',
    behaviour: key(numbers((value) => (value > 0 ? value % 2 ** 32 : value))),
  },
  {
    id: 'local-id-exponent',
    title: 'writes large local ids with an exponent',
    behaviour: key((text) => (Number(text) > 1e12 ? Number(text).toExponential() : text)),
  },
  { id: 'local-id-single-precision', title: 'keeps local ids as small floats', behaviour: key(numbers(Math.fround)) },
  {
    id: 'local-id-number-evaluated',
    title: 'writes local ids that are numbers its own way',
    behaviour: key(numbers((value) => value)),
  },
  {
    id: 'local-id-words-lost',
    title: 'loses local ids called null, true and the like',
    behaviour: lost((localId) => ['null', 'undefined', 'true', 'false', 'NaN'].includes(localId)),
  },
  { id: 'local-id-dots-nested', title: 'nests local ids with dots', behaviour: { newMap: nest } },
  { id: 'local-id-slash-cut', title: 'keeps local ids from the last slash on', behaviour: key(replacing(/^.*\//)) },
  { id: 'local-id-dollar-lost', title: 'loses dollar signs of local ids', behaviour: key(replacing(/\$/g)) },
  { id: 'local-id-brackets-cut', title: 'cuts local ids at brackets', behaviour: key(replacing(/\[.*$/)) },
  { id: 'local-id-quotes-escaped', title: 'escapes quotes in local ids', behaviour: key(replacing(/["']/g, '\\$&')) },
  { id: 'local-id-trimmed', title: 'trims local ids', behaviour: key((text) => text.trim()) },
  {
    id: 'local-id-inherited-lost',
    title: 'loses local ids that lists inherit',
    behaviour: lost((localId) => localId in []),
  },
  { id: 'local-id-dashes-lost', title: 'drops dashes from local ids', behaviour: key(replacing(/(?<=\w)-/g)) },
  { id: 'local-id-percent-decoded', title: 'decodes escapes in local ids', behaviour: key(replacing(/%20/g, ' ')) },
  {
    id: 'local-id-case-ignored',
    title: 'ignores the case of local ids',
    behaviour: merging((localId) => localId.toLowerCase()),
  },
  {
    id: 'local-id-cut-at-32',
    title: 'keeps 32 characters of local ids',
    behaviour: key((text) => (text.endsWith('1') || text.endsWith('2') ? text.slice(0, 32) : text)),
  },
  {
    id: 'local-id-of-130-lost',
    title: 'loses local ids of some lengths',
    behaviour: lost((localId) => localId.length === 130),
  },
  { id: 'local-id-cut-at-100', title: 'keeps 100 characters of local ids', behaviour: key(cutAt(100)) },
  { id: 'local-id-cut-at-255', title: 'keeps 255 characters of local ids', behaviour: key(cutAt(255)) },
  { id: 'local-id-composed', title: 'composes local ids', behaviour: merging((localId) => localId.normalize('NFC')) },
  {
    id: 'local-id-accents-ignored',
    title: 'takes é and e in local ids for the same',
    behaviour: merging((localId) => (localId === '\u00e9' ? 'e' : localId)),
  },
  {
    id: 'local-id-once-a-session',
    title: 'creates one thing for a local_id in a session',
    behaviour: remembering(({ memory }) => memory, false),
  },
  {
    id: 'local-id-once-an-account',
    title: 'creates one thing for a local_id in an account',
    behaviour: remembering((_session, { memory }) => memory, false),
  },
  {
    id: 'local-id-changes-earlier',
    title: 'changes the thing that a local_id was used for before',
    behaviour: remembering((_session, { memory }) => memory, true),
  },
  {
    id: 'local-ids-of-all-users',
    title: 'takes a local_id that any user has used for that thing',
    behaviour: remembering((_session, _account, { memory }) => memory, false),
  },
  {
    id: 'local-id-used-refused',
    title: 'refuses a local_id that the session has used before',
    behaviour: {
      applied: (upload, { memory }) => {
        for (const { localId } of upload.created) {
          if (memory.has(`local ${localId}`)) throw new Refusal('local-id-shared', 'local_id was used before')
          memory.set(`local ${localId}`, true)
        }
        return upload
      },
    },
  },
  {
    id: 'new-map-remembers',
    title: 'maps in things.new what the session uploaded before, too',
    behaviour: {
      syncAnswer: (answer, { session }) => {
        const things = answer.things as { new?: object } | undefined
        if (things?.new === undefined || session === undefined) return answer
        const all = { ...(session.memory.get('mapped') as object | undefined), ...things.new }
        session.memory.set('mapped', all)
        return { ...answer, things: { ...things, new: all } }
      },
    },
  },
  {
    id: 'new-map-of-everybody',
    title: 'maps in things.new what other devices uploaded, too',
    behaviour: {
      syncAnswer: (answer, { account }) => {
        const things = answer.things as { new?: object } | undefined
        if (things?.new === undefined || account === undefined) return answer
        const all = { ...(account.memory.get('mapped') as object | undefined), ...things.new }
        account.memory.set('mapped', all)
        return { ...answer, things: { ...things, new: all } }
      },
    },
  },
  {
    id: 'new-map-of-all-users',
    title: 'gives for a local_id the id that another user was given for it',
    behaviour: {
      syncAnswer: (answer, { world: { memory } }) => {
        const things = answer.things as { new?: object } | undefined
        if (things?.new === undefined) return answer
        const known = Object.entries(things.new).map(
          ([localId, id]) => [localId, memory.get(`map ${localId}`) ?? id] as const,
        )
        for (const [localId, id] of known) memory.set(`map ${localId}`, id)
        return { ...answer, things: { ...things, new: Object.fromEntries(known) } }
      },
    },
  },
  {
    id: 'new-map-twice-mapped',
    title: 'maps each new id to itself, too',
    behaviour: { newMap: (ids) => newMap(new Map([...ids, ...[...ids.values()].map((id) => [id, id] as const)])) },
  },
]
