import type { RawRequest, Reply } from './client.ts'
import { isObject, type JsonObject, type Pair } from './encoding.ts'
import { isSyncResponse } from './sync-messages.ts'

/** A mistake of which others follow: seen in what passes during the whole run, and told before all that follows. */
export interface Mistake {
  readonly id: string
  /** What the server does wrong, as the heading of what follows from it. */
  readonly sentence: string
  /** Ids of the rules that no server with this mistake can keep, the one that shows it best first. */
  readonly follows: readonly string[]
  readonly watch: () => Watch
}

/** Looks on during one run. */
interface Watch {
  /** Takes a request before it is sent. */
  readonly noteSending: (user: number, request: RawRequest) => void
  /** Takes a request and its answer. */
  readonly note: (user: number, request: RawRequest, reply: Reply) => void
  /** Whether the mistake was surely seen. */
  readonly isSeen: () => boolean
}

const ids = (topics: Readonly<Record<string, readonly number[]>>): string[] =>
  Object.entries(topics).flatMap(([topic, numbers]) =>
    numbers.map((number) => `${topic}-${String(number).padStart(2, '0')}`),
  )

/** Full listings in answer to `from` after which it is no accident, when none was answered otherwise. */
const minCount = 2

const pairsOf = ({ query = [], form = [] }: RawRequest): readonly Pair[] => [...query, ...form]

/** The position that a request asks from, where the answer has to be whole; pages and what is skipped prove nothing. */
const wholeFrom = (request: RawRequest): number | undefined => {
  const pairs = pairsOf(request)
  if (request.path !== 'sync' || pairs.some(([name]) => /^(limit|skip)/.test(name))) return undefined
  const from = Number(pairs.find(([name]) => name === 'from')?.[1] ?? 0)
  return from > 0 ? from : undefined
}

/** Everything in an upload that may be an id. */
const namedIn = (request: RawRequest): readonly string[] => {
  const values = pairsOf(request).flatMap(([name, value]) => (/^(from|skip_id|access_token)/.test(name) ? [] : [value]))
  return [...values, request.body ?? ''].flatMap((text) => text.match(/[^\s"'[\]{},:&=]+/g) ?? [])
}

const idsListed = (json: JsonObject | undefined): Set<string> => {
  const changed = isObject(json?.things) ? json.things.changed : undefined
  return new Set((Array.isArray(changed) ? changed : []).flatMap((thing) => (isObject(thing) ? String(thing._id) : [])))
}

/**
 * Every listing is a full one, whatever `from` says (interface 4.3): seen by things of the run that nobody touched since
 * they were created, and that are listed from later positions all the same, always.
 */
export const fromIgnored: Mistake = {
  id: 'from-ignored',
  sentence: '`from` is ignored: every listing is a full one',
  follows: ids({
    'SYNC-DELTA': [4, 3, 5, 10, 12, 13, 14, 15, 17, 18],
    'SYNC-DELETE': [1, 2, 3, 4, 7, 12],
    'SYNC-POS': [4, 5, 6],
    'SYNC-UPLOAD': [1],
    'SYNC-CHANGE': [1],
    'SYNC-TWIN': [2],
    'SYNC-FORM': [1, 2, 3, 4],
    'SYNC-BESIDE': [1, 2, 3],
    'SYNC-COUNT': [2, 3, 4],
    'SYNC-SKIPID': [2],
    'SYNC-PAGE': [2, 3, 4, 5, 6, 7, 10, 11, 12],
    'SYNC-RACE': [2],
    'RACE-LIST': [1],
    'RACE-TOLD': [3, 6, 8, 9],
    'RACE-SAME': [1, 2],
    'WIRE-ORDER': [1, 2],
    'SIZE-LIST': [1],
    'SIZE-DELETE': [1],
    'SIZE-SKIPID': [1],
    'TAG-FAVORITE': [2],
    'TAG-COLOR': [2],
    'TAG-TODO': [2],
    'TAG-APART': [1, 2],
    'TAG-THINGS': [1],
    'USER-DELETED': [1],
    'RESTART-DELETED': [1],
    'RESTART-POSITION': [1],
    'HISTORY-CONVERGE': [1],
    'HISTORY-POSITION': [1],
    'HISTORY-DELETION': [1],
    'HISTORY-PAGES': [1, 2],
    'TAG-SETTING-COLOR': [3],
    'FORM-INDEX': [1],
    'FORM-IDS': [2],
    'SYNC-ORDER': [2],
    'SYNC-ECHO': [2],
    'UPLOAD-ORDER': [1],
    'THING-DELETE': [3],
    'WEBHOOK-BODY': [2],
    'WAIT-EMPTY': [1],
    'ERROR-ATOMIC': [1],
  }),
  watch: () => {
    const untouched = new Map<number, Map<string, number>>()
    let ignored = 0
    let heeded = 0
    return {
      noteSending: (user, request) => {
        for (const name of namedIn(request)) untouched.get(user)?.delete(name)
      },
      note: (user, request, reply) => {
        if (request.path !== 'sync' || !isSyncResponse(reply)) return
        const known = untouched.get(user) ?? new Map<string, number>()
        untouched.set(user, known)
        const from = wholeFrom(request)
        // The earliest that is known: the first of the map.
        const [witness] = known
        if (from !== undefined && witness !== undefined && witness[1] < from) {
          if (idsListed(reply.json).has(witness[0])) ignored += 1
          else heeded += 1
        }
        const made = isObject(reply.json?.things) ? reply.json.things.new : undefined
        for (const id of isObject(made) ? Object.values(made) : []) {
          if (!known.has(String(id))) known.set(String(id), Number(reply.json?.pos))
        }
      },
      isSeen: () => heeded === 0 && ignored >= minCount,
    }
  },
}

/** The mistakes that are told before what follows from them, in the order in which they are mended. */
export const allMistakes: readonly Mistake[] = [fromIgnored]
