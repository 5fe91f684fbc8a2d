import { crc32 } from 'node:zlib'
import type { Work } from '../../scheduling.ts'
import { StoreError } from '../store.ts'
import { parseJson } from './json.ts'

/**
 * One write in the journal. A line is a JSON object with a head of fixed length:
 * `{"crc32":"<8 hex>","write":<12 characters>,"batch":<12 characters>,"of":"<key>","ofCrc32":"<8 hex>",
 * "do":<steps>}`. The first checksum covers all bytes after it. The key has its own checksum, so that even a damaged
 * line shows its key.
 */
export interface JournalLine {
  /** Number of the write, one above the number of the previous line. */
  readonly write: number
  /** Number of the first write in the same batch, which went to the disk together. */
  readonly batch: number
  /** The target of the write: an account, or the registry. */
  readonly key: string
}

/** Replaces the checksum in a line that a user repaired: such a line is accepted as it is. */
const repairedChecksum = '--------'

/** The beginning of every line. */
export const lineOpening = '{"crc32":"'

const opening = Buffer.from(lineOpening)
const closing = Buffer.from('",')
const checksumStart = opening.length
const checksumEnd = checksumStart + 8
const sealedStart = checksumEnd + closing.length
const numberStart = sealedStart + '"write":'.length
const numberEnd = numberStart + 12
const batchName = Buffer.from(',"batch":')
const batchStart = numberEnd + batchName.length
const batchEnd = batchStart + 12
const keyName = Buffer.from(',"of":')
const keyChecksumName = Buffer.from(',"ofCrc32":"')
const stepsNameLength = '","do":'.length
const quote = 0x22
const backslash = 0x5c

/** Encodes a checksum as in files. */
export const encodeChecksum = (value: number): string => value.toString(16).padStart(8, '0')

const sealHead = ({ write, batch, key }: JournalLine): string => {
  const numbers = `"write":${String(write).padStart(12)},"batch":${String(batch).padStart(12)}`
  const name = JSON.stringify(key)
  return `${numbers},"of":${name},"ofCrc32":"${encodeChecksum(crc32(name))}","do":`
}

const sealLine = (checksum: number): string => `${lineOpening}${encodeChecksum(checksum)}",`

const lineEnd = Buffer.from('}\n')
const sealedEnd = lineEnd.subarray(0, 1)

/** Encodes the line of a write, with its line break, in pieces. `steps` are pieces of JSON. */
export function* encodeLine(line: JournalLine, steps: readonly Buffer[]): Work<readonly Buffer[]> {
  const head = sealHead(line)
  let checksum = crc32(head)
  for (const piece of steps) {
    checksum = crc32(piece, checksum)
    yield
  }
  return [Buffer.from(sealLine(crc32(sealedEnd, checksum)) + head), ...steps, lineEnd]
}

/** Finds the end of a JSON string, after its closing quote; `start` is the offset of its opening quote. */
const findTextEnd = (bytes: Buffer, start: number): number => {
  let index = start + 1
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1
  return index + 1
}

const keyStart = batchEnd + keyName.length

/** Finds the key in a line, which may be damaged; undefined when the key is not certain. */
export const findKey = (line: Buffer): string | undefined => {
  if (!line.subarray(batchEnd, keyStart).equals(keyName) || line[keyStart] !== quote) return undefined
  const keyEnd = findTextEnd(line, keyStart)
  const checksumAt = keyEnd + keyChecksumName.length
  if (!line.subarray(keyEnd, checksumAt).equals(keyChecksumName)) return undefined
  const checksum = encodeChecksum(crc32(line.subarray(keyStart, keyEnd)))
  if (line.toString('latin1', checksumAt, checksumAt + 8) !== checksum) return undefined
  return String(JSON.parse(line.toString('utf8', keyStart, keyEnd)))
}

const hasFrame = (line: Buffer): boolean =>
  line.subarray(0, checksumStart).equals(opening) && line.subarray(checksumEnd, sealedStart).equals(closing)

/** Reads a line without its line break, except the steps; undefined when the line is damaged. */
export const readLine = (line: Buffer): JournalLine | undefined => {
  if (line.length <= keyStart || !hasFrame(line)) return undefined
  const checksum = line.toString('latin1', checksumStart, checksumEnd)
  const isRepaired = checksum === repairedChecksum
  if (!isRepaired && checksum !== encodeChecksum(crc32(line.subarray(sealedStart)))) return undefined
  const write = Number(line.toString('latin1', numberStart, numberEnd))
  const batch = Number(line.toString('latin1', batchStart, batchEnd))
  const key = findKey(line)
  return Number.isSafeInteger(write) && Number.isSafeInteger(batch) && key !== undefined
    ? { write, batch, key }
    : undefined
}

/** Returns true for a line that a user repaired: its content may have another layout. */
export const isRepairedLine = (line: Buffer): boolean =>
  line.toString('latin1', checksumStart, checksumEnd) === repairedChecksum

