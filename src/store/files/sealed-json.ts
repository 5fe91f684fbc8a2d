import { crc32 } from 'node:zlib'

/** Thrown when a file is not what this program wrote; the message says in which way. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile'
}

/** What a document begins with. */
export interface SealedHead {
  readonly format: string
  readonly version: number
  /** An earlier version that is read as well. */
  readonly alsoReads?: number
}

const chunkLength = 64 * 1024
const checksumLine = '\n"checksum": "'

const showChecksum = (value: number): string => `crc32 ${value.toString(16).padStart(8, '0')}`

/** How a document ends, whose other bytes have this checksum (crc32): always as long. */
export const showSeal = (checksum: number): string => `${checksumLine}${showChecksum(checksum)}"}\n`

/** Items as JSON. */
export function* toJson(items: Iterable<unknown>): Generator<string> {
  for (const item of items) yield JSON.stringify(item)
}

function* encodeLines(head: object, lists: Readonly<Record<string, Iterable<string>>>): Generator<string> {
  yield JSON.stringify(head).slice(0, -1)
  for (const [name, items] of Object.entries(lists)) {
    yield `,\n${JSON.stringify(name)}: [`
    let separator = ''
    for (const item of items) {
      yield `${separator}\n${item}`
      separator = ','
    }
    yield '\n]'
  }
  yield ','
}

/**
 * One JSON object as text, in pieces: the head's keys, then the lists of items as JSON with one item a line, then a checksum of all
 * that stands above its own line.
 */
export function* sealJson(
  head: SealedHead & Readonly<Record<string, string | number>>,
  lists: Readonly<Record<string, Iterable<string>>>,
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

/** The same of items that are not JSON yet. */
export const encodeSealed = (
  head: SealedHead & Readonly<Record<string, string | number>>,
  lists: Readonly<Record<string, Iterable<unknown>>>,
): Generator<string, void, undefined> =>
  sealJson(head, Object.fromEntries(Object.entries(lists).map(([name, items]) => [name, toJson(items)])))

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
 * The object in a text that `encodeSealed` wrote. Without a checksum (a person took it out after a repair) the text is
 * taken as it is.
 * @throws DamagedFile
 */
export const decodeSealed = (text: string, head: SealedHead): Readonly<Record<string, unknown>> => {
  const parsed = parseObject(text)
  if (parsed.format !== head.format)
    throw new DamagedFile(`its format is "${String(parsed.format)}", not "${head.format}"`)
  if (parsed.version !== head.version && (head.alsoReads === undefined || parsed.version !== head.alsoReads))
    throw new DamagedFile(`its version is ${String(parsed.version)}, this program reads version ${head.version}`)
  const sealed = text.slice(0, Math.max(0, text.lastIndexOf(checksumLine)))
  if (parsed.checksum !== undefined && parsed.checksum !== showChecksum(crc32(sealed)))
    throw new DamagedFile('its checksum does not fit its content')
  return parsed
}
