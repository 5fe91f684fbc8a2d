import type { Anomaly } from './anomaly.ts'
import { foldEvent, type Holding } from './fold.ts'
import { judgeAnswer, type Known } from './judge-answer.ts'
import { judgeEnd, judgeRepetitions, syncEvents } from './judge-end.ts'
import { judgeHolding } from './judge-holding.ts'
import { type Precedence, precedesInTime } from './precedence.ts'
import type { Trace } from './trace.ts'
import { writesOf } from './writes.ts'

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
    const wrong = judgeAnswer(event, known)
    if (wrong !== undefined) return wrong
    if (event.refusal !== undefined) continue
    const folded = foldEvent(event, holdings.get(event.base) ?? empty, trace)
    // What an upload's answer leaves out may still follow; the next listing tells.
    const judged = event.step.kind === 'upload' ? folded : judgeHolding(event, folded, known)
    if ('kind' in judged) return judged
    holdings.set(event.number, judged)
  }
  return judgeRepetitions(events, known) ?? judgeEnd(events, holdings, known)
}
