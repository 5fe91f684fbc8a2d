import type { Anomaly, AnomalyKind } from './anomaly.ts'
import { type Holding, mentions } from './fold.ts'
import { type Known, plainTitles } from './judge-answer.ts'
import { isSync, type SyncEvent } from './trace.ts'
import { colorsOf, type Held, isPossible, type Possible, possibleIn, showable } from './writes.ts'

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
export const judgeHolding = (event: SyncEvent, holding: Holding, known: Known): Anomaly | Holding => {
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
  return judgeColors(event, { ...holding, things }, known)
}

const judgeColors = (event: SyncEvent, holding: Holding, known: Known): Anomaly | Holding => {
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
      !event.answers.some(({ colors }) => colors.has(tag))
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
