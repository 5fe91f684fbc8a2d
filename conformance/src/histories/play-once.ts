import { NoAnswer } from '../finding.ts'
import { writeUpload } from '../form.ts'
import type { Anomaly } from './anomaly.ts'
import { type Connection, withPatience } from './connection.ts'
import { findAnomaly } from './find-anomaly.ts'
import type { Plan } from './plan.ts'
import { playPlan } from './play-plan.ts'
import { type Precedence, precedesInTime } from './precedence.ts'
import { isSync, type Trace, uploadOf } from './trace.ts'

/** A history that went wrong. */
export interface Failure {
  readonly plan: Plan
  readonly trace: Trace
  readonly anomaly: Anomaly
}

/** Deletes what a history left behind, so that hundreds of them don't slow each other; what fails here decides nothing. */
const tidyUp = async ({ events, idOf }: Trace, { sync }: Connection): Promise<void> => {
  const last = events.filter(isSync).findLast(({ position }) => position !== undefined)
  const deleted = new Set(events.flatMap((event) => uploadOf(event)?.deletes ?? []))
  const living = [...idOf].filter(([thing]) => !deleted.has(thing)).map(([, id]) => id)
  if (last === undefined || living.length === 0) return
  try {
    await sync(last.who, [['from', String(last.position)], ...writeUpload('deleted_thing', living)], 'upload')
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
  }
}

/** Plays a plan once; undefined when nothing was wrong. `precedes` tells what raced; default: the times of the requests. */
export const playOnce = async (
  plan: Plan,
  connection: Connection,
  mark: string,
  precedes: Precedence = precedesInTime,
): Promise<Failure | undefined> => {
  const trace = await playPlan(plan, withPatience(connection), mark)
  const anomaly = findAnomaly(trace, precedes)
  await tidyUp(trace, connection)
  return anomaly === undefined ? undefined : { plan, trace, anomaly }
}
