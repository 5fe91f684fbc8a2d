import type { Anomaly } from './anomaly.ts'
import type { Precedence } from './precedence.ts'
import { type SyncEvent, type Trace, uploadOf } from './trace.ts'
import { localIdOf } from './upload-form.ts'
import { possibleIn, type Write } from './writes.ts'

/** What the judges of a history know beside the trace. */
export interface Known {
  readonly trace: Trace
  /** All accepted writes by the thing's word. */
  readonly writes: ReadonlyMap<string, readonly Write[]>
  readonly precedes: Precedence
  /** The thing's word by `_id`. */
  readonly thingOf: ReadonlyMap<string, string>
}

/** Titles without the mark, for people and scripts; what is gone stays `gone`. */
export const plainTitles = (titles: readonly string[], mark: string): string[] =>
  titles.map((title) => title.replace(`${mark} `, ''))

// A request about a thing that is, or is about to be, deleted may be refused.
const mayBeRefused = (event: SyncEvent, { writes, precedes }: Known): boolean => {
  const upload = uploadOf(event)
  const things = [...(upload?.changes ?? []).map(({ thing }) => thing), ...(upload?.deletes ?? [])]
  return things.some((thing) =>
    (writes.get(thing) ?? []).some((write) => write.held === 'gone' && !precedes(event, write.event)),
  )
}

const judgeIds = (event: SyncEvent, { trace, thingOf }: Known): Anomaly | undefined => {
  for (const { thing } of uploadOf(event)?.creates ?? []) {
    const id = event.answers[0]?.ids.get(localIdOf(thing, trace.mark))
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

const judgeListed = (event: SyncEvent, id: string, title: string, known: Known): Anomaly | undefined => {
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
export const judgeAnswer = (event: SyncEvent, known: Known): Anomaly | undefined => {
  if (event.refusal !== undefined) {
    if (mayBeRefused(event, known)) return undefined
    const found = { kind: 'refused', event, subject: undefined, proof: { kind: 'accepted' } } as const
    return {
      ...found,
      expected: 'a sync answer with a number as pos; nothing is wrong with the request',
      actual: event.refusal,
    }
  }
  const wrongIds = judgeIds(event, known)
  if (wrongIds !== undefined) return wrongIds
  for (const answer of event.answers) {
    for (const [id, fields] of answer.changed) {
      const wrong = judgeListed(event, id, fields.title, known)
      if (wrong !== undefined) return wrong
      if (!answer.twice.has(id) || !known.thingOf.has(id)) continue
      const [title = ''] = plainTitles([fields.title], known.trace.mark)
      const expected = `${id} at most once, as changed or as deleted`
      const found = { kind: 'listed-twice', event, subject: known.thingOf.get(id), expected } as const
      return { ...found, actual: 'one answer lists it twice', proof: { kind: 'once', title } }
    }
    for (const id of answer.deleted) {
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
