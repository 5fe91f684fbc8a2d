import type { Change } from './change.ts'
import { findValueEnd } from './find-value-end.ts'
import { createThingScanner } from './kept-thing.ts'
import { sameBytes } from './same-bytes.ts'
import { isInOrder, type StepOrder, type StepSink } from './step-sink.ts'
import { thingStart } from './thing-step.ts'
import { readChange } from './write-steps.ts'

/** Takes the steps of a write out of the bytes of its line. */
export interface StepReader {
  /** Takes some of them, with what stands between and behind them. False when they are not what was written. */
  readonly take: (bytes: Buffer) => boolean
  /** True when the end of the line was there. */
  readonly isComplete: () => boolean
}

const [opening, comma] = [0x5b, 0x2c]
const lineEnd = Buffer.from(']}')
const thingName = Buffer.from('{"thing":')

const parseStep = (text: string): Change | undefined => {
  try {
    return readChange(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Hands the steps of one line on, in an order. */
export const createStepReader = (sink: StepSink, order: StepOrder): StepReader => {
  const scanThing = createThingScanner()
  let isBegun = false
  let isEnded = false

  /** Hands on the step that stands at a place; gives where it ends, or -1. */
  const takeStep = (bytes: Buffer, start: number): number => {
    if (sameBytes(bytes, start, thingName, 0, thingName.length)) {
      const thing = scanThing(bytes, start + thingStart)
      if (thing !== undefined) {
        if (!order('thing', thing.position)) return -1
        sink.putKept(thing)
        return thing.end + 1
      }
    }
    const end = findValueEnd(bytes, start)
    const step = end === -1 ? undefined : parseStep(bytes.toString('utf8', start, end))
    if (step === undefined || !isInOrder(step, order)) return -1
    sink.put(step)
    return end
  }

  const take = (bytes: Buffer): boolean => {
    let at = 0
    if (!isBegun) {
      if (bytes[0] !== opening) return false
      at = 1
      isBegun = true
    }
    while (at < bytes.length) {
      at = isEnded ? -1 : takeStep(bytes, at)
      if (at === -1) return false
      if (bytes[at] === comma) at += 1
      else if (sameBytes(bytes, at, lineEnd, 0, lineEnd.length)) {
        at += lineEnd.length
        isEnded = true
      } else return false
    }
    return true
  }

  return { take, isComplete: () => isEnded }
}
