import {
  applyEvent,
  colorsOf,
  findPossibleStates,
  findShowableWrites,
  type Held,
  type Holding,
  isPossible,
  mentions,
  type Possible,
  type Write,
  writesOf,
} from './replica-state.ts'
import {
  differingFields,
  isSync,
  localIdOf,
  type Precedence,
  precedesInTime,
  type SyncEvent,
  type Trace,
  uploadOf,
} from './trace.ts'

/** The kinds of anomalies. */
type AnomalyKind =
  | 'rejected'
  | 'lost-change'
  | 'old-version'
  | 'resurrected-thing'
  | 'below-position'
  | 'forgotten-deletion'
  | 'skipped-by-pages'
  | 'repeated'
  | 'listed-twice'
  | 'duplicated-thing'
  | 'shared-id'
  | 'diverged'

/** An anomaly, the event that shows it, and the proof that a script can check. */
export interface Anomaly {
  readonly kind: AnomalyKind
  /** The event that shows it. */
  readonly event: SyncEvent
  /** Word of the thing, or name of the tag. */
  readonly subject: string | undefined
  readonly expected: string
  readonly actual: string
  readonly proof: Proof
}

/** A field in a replica's state; undefined when the thing has none. */
export type HeldField = readonly [
  name: 'url' | 'html' | 'archived' | 'date',
  value: string | number | boolean | undefined,
]

/** A check of the responses that a script can make. Titles are without the mark. */
type Proof =
  /** After the event the replica holds the thing with one of the titles, or not at all (`gone`). */
  | { readonly kind: 'holds'; readonly thing: string; readonly wanted: readonly string[] }
  /** After the event of number `other` the replica holds the thing with the title and fields that the event lists. */
  | { readonly kind: 'same'; readonly thing: string; readonly other: number; readonly fields: readonly HeldField[] }
  /** The last response does not list the thing as existing. */
  | { readonly kind: 'unlisted'; readonly thing: string }
  /** The last response does not contain the thing. */
  | { readonly kind: 'silent'; readonly thing: string }
  /** No two things in the response have the title, and none is listed twice. */
  | { readonly kind: 'once'; readonly title: string }
  /** The server accepts the request. */
  | { readonly kind: 'accepted' }
  /** Two created things have different IDs. */
  | { readonly kind: 'apart'; readonly things: readonly [string, string] }
  /** The tag has one of the colors in the replica's state. */
  | { readonly kind: 'color'; readonly tag: string; readonly wanted: readonly string[] }

/** The context of all checks of one history. */
interface Known {
  readonly trace: Trace
  /** All accepted writes by the thing's word. */
  readonly writes: ReadonlyMap<string, readonly Write[]>
  readonly precedes: Precedence
  /** The thing's word by `_id`. */
  readonly thingOf: ReadonlyMap<string, string>
}

/** Returns the titles without the mark; `gone` stays `gone`. */
const plainTitles = (titles: readonly string[], mark: string): string[] =>
  titles.map((title) => title.replace(`${mark} `, ''))

// A server may reject a request about a thing whose deletion came before or is in flight.
const mayBeRejected = (event: SyncEvent, { writes, precedes }: Known): boolean => {
  const upload = uploadOf(event)
  const things = [...(upload?.changes ?? []).map(({ thing }) => thing), ...(upload?.deletes ?? [])]
  return things.some((thing) =>
    (writes.get(thing) ?? []).some((write) => write.held === 'gone' && !precedes(event, write.event)),
  )
}

const checkIds = (event: SyncEvent, { trace, thingOf }: Known): Anomaly | undefined => {
  for (const { thing } of uploadOf(event)?.creates ?? []) {
    const id = event.responses[0]?.ids.get(localIdOf(thing, trace.mark))
    const found = { event, subject: thing }
    if (id === undefined) {
      const expected = `things.new with an entry for the local_id of "${thing}"`
      return { ...found, kind: 'rejected', expected, actual: 'there is none', proof: { kind: 'accepted' } }
    }
    const other = thingOf.get(id)
    if (other !== undefined && other !== thing) {
      const actual = `"${thing}" and "${other}" are both ${id}`
      const proof = { kind: 'apart', things: [thing, other] } as const
      return { ...found, kind: 'shared-id', expected: 'an _id of its own for every created thing', actual, proof }
    }
  }
  return undefined
}

