import type { Anomaly, HeldField } from './anomaly.ts'
import type { Holding } from './fold.ts'
import { type Known, plainTitles } from './judge-answer.ts'
import { differingFields } from './thing-fields.ts'
import { isSync, type SyncEvent, uploadOf } from './trace.ts'

const isQuiet = (event: SyncEvent, { trace, precedes }: Known): boolean =>
  event.step.kind !== 'upload' &&
  trace.events.every((other) => !isSync(other) || uploadOf(other) === undefined || precedes(other, event))

/** Judges repetitions: in quiet, a thing that two listings in a row repeat, each from the position of the one before. */
export const judgeRepetitions = (events: readonly SyncEvent[], known: Known): Anomaly | undefined => {
  const lineOf = (number: number): SyncEvent | undefined => events.find((event) => event.number === number)
  for (const event of events) {
    const before = lineOf(event.base)
    const first = lineOf(before?.base ?? 0)
    if (before === undefined || first === undefined) continue
    // One repetition is no proof: a position may be held back a little while some other client's write is under way.
    if (![first, before, event].every((each) => each.step.kind === 'list' && isQuiet(each, known))) continue
    for (const [id, thing] of known.thingOf) {
      const lists = ({ answers }: SyncEvent) =>
        answers.some(({ changed, deleted }) => changed.has(id) || deleted.has(id))
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
export const judgeEnd = (
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
export const syncEvents = ({ trace }: Known): SyncEvent[] =>
  trace.events.filter(isSync).sort((one, other) => one.ended - other.ended)
