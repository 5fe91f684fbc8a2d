import { crc32 } from 'node:zlib'
import { StoreFailed } from '../store.ts'
import { encodeChecksum, repairedChecksum } from './journal-line.ts'

/** Thrown when a file is not what this program wrote; the message says in which way. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile'
}

/**
 * Thrown when a later version of the program wrote a file in a way that this one does not know. Such a file is neither
 * damaged nor to be repaired: it is left as it is.
 */
export class NewerVersion extends StoreFailed {
  /** The version of the program that wrote the file, where it says so. */
  readonly program: string | undefined

  constructor(sentence: string, program: string | undefined) {
    super(sentence)
    this.program = program
  }
}

/** What a document begins with. */
export interface SealedHead {
  readonly format: string
  readonly version: number
}

const chunkLength = 64 * 1024
const checksumLine = '\n"checksum": "'

const showChecksum = (value: number): string => `crc32 ${encodeChecksum(value)}`

/** How a document ends, whose other bytes have this checksum (crc32): always as long. */
export const showSeal = (checksum: number): string => `${checksumLine}${showChecksum(checksum)}"}\n`

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
 * One JSON object as text, in pieces: the head's keys, then the lists with one item a line, then a checksum of all that
 * stands above its own line.
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
    throw new DamagedFile('it holds no JSON object')
  return { ...value }
}

/**
 * The object in a text that `encodeSealed` wrote. Without a checksum, or with dashes for its digits (a person has repaired
 * it), the text is taken as it is. The head and the checksum stand in every version as they do now.
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
    // A flipped bit makes no later version.
    const isNewer = isWhole && Number.isSafeInteger(parsed.version) && Number(parsed.version) > head.version
    throw isNewer ? new NewerVersion(sentence, findProgram(parsed)) : new DamagedFile(sentence)
  }
  if (!isWhole) throw new DamagedFile('its checksum does not fit its content')
  return parsed
}

const findProgram = ({ program }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof program === 'string' ? program : undefined