const checkListed = (event: SyncEvent, id: string, title: string, known: Known): Anomaly | undefined => {
  const { mark } = known.trace
  const thing = known.thingOf.get(id)
  const [plain] = plainTitles([title], mark)
  if (thing === undefined) {
    if (!title.startsWith(`${mark} `)) return undefined
    const expected = `one thing for each creation; "${plain}" was given another _id when it was created`
    const proof = { kind: 'once', title: plain ?? '' } as const
    const actual = `a thing ${id} with the title "${plain}" is listed`
    return { kind: 'duplicated-thing', event, subject: undefined, expected, actual, proof }
  }
  const writes = known.writes.get(thing) ?? []
  const { mustBeDeleted, mayBeDeleted, values } = findPossibleStates(writes, event, known.precedes)
  const titles = plainTitles(
    values.map((fields) => fields.title),
    mark,
  )
  const holds = {
    kind: 'holds',
    thing,
    wanted: mustBeDeleted ? ['gone'] : mayBeDeleted ? [...titles, 'gone'] : titles,
  } as const
  const found = { event, subject: thing, proof: holds }
  if (mustBeDeleted) {
    const deleted = writes.find(({ held }) => held === 'gone')?.event.number
    const expected = `nothing more of "${thing}" (${id}): the response to its deletion came in line ${deleted}`
    const proof = { kind: 'unlisted', thing } as const
    return { ...found, proof, kind: 'resurrected-thing', expected, actual: `"${plain}" is listed as an existing thing` }
  }
  if (values.some((fields) => fields.title === title)) return undefined
  const written = writes.some(({ held }) => held !== 'gone' && held.title === title)
  const expected = `"${thing}" (${id}) as ${titles.map((text) => `"${text}"`).join(' or ')}, which was written last`
  return { ...found, kind: written ? 'old-version' : 'diverged', expected, actual: `it is listed as "${plain}"` }
}

/** Checks one response by itself: errors, IDs, and every listed thing. */
const checkResponse = (event: SyncEvent, known: Known): Anomaly | undefined => {
  if (event.apiError !== undefined) {
    if (mayBeRejected(event, known)) return undefined
    const found = { kind: 'rejected', event, subject: undefined, proof: { kind: 'accepted' } } as const
    return {
      ...found,
      expected: 'a sync response with a number as pos; nothing is wrong with the request',
      actual: event.apiError,
    }
  }
  const wrongIds = checkIds(event, known)
  if (wrongIds !== undefined) return wrongIds
  for (const response of event.responses) {
    for (const [id, fields] of response.changed) {
      const wrong = checkListed(event, id, fields.title, known)
      if (wrong !== undefined) return wrong
      if (!response.twice.has(id) || !known.thingOf.has(id)) continue
      const [title = ''] = plainTitles([fields.title], known.trace.mark)
      const expected = `${id} at most once, as changed or as deleted`
      const found = { kind: 'listed-twice', event, subject: known.thingOf.get(id), expected } as const
      return { ...found, actual: 'one response lists it twice', proof: { kind: 'once', title } }
    }
    for (const id of response.deleted) {
      const thing = known.thingOf.get(id)
      const writes = known.writes.get(thing ?? '') ?? []
      if (thing === undefined || writes.some((write) => write.held === 'gone' && !known.precedes(event, write.event))) {
        continue
      }
      const { values } = findPossibleStates(writes, event, known.precedes)
      const wanted = plainTitles(
        values.map((fields) => fields.title),
        known.trace.mark,
      )
      const expected = `"${thing}" (${id}) to exist: no replica deleted it`
      const proof = { kind: 'holds', thing, wanted } as const
      return { kind: 'lost-change', event, subject: thing, expected, actual: 'it is listed as deleted', proof }
    }
  }
  return undefined
}

const describe = (held: Held, mark: string): string =>
  held === 'gone' ? 'nothing of it' : `"${plainTitles([held.title], mark)[0]}"`

const kindOf = (event: SyncEvent, held: Held, possible: Possible, { trace }: Known): AnomalyKind => {
  if (trace.events.some((other) => isSync(other) && other.during === event.number)) return 'skipped-by-pages'
  if (event.base === 0) return 'lost-change'
  return held !== 'gone' && possible.mustBeDeleted ? 'forgotten-deletion' : 'below-position'
}

