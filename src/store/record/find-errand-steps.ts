import type { ErrandSteps } from '../errands/stored-errands.ts'
import type { ErrandChange } from './change.ts'
import { findValueEnd } from './find-value-end.ts'
import { findSteps, findUserId, isRepairedLine, type JournalLine, readSteps } from './journal-line.ts'
import { passBytes } from './json-bytes.ts'
import { isErrandStep, readChanges, removal } from './write-steps.ts'

const removalText = Buffer.from(JSON.stringify(removal))
const openings = ['[{"errand":', '[{"removedErrand":'].map((text) => Buffer.from(text))
const comma = 0x2c

// They stand before all others (change.ts), so that of a long line only its beginning is read.
const readFirstSteps = (steps: Buffer): readonly ErrandChange[] => {
  const found: ErrandChange[] = []
  for (let start = 1; ; ) {
    const end = findValueEnd(steps, start)
    if (end === -1) return found
    const step: unknown = JSON.parse(steps.toString('utf8', start, end))
    if (!isErrandStep(step)) return found
    found.push(step)
    if (steps[end] !== comma) return found
    start = end + 1
  }
}

// Whoever repaired it may have written it in another layout. What is no JSON is told when its account is opened.
const readRepaired = (line: Buffer): ErrandSteps => {
  const steps = readSteps(line)
  return steps === removal ? removal : (readChanges(steps)?.filter(isErrandStep) ?? [])
}

/** What a line that `readLine` read did to the errands of its account, or that it removed it; undefined for nothing. */
export const findErrandSteps = ({ key }: Pick<JournalLine, 'key'>, line: Buffer): ErrandSteps | undefined => {
  if (findUserId(key) === undefined) return undefined
  if (isRepairedLine(line)) return readRepaired(line)
  const steps = findSteps(line)
  if (passBytes(steps, 0, removalText) > 0) return removal
  return openings.some((opening) => passBytes(steps, 0, opening) > 0) ? readFirstSteps(steps) : undefined
}
