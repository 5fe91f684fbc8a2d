import { Refused } from '../refused.ts'
import type { Work } from '../slices.ts'
import { findInText, findMark } from './json-scan.ts'
import { longBytes } from './read-body.ts'

/** What the JSON of one request may hold. Sizes in bytes say nothing of it: two bytes can cost two hundred. */
export interface JsonLimits {
  /** Lists and objects within one another. */
  readonly jsonDepth: number
  /** Members of one object. */
  readonly jsonMembers: number
  /** Values of all kinds, lists and objects included. */
  readonly jsonValues: number
  /** Values that are parsed at once: those of one thing, or of one map. */
  readonly jsonValuesAtOnce: number
}

/**
 * The tag settings of one request may name 10,000 tags (openapi.yaml): as many members, and 40,000 values that are parsed
 * at once. 100,000 things with eight fields are 900,000 values.
 */
export const usualJsonLimits: JsonLimits = {
  jsonDepth: 32,
  jsonMembers: 10_000,
  jsonValues: 1_000_000,
  jsonValuesAtOnce: 50_000,
}

/** Where a long text is cut into pieces that are parsed one after the other (`parse-json.ts`). */
export type Cuts = 'nowhere' | 'between items' | 'between members and items'

/** Checks the JSON texts of one request before they are parsed, and counts what all of them hold together. */
export interface JsonMeter {
  /**
   * @throws Refused `parameterInvalid` for a text that is nested too deep, `tooManyItems` for one that holds too much;
   * whether it is JSON at all is for the parser to say
   */
  readonly check: (text: string | Buffer, parameter: string, cuts: Cuts) => Work<void>
}

const quote = 0x22
const comma = 0x2c
const arrayStart = 0x5b
const arrayEnd = 0x5d
const objectEnd = 0x7d

/** How far a text was looked through; the counts of what is open stand at its depth. */
interface Progress {
  at: number
  depth: number
  isString: boolean
  valuesAtOnce: number
  /** By depth. Not typed arrays: making these costs more than looking through a small text. */
  readonly commas: number[]
  readonly isList: boolean[]
}

const cutDepths: Readonly<Record<Cuts, number>> = {
  nowhere: 0,
  'between items': 1,
  'between members and items': 2,
}

/** A meter of a request of which nothing is counted yet. */
export const createJsonMeter = (limits: JsonLimits): JsonMeter => {
  const { jsonDepth, jsonMembers, jsonValues, jsonValuesAtOnce } = limits
  let values = 0
  // One text of a request is looked through after the other.
  const progress: Progress = {
    at: 0,
    depth: 0,
    isString: false,
    valuesAtOnce: 0,
    commas: [0],
    isList: [true],
  }

  const refuseCounts = (parameter: string): void => {
    const { depth, commas, isList, valuesAtOnce } = progress
    if (isList[depth] === false && (commas[depth] as number) >= jsonMembers) {
      throw tooMany(parameter, `holds an object of more than ${jsonMembers} members`)
    }
    if (values > jsonValues) throw tooMany(parameter, `holds more than ${jsonValues} values`)
    if (valuesAtOnce > jsonValuesAtOnce) {
      throw tooMany(parameter, `holds a thing or a map of more than ${jsonValuesAtOnce} values`)
    }
  }

  const open = (byte: number, parameter: string): void => {
    progress.depth++
    if (progress.depth > jsonDepth) {
      throw new Refused('parameterInvalid', { parameter, reason: `is nested deeper than ${jsonDepth} levels` })
    }
    progress.commas[progress.depth] = 0
    progress.isList[progress.depth] = byte === arrayStart
  }

  const countValue = (byte: number, parameter: string, cutDepth: number): void => {
    const { depth, commas, isList } = progress
    values++
    progress.valuesAtOnce++
    if (byte === comma) {
      commas[depth] = (commas[depth] as number) + 1
      if (depth < cutDepth || (depth === cutDepth && isList[depth] === true)) progress.valuesAtOnce = 0
    } else open(byte, parameter)
    refuseCounts(parameter)
  }

  const countPiece = (bytes: Buffer, parameter: string, cutDepth: number): void => {
    const stop = Math.min(bytes.length, progress.at + longBytes)
    let { at, isString } = progress
    while (at < stop) {
      at = isString ? findInText(bytes, at, stop) : findMark(bytes, at, stop)
      if (at >= stop) break
      const byte = bytes[at++] as number
      if (byte === quote) isString = !isString
      else if (isString) at++
      else if (byte !== arrayEnd && byte !== objectEnd) countValue(byte, parameter, cutDepth)
      else if (progress.depth > 0) progress.depth--
    }
    progress.at = at
    progress.isString = isString
  }

  const check: JsonMeter['check'] = (text, parameter, cuts) => {
    // Too short to hold anything that is refused.
    const checked = text.length <= jsonDepth ? '' : text
    const bytes = typeof checked === 'string' ? Buffer.from(checked) : checked
    progress.at = 0
    progress.depth = 0
    progress.isString = false
    progress.valuesAtOnce = 0
    return goThrough(bytes, progress, () => countPiece(bytes, parameter, cutDepths[cuts]))
  }

  return { check }
}

function* goThrough({ length }: Buffer, progress: Readonly<Progress>, goOn: () => void): Work<void> {
  while (progress.at < length) {
    goOn()
    yield
  }
}

const tooMany = (parameter: string, reason: string) => new Refused('tooManyItems', { parameter, reason })
