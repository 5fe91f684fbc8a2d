import type { RawRequest, Reply } from './client.ts'
import { isObject, type JsonObject, type Pair } from './encoding.ts'
import { isSyncResponse } from './sync-messages.ts'

/** A mistake that many failures follow from. A watch detects it during the run; reports show it first. */
export interface Mistake {
  readonly id: string
  /** The mistake of the server, as the heading of the failures that follow from it. */
  readonly sentence: string
  /** IDs of the rules that every server with this mistake fails, the best example first. */
  readonly follows: readonly string[]
  readonly watch: () => Watch
}

/** Watches the exchanges of one run. */
interface Watch {
  /** Receives a request before it is sent. */
  readonly noteSending: (user: number, request: RawRequest) => void
  /** Receives a request and its response. */
  readonly note: (user: number, request: RawRequest, reply: Reply) => void
  /** Whether the run certainly showed the mistake. */
  readonly isSeen: () => boolean
}

const ids = (topics: Readonly<Record<string, readonly number[]>>): string[] =>
  Object.entries(topics).flatMap(([topic, numbers]) =>
    numbers.map((number) => `${topic}-${String(number).padStart(2, '0')}`),
  )

/** Minimum number of full syncs in response to `from` that prove the mistake, when no response was incremental. */
const minCount = 2

const pairsOf = ({ query = [], form = [] }: RawRequest): readonly Pair[] => [...query, ...form]

/** Returns the `from` of a request when its response must be complete; pages and skips prove nothing. */
const completeFrom = (request: RawRequest): number | undefined => {
  const pairs = pairsOf(request)
  if (request.path !== 'sync' || pairs.some(([name]) => /^(limit|skip)/.test(name))) return undefined
  const from = Number(pairs.find(([name]) => name === 'from')?.[1] ?? 0)
  return from > 0 ? from : undefined
}

/** Returns everything in an upload that may be an ID. */
const namedIn = (request: RawRequest): readonly string[] => {
  const values = pairsOf(request).flatMap(([name, value]) => (/^(from|skip_id|access_token)/.test(name) ? [] : [value]))
  const decode = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16))
  return [...values, request.body ?? '']
    .map((text) => text.replaceAll(/\\u([\da-f]{4})/gi, decode))
    .flatMap((text) => text.match(/[^\s"'[\]{},:&=]+/g) ?? [])
}

const idsListed = (json: JsonObject | undefined): Set<string> => {
  const changed = isObject(json?.things) ? json.things.changed : undefined
  return new Set((Array.isArray(changed) ? changed : []).flatMap((thing) => (isObject(thing) ? String(thing._id) : [])))
}

/**
 * The mistake to ignore `from`: every sync is a full sync (interface 4.3). The proof: syncs from later positions always
 * list things of the run that no request touched since their creation.
 */
export const fromIgnored: Mistake = {
  id: 'from-ignored',
  sentence: '`from` is ignored: every sync is a full sync',
  follows: ids({
    'SYNC-INCREMENTAL': [4, 3, 5, 10, 12, 13, 14, 15, 17, 18],
    'SYNC-DELETE': [1, 2, 3, 4, 7, 12],
    'SYNC-POS': [4, 5, 6],
    'SYNC-UPLOAD': [1],
    'SYNC-CHANGE': [1],
    'SYNC-TWIN': [2],
    'SYNC-FORM': [1, 2, 3, 4],
    'SYNC-BESIDE': [1, 2, 3],
    'SYNC-COUNT': [2, 3, 4],
    'SYNC-SKIPID': [2],
    'SYNC-PAGE': [2, 3, 4, 5, 6, 7, 10, 11, 12, 16],
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
    'RESTART-SETTINGS': [1],
    'RESTART-LAST': [1, 2, 3, 4],
    'TODO-STATE': [1],
    'CHANGE-TWICE': [1],
    'CHANGE-MIXED': [1, 2],
    'LIST-TAGS': [2, 3],
    'PAGE-LIMIT': [1],
    'PAGE-SKIP': [1],
    'PAGE-DELETED': [1],
    'JSON-ESCAPE': [3],
    'JSON-SPACE': [1],
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
    'ERROR-ATOMIC': [1, 2],
  }),
  watch: () => {
    const untouched = new Map<number, Map<string, number>>()
    let ignored = 0
    let honored = 0
    return {
      noteSending: (user, request) => {
        for (const name of namedIn(request)) untouched.get(user)?.delete(name)
      },
      note: (user, request, reply) => {
        if (request.path !== 'sync' || !isSyncResponse(reply)) return
        const known = untouched.get(user) ?? new Map<string, number>()
        untouched.set(user, known)
        const from = completeFrom(request)
        // The first entry of the map is the earliest thing.
        const [witness] = known
        if (from !== undefined && witness !== undefined && witness[1] < from) {
          if (idsListed(reply.json).has(witness[0])) ignored += 1
          else honored += 1
        }
        const created = isObject(reply.json?.things) ? reply.json.things.new : undefined
        for (const id of isObject(created) ? Object.values(created) : []) {
          if (!known.has(String(id))) known.set(String(id), Number(reply.json?.pos))
        }
      },
      isSeen: () => honored === 0 && ignored >= minCount,
    }
  },
}

/** The known mistakes, in the order in which they are best fixed. */
export const allMistakes: readonly Mistake[] = [fromIgnored]