const findStepsStart = (line: Buffer): number =>
  findTextEnd(line, keyStart) + keyChecksumName.length + 8 + stepsNameLength

/** Finds the bytes of the steps of a line that `readLine` read. */
export const findSteps = (line: Buffer): Buffer => line.subarray(findStepsStart(line), line.length - 1)

/** Finds the same bytes including the bracket that ends the line. */
export const findStepsWithEnd = (line: Buffer): Buffer => line.subarray(findStepsStart(line))

/** Parses the steps of a line that `readLine` read; undefined when a repair left invalid JSON. */
export const readSteps = (line: Buffer): unknown => parseJson(findSteps(line).toString())

/** The key of the registry in the journal. */
export const registryKey = 'directory'

const accountPrefix = 'account '

/** Encodes the key of an account in the journal. */
export const encodeAccountKey = (userId: string): string => `${accountPrefix}${userId}`

/** Finds the account of a key; undefined for the key of the registry. */
export const findUserId = (key: string): string | undefined =>
  key.startsWith(accountPrefix) ? key.slice(accountPrefix.length) : undefined

/** A file is not as this program wrote it; the message describes the damage. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile'
}

/**
 * A later version of the program wrote a file in a format that this version does not know. The file is not damaged and
 * needs no repair: it stays unchanged.
 */
export class NewerVersion extends StoreError {
  /** The version of the program that wrote the file, if the file names it. */
  readonly program: string | undefined

  constructor(sentence: string, program: string | undefined) {
    super(sentence)
    this.program = program
  }
}

/** The beginning of a document. */
interface SealedHead {
  readonly format: string
  readonly version: number
}

const chunkLength = 64 * 1024
const checksumLine = '\n"checksum": "'

const showChecksum = (value: number): string => `crc32 ${encodeChecksum(value)}`

/** Returns the end of a document whose other bytes have this checksum (crc32). Its length is always the same. */
const showSeal = (checksum: number): string => `${checksumLine}${showChecksum(checksum)}"}\n`

function* encodeLines(head: object, lists: Readonly<Record<string, Iterable<unknown>>>): Generator<string> {
  yield JSON.stringify(head).slice(0, -1)
  for (const [name, items] of Object.entries(lists)) {
    yield `,\n${JSON.stringify(name)}: [`
    let separator = ''
    for (const item of items) {
      yield `${separator}\n${JSON.stringify(item)}`
      separator = ','
    }
    yield '\n]'
  }
  yield ','
}

/**
 * Encodes one JSON object as text, in pieces: the head's keys, then the lists with one item per line, then a checksum
 * of all text above its own line.
 */
export function* encodeSealed(
  head: SealedHead & Readonly<Record<string, string | number>>,
  lists: Readonly<Record<string, Iterable<unknown>>>,
): Generator<string, void, undefined> {
  let checksum = 0
  let chunk = ''
  for (const line of encodeLines(head, lists)) {
    chunk += line
    if (chunk.length < chunkLength) continue
    checksum = crc32(chunk, checksum)
    yield chunk
    chunk = ''
  }
  checksum = crc32(chunk, checksum)
  yield `${chunk}${showSeal(checksum)}`
}

const parseObject = (text: string): Readonly<Record<string, unknown>> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new DamagedFile(`it is not JSON: ${error.message}`, { cause: error })
    throw error
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new DamagedFile('it is not a JSON object')
  return { ...value }
}

/**
 * Decodes the object in a text that `encodeSealed` wrote. Without a checksum, or with dashes for its digits (after a
 * repair by a user), the text is accepted as it is. Head and checksum have the same offset in every version.
 * @throws DamagedFile, NewerVersion
 */
export const decodeSealed = (text: string, head: SealedHead): Readonly<Record<string, unknown>> => {
  const parsed = parseObject(text)
  if (parsed.format !== head.format)
    throw new DamagedFile(`its format is "${String(parsed.format)}", not "${head.format}"`)
  const sealed = text.slice(0, Math.max(0, text.lastIndexOf(checksumLine)))
  const isRepaired = parsed.checksum === undefined || parsed.checksum === `crc32 ${repairedChecksum}`
  const isWhole = isRepaired || parsed.checksum === showChecksum(crc32(sealed))
  if (parsed.version !== head.version) {
    const sentence = `its version is ${String(parsed.version)}, this program reads version ${head.version}`
    // A flipped bit in the version must not look like a later version.
    const isNewer = isWhole && Number.isSafeInteger(parsed.version) && Number(parsed.version) > head.version
    throw isNewer ? new NewerVersion(sentence, findProgram(parsed)) : new DamagedFile(sentence)
  }
  if (!isWhole) throw new DamagedFile('its checksum does not fit its content')
  return parsed
}

const findProgram = ({ program }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof program === 'string' ? program : undefined
