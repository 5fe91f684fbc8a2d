import type { Change } from './change.ts'
import { findStepsWithEnd, isRepairedLine, readSteps } from './journal-line.ts'
import { createStepReader } from './read-steps.ts'
import { isInOrder, type StepOrder, type StepSink } from './step-sink.ts'
import { readChanges } from './write-steps.ts'

/** All steps of a line that `readLine` has read; undefined where they are none, as a person may have left it. */
export const parseSteps = (line: Buffer): readonly Change[] | undefined => {
  try {
    return readChanges(readSteps(line))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const takeRepaired = (line: Buffer, sink: StepSink, order: StepOrder): boolean => {
  const steps = parseSteps(line)
  if (steps === undefined) return false
  for (const step of steps) {
    if (!isInOrder(step, order)) return false
    sink.put(step)
  }
  return true
}

/**
 * Takes the steps of a line that `readLine` has read. False when they are not those of a write in this order; some of them
 * may be taken then. Those of a line that a person repaired may be JSON of any form.
 */
export const takeSteps = (line: Buffer, sink: StepSink, order: StepOrder): boolean => {
  if (isRepairedLine(line)) return takeRepaired(line, sink, order)
  const steps = createStepReader(sink, order)
  return steps.take(findStepsWithEnd(line)) && steps.isComplete()
}