/**
 * Checks the state of a replica after a listing: of each thing a version that a correct server could have listed then.
 * A server may leave out what this replica uploaded itself; the check adds such a thing to the returned state.
 */
const checkHolding = (event: SyncEvent, holding: Holding, known: Known): Anomaly | Holding => {
  const { precedes } = known
  const { mark, idOf } = known.trace
  const things = new Map(holding.things)
  const from = event.base === 0 ? 'a full sync' : `the sync from the position of line ${event.base}`
  for (const [thing, writes] of known.writes) {
    const id = idOf.get(thing) ?? ''
    const held = things.get(id) ?? 'gone'
    const possible = findPossibleStates(writes, event, precedes)
    if (isPossible(held, possible)) continue
    const own = writes.findLast((write) => write.event.who === event.who && precedes(write.event, event))?.held
    if (own !== undefined && event.base > 0 && !mentions(event, id) && isPossible(own, possible)) {
      if (own === 'gone') things.delete(id)
      else things.set(id, own)
      continue
    }
    const titles = plainTitles(
      possible.values.map(({ title }) => title),
      mark,
    )
    const wanted = possible.mustBeDeleted ? ['gone'] : possible.mayBeDeleted ? [...titles, 'gone'] : titles
    const last = writes.findLast((write) => precedes(write.event, event))?.event
    const because =
      last === undefined ? '' : ` (written in line ${last.number} by ${last.who}, whose response came before)`
    const expected = `${event.who} to hold ${wanted.map((text) => (text === 'gone' ? `nothing of "${thing}"` : `"${text}"`)).join(' or ')} after ${from}${because}`
    const says = mentions(event, id) ? '' : `; the response does not contain ${id}`
    const actual = `${event.who} holds ${describe(held, mark)}${says}`
    const proof = { kind: 'holds', thing, wanted } as const
    return { kind: kindOf(event, held, possible, known), event, subject: thing, expected, actual, proof }
  }
  return checkColors(event, { ...holding, things }, known)
}

const checkColors = (event: SyncEvent, holding: Holding, known: Known): Anomaly | Holding => {
  const { precedes } = known
  const colors = new Map(holding.colors)
  for (const [tag, writes] of colorsOf(known.trace)) {
    if (!writes.some((write) => precedes(write.event, event))) continue
    const wanted = findShowableWrites(writes, event, precedes).map(({ color }) => color)
    const held = colors.get(tag)
    if (held !== undefined && wanted.includes(held)) continue
    const own = writes.findLast((write) => write.event.who === event.who && precedes(write.event, event))?.color
    if (
      own !== undefined &&
      event.base > 0 &&
      wanted.includes(own) &&
      !event.responses.some(({ colors }) => colors.has(tag))
    ) {
      colors.set(tag, own)
      continue
    }
    const expected = `tag ${tag} to have color ${wanted.join(' or ')} after line ${event.number}`
    const kind = event.base === 0 ? 'lost-change' : 'below-position'
    const actual = held === undefined ? `${event.who} did not get it` : `${event.who} holds ${held}`
    return { kind, event, subject: tag, expected, actual, proof: { kind: 'color', tag, wanted } }
  }
  return { ...holding, colors }
}

const isAfterAllWrites = (event: SyncEvent, { trace, precedes }: Known): boolean =>
  event.step.kind !== 'upload' &&
  trace.events.every((other) => !isSync(other) || uploadOf(other) === undefined || precedes(other, event))

/** Checks repetitions after all writes: a thing in two consecutive listings, each from the previous position. */
const checkRepetitions = (events: readonly SyncEvent[], known: Known): Anomaly | undefined => {
  const lineOf = (number: number): SyncEvent | undefined => events.find((event) => event.number === number)
  for (const event of events) {
    const before = lineOf(event.base)
    const first = lineOf(before?.base ?? 0)
    if (before === undefined || first === undefined) continue
    // One repetition is no proof: a server may hold a position back while another client's write is in flight.
    if (![first, before, event].every((each) => each.step.kind === 'list' && isAfterAllWrites(each, known))) continue
    for (const [id, thing] of known.thingOf) {
      const lists = ({ responses }: SyncEvent) =>
        responses.some(({ changed, deleted }) => changed.has(id) || deleted.has(id))
      if (!lists(before) || !lists(event)) continue
      const expected = `nothing of "${thing}" (${id}): it has not changed since line ${first.number}, whose position came before`
      const actual = `lines ${before.number} and ${event.number} list it again`
      return { kind: 'repeated', event, subject: thing, expected, actual, proof: { kind: 'silent', thing } }
    }
  }
  return undefined
}

