import { crc32 } from 'node:zlib'

/**
 * One write in the journal. A line is a JSON object with a head of fixed length:
 * `{"crc32":"<8 hex>","write":<12 characters>,"of":"<key>","do":<steps>}`. The checksum is that of all behind it.
 */
export interface JournalLine {
  /** Number of the write; each line's is one above that of the line before. */
  readonly write: number
  /** What the write changed: an account, or the directory. */
  readonly key: string
}

/** Stands in the place of the checksum in a line that a person repaired: such a line is taken as it is. */
export const repairedChecksum = '--------'

/** What every line begins with. */
export const lineOpening = '{"crc32":"'

const opening = Buffer.from(lineOpening)
const closing = Buffer.from('",')
const checksumStart = opening.length
const checksumEnd = checksumStart + 8
const sealedStart = checksumEnd + closing.length
const numberStart = sealedStart + '"write":'.length
const numberEnd = numberStart + 12
const keyName = Buffer.from(',"of":')
const stepsName = Buffer.from(',"do":')
const quote = 0x22
const backslash = 0x5c

const showChecksum = (value: number): string => value.toString(16).padStart(8, '0')

/** The line of a write, with its line break. `steps` is JSON. */
export const encodeLine = ({ write, key }: JournalLine, steps: string): string => {
  const sealed = `"write":${String(write).padStart(12)},"of":${JSON.stringify(key)},"do":${steps}}`
  return `${lineOpening}${showChecksum(crc32(sealed))}",${sealed}\n`
}

/** Where the text of a JSON string ends, behind its closing quote; `start` is at its opening quote. */
const findTextEnd = (bytes: Buffer, start: number): number => {
  let index = start + 1
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1
  return index + 1
}

const keyStart = numberEnd + keyName.length

/** The key that stands in a line, which may be damaged; undefined when nothing can be made out. */
export const guessKey = (line: Buffer): string | undefined => {
  if (!line.subarray(numberEnd, keyStart).equals(keyName) || line[keyStart] !== quote) return undefined
  try {
    const key: unknown = JSON.parse(line.toString('utf8', keyStart, findTextEnd(line, keyStart)))
    return typeof key === 'string' ? key : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Reads a line without its line break, all but the steps; undefined when it is not what was written. */
export const readLine = (line: Buffer): JournalLine | undefined => {
  if (line.length <= keyStart || !line.subarray(0, checksumStart).equals(opening)) return undefined
  if (!line.subarray(checksumEnd, sealedStart).equals(closing)) return undefined
  const checksum = line.toString('latin1', checksumStart, checksumEnd)
  const isRepaired = checksum === repairedChecksum
  if (!isRepaired && checksum !== showChecksum(crc32(line.subarray(sealedStart)))) return undefined
  const write = Number(line.toString('latin1', numberStart, numberEnd))
  const key = guessKey(line)
  return Number.isSafeInteger(write) && key !== undefined ? { write, key } : undefined
}

/** The steps of a line that `readLine` read. @throws SyntaxError when a person repaired it and left no JSON */
export const readSteps = (line: Buffer): unknown => {
  const start = findTextEnd(line, keyStart) + stepsName.length
  return JSON.parse(line.toString('utf8', start, line.length - 1))
}
