import type { AccountLoading } from '../account/account.ts'
import { createThingScanner } from '../account/kept-thing.ts'
import { sameBytes } from '../account/same-bytes.ts'
import { type Change, findPosition } from '../change.ts'
import { findValueEnd } from './find-value-end.ts'
import { areChanges } from './write-steps.ts'

/** Takes the steps of a write out of the bytes of its line. */
export interface StepReader {
  /** Takes some of them, with what stands between and behind them. False when they are not what was written. */
  readonly take: (bytes: Buffer) => boolean
  /** True when the end of the line was there. */
  readonly isComplete: () => boolean
}

const [opening, comma, closing] = [0x5b, 0x2c, 0x7d]
const lineEnd = Buffer.from(']}')
const thingName = Buffer.from('{"thing":')
const nextThing = Buffer.from('},{"thing":{"')

/** How much of some bytes of steps can be taken by itself; 0 when that cannot be told. */
export const findStepsCut = (bytes: Buffer): number => {
  const found = bytes.lastIndexOf(nextThing)
  return found === -1 ? 0 : found + '},'.length
}

const parseStep = (text: string): Change | undefined => {
  try {
    const steps: unknown = [JSON.parse(text)]
    return areChanges(steps) ? steps[0] : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Makes the steps of one write in an account. */
export const createStepReader = (loading: AccountLoading): StepReader => {
  const scanThing = createThingScanner()
  let isBegun = false
  let isEnded = false

  const isNext = (position: number | undefined): boolean =>
    position === undefined || position === loading.position() + 1

  /** Makes the step that stands at a place; gives where it ends, or -1. */
  const takeStep = (bytes: Buffer, start: number): number => {
    if (sameBytes(bytes, start, thingName, 0, thingName.length)) {
      const thing = scanThing(bytes, start + thingName.length)
      if (thing !== undefined && bytes[thing.end] === closing) {
        if (!isNext(thing.position)) return -1
        loading.putKept(thing)
        return thing.end + 1
      }
    }
    const end = findValueEnd(bytes, start)
    const step = end === -1 ? undefined : parseStep(bytes.toString('utf8', start, end))
    if (step === undefined || !isNext(findPosition(step))) return -1
    loading.put(step)
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
