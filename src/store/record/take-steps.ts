import type { Change } from './change.ts'
import { createThingScanner, type EncodedThing } from './encoded-thing.ts'
import { findValueEnd } from './find-value-end.ts'
import { findStepsWithEnd, isRepairedLine, readSteps } from './journal-line.ts'
import { passBytes } from './json-bytes.ts'
import { parseJson } from './parse-json.ts'
import { isInOrder, type StepOrder, type StepSink } from './step-sink.ts'
import { thingStart } from './thing-step.ts'
import { readChange, readChanges } from './write-steps.ts'

const [opening, comma] = [0x5b, 0x2c]
const lineEnd = Buffer.from(']}')
const thingName = Buffer.from('{"thing":')

/** All steps of a line that `readLine` has read; undefined where they are none. */
export const parseSteps = (line: Buffer): readonly Change[] | undefined => readChanges(readSteps(line))

const put = (step: Change | EncodedThing | undefined, sink: StepSink, order: StepOrder): boolean => {
  if (step === undefined || !isInOrder(step, order)) return false
  sink.put(step)
  return true
}

/**
 * Takes the steps of a line that `readLine` has read. False when they are not those of a write in this order; some of them
 * may be taken then. Those of a line that a person repaired may be JSON of any form.
 */
export const takeSteps = (line: Buffer, sink: StepSink, order: StepOrder): boolean => {
  if (isRepairedLine(line)) return parseSteps(line)?.every((step) => put(step, sink, order)) ?? false
  const scanThing = createThingScanner()

  /** Hands on the step that stands at a place; gives where it ends, or -1. */
  const takeStep = (bytes: Buffer, start: number): number => {
    const thing = passBytes(bytes, start, thingName) < 0 ? undefined : scanThing(bytes, start + thingStart)
    if (thing !== undefined) return put(thing, sink, order) ? thing.end + 1 : -1
    const end = findValueEnd(bytes, start)
    const step = end < 0 ? undefined : readChange(parseJson(bytes.toString('utf8', start, end)))
    return put(step, sink, order) ? end : -1
  }

  const steps = findStepsWithEnd(line)
  if (steps[0] !== opening) return false
  for (let start = 1; ; ) {
    const end = takeStep(steps, start)
    if (end < 0) return false
    if (steps[end] !== comma) return passBytes(steps, end, lineEnd) === steps.length
    start = end + 1
  }
}