/** Whether the replica changed the thing at or after its deletion: a server need not list its own upload to it. */
const hasRevived = (thing: string, { who }: SyncEvent, { writes, precedes }: Known): boolean => {
  const all = writes.get(thing) ?? []
  const deletions = all.filter(({ held }) => held === 'gone').map(({ event }) => event)
  return all.some(
    ({ event, held }) =>
      held !== 'gone' && event.who === who && deletions.some((deletion) => !precedes(event, deletion)),
  )
}

/** Checks the end: after all writes each replica's state must equal a new full sync, field by field. */
const checkEnd = (
  events: readonly SyncEvent[],
  holdings: ReadonlyMap<number, Holding>,
  known: Known,
): Anomaly | undefined => {
  const { mark, idOf } = known.trace
  const finalEvents = events.filter((event) => isAfterAllWrites(event, known))
  const fresh = finalEvents.findLast(({ base }) => base === 0)
  const shown = holdings.get(fresh?.number ?? 0)
  if (fresh === undefined || shown === undefined) return undefined
  for (const event of finalEvents) {
    const holding = holdings.get(event.number)
    if (holding === undefined) continue
    for (const [thing, id] of idOf) {
      const [one, other] = [holding.things.get(id), shown.things.get(id)]
      const names = one === undefined || other === undefined ? [] : differingFields(one, other)
      if (one === undefined && other !== undefined && hasRevived(thing, event, known)) continue
      if (one === other || (one !== undefined && other !== undefined && names.length === 0)) continue
      const describe = (fields: typeof one, name = names[0] ?? 'title') =>
        fields === undefined ? 'nothing' : `${name} ${JSON.stringify(plainTitles([String(fields[name])], mark)[0])}`
      const expected = `${event.who} to hold "${thing}" (${id}) after line ${event.number} as the full sync in line ${fresh.number} shows it: ${describe(other)}`
      const fields = (['url', 'html', 'archived', 'date'] as const)
        .filter((name) => one !== undefined && names.includes(name))
        .map((name): HeldField => [name, one?.[name]])
      const proof = { kind: 'same', thing, other: event.number, fields } as const
      return { kind: 'diverged', event: fresh, subject: thing, expected, actual: `it holds ${describe(one)}`, proof }
    }
  }
  return undefined
}

/** Returns the sync events of a trace in the order of their responses. */
const syncEvents = ({ trace }: Known): SyncEvent[] =>
  trace.events.filter(isSync).sort((one, other) => one.ended - other.ended)

const empty: Holding = { things: new Map(), colors: new Map() }

/**
 * Finds the first anomaly of a played history; returns undefined when a correct server could have responded so
 * (interface 4.3, rules 1 to 5). Racing writes may have either outcome; a server may list a replica's own uploads or
 * not. `precedes` decides which writes race: with `precedesInPlan` the same requests at other times can show an anomaly
 * again.
 */
export const findAnomaly = (trace: Trace, precedes: Precedence = precedesInTime): Anomaly | undefined => {
  const thingOf = new Map([...trace.idOf].map(([thing, id]) => [id, thing]))
  const known: Known = { trace, writes: writesOf(trace), thingOf, precedes }
  const events = syncEvents(known)
  const holdings = new Map<number, Holding>()
  for (const event of events) {
    const wrong = checkResponse(event, known)
    if (wrong !== undefined) return wrong
    if (event.apiError !== undefined) continue
    const applied = applyEvent(event, holdings.get(event.base) ?? empty, trace)
    // The response to an upload may leave out things that the next listing contains.
    const checked = event.step.kind === 'upload' ? applied : checkHolding(event, applied, known)
    if ('kind' in checked) return checked
    holdings.set(event.number, checked)
  }
  return checkRepetitions(events, known) ?? checkEnd(events, holdings, known)
}
