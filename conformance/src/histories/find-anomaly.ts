import {
  colorsOf,
  foldEvent,
  type Held,
  type Holding,
  isPossible,
  mentions,
  type Possible,
  possibleIn,
  showable,
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

/** The ways in which a history can go wrong. */
type AnomalyKind =
  | 'refused'
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

/** What is wrong, where it shows, and what a script has to look at to show it again. */
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

/** A field as a replica holds it; undefined when the thing has none. */
export type HeldField = readonly [
  name: 'url' | 'html' | 'archived' | 'date',
  value: string | number | boolean | undefined,
]

/** A check of the answers that a script can make. Titles are without the mark. */
type Proof =
  /** What the replica holds of the thing after the event: one of the titles, or nothing (`gone`). */
  | { readonly kind: 'holds'; readonly thing: string; readonly wanted: readonly string[] }
  /** After the event of number `other` the thing is held with the title, and these fields, that the event lists. */
  | { readonly kind: 'same'; readonly thing: string; readonly other: number; readonly fields: readonly HeldField[] }
  /** The last answer does not list the thing as a living one. */
  | { readonly kind: 'unlisted'; readonly thing: string }
  /** The last answer says nothing about the thing. */
  | { readonly kind: 'silent'; readonly thing: string }
  /** No two things in the answer have the title, and none is listed twice. */
  | { readonly kind: 'once'; readonly title: string }
  /** The request is accepted. */
  | { readonly kind: 'accepted' }
  /** Two creations are given different ids. */
  | { readonly kind: 'apart'; readonly things: readonly [string, string] }
  /** The tag has one of the colors in what the replica holds. */
  | { readonly kind: 'color'; readonly tag: string; readonly wanted: readonly string[] }

/** What the judges of a history know beside the trace. */
interface Known {
  readonly trace: Trace
  /** All accepted writes by the thing's word. */
  readonly writes: ReadonlyMap<string, readonly Write[]>
  readonly precedes: Precedence
  /** The thing's word by `_id`. */
  readonly thingOf: ReadonlyMap<string, string>
}

/** Titles without the mark, for people and scripts; what is gone stays `gone`. */
const plainTitles = (titles: readonly string[], mark: string): string[] =>
  titles.map((title) => title.replace(`${mark} `, ''))

// A request about a thing that is, or is about to be, deleted may be refused.
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
      return { ...found, kind: 'refused', expected, actual: 'there is none', proof: { kind: 'accepted' } }
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
  const { mustBeGone, mayBeGone, values } = possibleIn(writes, event, known.precedes)
  const titles = plainTitles(
    values.map((fields) => fields.title),
    mark,
  )
  const holds = {
    kind: 'holds',
    thing,
    wanted: mustBeGone ? ['gone'] : mayBeGone ? [...titles, 'gone'] : titles,
  } as const
  const found = { event, subject: thing, proof: holds }
  if (mustBeGone) {
    const deleted = writes.find(({ held }) => held === 'gone')?.event.number
    const expected = `nothing more of "${thing}" (${id}): its deletion was answered in line ${deleted}`
    const proof = { kind: 'unlisted', thing } as const
    return { ...found, proof, kind: 'resurrected-thing', expected, actual: `"${plain}" is listed as a living thing` }
  }
  if (values.some((fields) => fields.title === title)) return undefined
  const written = writes.some(({ held }) => held !== 'gone' && held.title === title)
  const expected = `"${thing}" (${id}) as ${titles.map((text) => `"${text}"`).join(' or ')}, which was written last`
  return { ...found, kind: written ? 'old-version' : 'diverged', expected, actual: `it is listed as "${plain}"` }
}

/** Judges what an answer says by itself: refusals, ids, and every listed thing. */
const checkResponse = (event: SyncEvent, known: Known): Anomaly | undefined => {
  if (event.apiError !== undefined) {
    if (mayBeRejected(event, known)) return undefined
    const found = { kind: 'refused', event, subject: undefined, proof: { kind: 'accepted' } } as const
    return {
      ...found,
      expected: 'a sync answer with a number as pos; nothing is wrong with the request',
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
      return { ...found, actual: 'one answer lists it twice', proof: { kind: 'once', title } }
    }
    for (const id of response.deleted) {
      const thing = known.thingOf.get(id)
      const writes = known.writes.get(thing ?? '') ?? []
      if (thing === undefined || writes.some((write) => write.held === 'gone' && !known.precedes(event, write.event))) {
        continue
      }
      const { values } = possibleIn(writes, event, known.precedes)
      const wanted = plainTitles(
        values.map((fields) => fields.title),
        known.trace.mark,
      )
      const expected = `"${thing}" (${id}) to live: nobody deleted it`
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
  return held !== 'gone' && possible.mustBeGone ? 'forgotten-deletion' : 'below-position'
}

/**
 * Judges what a replica holds after a listing: of each thing a version that a server which keeps the rules could have
 * shown then. A server may leave out of a listing what this very replica uploaded; such a thing is put into the holding
 * that is given back.
 */
const checkHolding = (event: SyncEvent, holding: Holding, known: Known): Anomaly | Holding => {
  const { precedes } = known
  const { mark, idOf } = known.trace
  const things = new Map(holding.things)
  const from = event.base === 0 ? 'a full listing' : `the listing from the position of line ${event.base}`
  for (const [thing, writes] of known.writes) {
    const id = idOf.get(thing) ?? ''
    const held = things.get(id) ?? 'gone'
    const possible = possibleIn(writes, event, precedes)
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
    const wanted = possible.mustBeGone ? ['gone'] : possible.mayBeGone ? [...titles, 'gone'] : titles
    const last = writes.findLast((write) => precedes(write.event, event))?.event
    const because = last === undefined ? '' : ` (written in line ${last.number} by ${last.who}, answered before)`
    const expected = `${event.who} to hold ${wanted.map((text) => (text === 'gone' ? `nothing of "${thing}"` : `"${text}"`)).join(' or ')} after ${from}${because}`
    const says = mentions(event, id) ? '' : `; the answer says nothing about ${id}`
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
    const wanted = showable(writes, event, precedes).map(({ color }) => color)
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
    const actual = held === undefined ? `${event.who} was told nothing of it` : `${event.who} holds ${held}`
    return { kind, event, subject: tag, expected, actual, proof: { kind: 'color', tag, wanted } }
  }
  return { ...holding, colors }
}

const isQuiet = (event: SyncEvent, { trace, precedes }: Known): boolean =>
  event.step.kind !== 'upload' &&
  trace.events.every((other) => !isSync(other) || uploadOf(other) === undefined || precedes(other, event))

/** Judges repetitions: in quiet, a thing that two listings in a row repeat, each from the position of the one before. */
const checkRepetitions = (events: readonly SyncEvent[], known: Known): Anomaly | undefined => {
  const lineOf = (number: number): SyncEvent | undefined => events.find((event) => event.number === number)
  for (const event of events) {
    const before = lineOf(event.base)
    const first = lineOf(before?.base ?? 0)
    if (before === undefined || first === undefined) continue
    // One repetition is no proof: a position may be held back a little while some other client's write is under way.
    if (![first, before, event].every((each) => each.step.kind === 'list' && isQuiet(each, known))) continue
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

/** Whether the replica itself changed the thing at or after its deletion: what it uploaded need not be listed to it. */
const revivedIt = (thing: string, { who }: SyncEvent, { writes, precedes }: Known): boolean => {
  const all = writes.get(thing) ?? []
  const deletions = all.filter(({ held }) => held === 'gone').map(({ event }) => event)
  return all.some(
    ({ event, held }) =>
      held !== 'gone' && event.who === who && deletions.some((deletion) => !precedes(event, deletion)),
  )
}

/** Judges the end: what each replica holds in quiet is what a fresh full listing shows, field by field. */
const checkEnd = (
  events: readonly SyncEvent[],
  holdings: ReadonlyMap<number, Holding>,
  known: Known,
): Anomaly | undefined => {
  const { mark, idOf } = known.trace
  const quiet = events.filter((event) => isQuiet(event, known))
  const fresh = quiet.findLast(({ base }) => base === 0)
  const shown = holdings.get(fresh?.number ?? 0)
  if (fresh === undefined || shown === undefined) return undefined
  for (const event of quiet) {
    const holding = holdings.get(event.number)
    if (holding === undefined) continue
    for (const [thing, id] of idOf) {
      const [one, other] = [holding.things.get(id), shown.things.get(id)]
      const names = one === undefined || other === undefined ? [] : differingFields(one, other)
      if (one === undefined && other !== undefined && revivedIt(thing, event, known)) continue
      if (one === other || (one !== undefined && other !== undefined && names.length === 0)) continue
      const describe = (fields: typeof one, name = names[0] ?? 'title') =>
        fields === undefined ? 'nothing' : `${name} ${JSON.stringify(plainTitles([String(fields[name])], mark)[0])}`
      const expected = `${event.who} to hold "${thing}" (${id}) after line ${event.number} as the full listing in line ${fresh.number} shows it: ${describe(other)}`
      const fields = (['url', 'html', 'archived', 'date'] as const)
        .filter((name) => one !== undefined && names.includes(name))
        .map((name): HeldField => [name, one?.[name]])
      const proof = { kind: 'same', thing, other: event.number, fields } as const
      return { kind: 'diverged', event: fresh, subject: thing, expected, actual: `it holds ${describe(one)}`, proof }
    }
  }
  return undefined
}

/** The sync events of a trace in the order of their answers. */
const syncEvents = ({ trace }: Known): SyncEvent[] =>
  trace.events.filter(isSync).sort((one, other) => one.ended - other.ended)

const empty: Holding = { things: new Map(), colors: new Map() }

/**
 * The first thing that is wrong in a history as it was played, or undefined when a server that keeps the rules could
 * have answered so (interface 4.3, rules 1 to 5). Racing writes may have either outcome; own uploads may be listed or
 * not. Which writes race is what `precedes` says: with `precedesInPlan` an anomaly can be shown again by the same
 * requests at other times.
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
    const folded = foldEvent(event, holdings.get(event.base) ?? empty, trace)
    // What an upload's answer leaves out may still follow; the next listing tells.
    const checked = event.step.kind === 'upload' ? folded : checkHolding(event, folded, known)
    if ('kind' in checked) return checked
    holdings.set(event.number, checked)
  }
  return checkRepetitions(events, known) ?? checkEnd(events, holdings, known)
}
