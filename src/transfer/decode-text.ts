import { readNetscape } from './netscape.ts'

/** A file has another encoding than expected. The message says where, and what the user can do. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError'
}

/** The number of bytes at the start of a file that are used to find its encoding. */
export const headBytes = 4096

const declaredCharset = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w:.-]+)/iu

/**
 * Finds the encoding of a file from its first bytes: UTF-16 after its byte order mark, the declared encoding of a
 * Netscape file, or else UTF-8.
 * @throws EncodingError if the declared encoding is unknown, and for a ZIP archive or a gzip file
 */
export const findEncoding = (head: Uint8Array): string => {
  const [first, second, third] = head
  if ((first === 0x50 && second === 0x4b && third === 3) || (first === 0x1f && second === 0x8b))
    throw new EncodingError('the file is compressed (ZIP or gzip); unpack it, and import the files in it')
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  // ASCII letters have the same bytes in each encoding that may be declared.
  const text = new TextDecoder('latin1').decode(head.subarray(0, headBytes))
  const label = readNetscape.guess(text, '') ? declaredCharset.exec(text)?.[1] : undefined
  if (label === undefined) return 'utf-8'
  const { encoding } = createDecoder(label)
  // The declaration is wrong: in UTF-16 it could not have been read.
  return encoding.startsWith('utf-16') ? 'utf-8' : encoding
}

const createDecoder = (label: string): TextDecoder => {
  try {
    return new TextDecoder(label, { fatal: true })
  } catch (error) {
    if (error instanceof RangeError)
      throw new EncodingError(`the file declares the encoding ${label}, which is not known; ${advice}`)
    throw error
  }
}

const advice = 'save it as UTF-8, with a text editor or iconv -f windows-1252 -t utf-8, and import it again'

/**
 * Decodes a file, in chunks. The text is complete, including a byte order mark.
 * @throws EncodingError at the first byte that is invalid in the file's encoding; what `bytes` throws
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let decoder: TextDecoder | undefined
  let line = 1
  let byte = 0
  let before = new Uint8Array()
  for await (const chunk of joinHead(bytes)) {
    decoder ??= createDecoder(findEncoding(chunk))
    const text = decode(decoder, chunk, () =>
      describeLocation(decoder, line + countLinesBeforeInvalid(before, chunk), byte),
    )
    line += countLineEnds(text)
    byte += chunk.length
    before = chunk.slice(-maxCharacterBytes)
    yield text
  }
  const rest = decoder === undefined ? '' : decode(decoder, undefined, () => describeLocation(decoder, line, byte))
  if (rest !== '') yield rest
}

/** Joins the first chunks, until they have `headBytes`. */
async function* joinHead(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let head: Uint8Array | undefined = new Uint8Array()
  for await (const chunk of bytes) {
    if (head === undefined) {
      yield chunk
      continue
    }
    const joined: Uint8Array = join(head, chunk)
    head = joined.length < headBytes ? joined : undefined
    if (head === undefined) yield joined
  }
  if (head !== undefined && head.length > 0) yield head
}

const join = (one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> => {
  const joined = new Uint8Array(one.length + other.length)
  joined.set(one)
  joined.set(other, one.length)
  return joined
}

/** Decodes a chunk; undefined stands for the end of the file. */
const decode = (decoder: TextDecoder, bytes: Uint8Array | undefined, describe: () => string): string => {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
  } catch (error) {
    if (error instanceof TypeError) throw new EncodingError(describe())
    throw error
  }
}

// Without allocations: files may have a gigabyte.
const countLineEnds = (text: string): number => {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

const describeLocation = (decoder: TextDecoder | undefined, line: number, byte: number): string => {
  const encoding = (decoder?.encoding ?? 'utf-8').toUpperCase()
  // `countLinesBeforeInvalid` works for UTF-8 only.
  const location = encoding === 'UTF-8' ? `line ${line}` : `the text after byte ${byte}`
  return `${location} is not ${encoding}, so nothing of the file was read; ${advice}`
}

const maxCharacterBytes = 4
const lineFeed = 0x0a

/**
 * Counts the line ends of a UTF-8 chunk before its first invalid byte. `before`: the last bytes of the previous chunk.
 */
const countLinesBeforeInvalid = (before: Uint8Array, chunk: Uint8Array): number => {
  // A character may have begun in the previous chunk.
  const begun = before.findLastIndex((byte) => byte >= 0xc0 || byte < 0x80)
  const isOpen = begun !== -1 && (before[begun] ?? 0) >= 0xc0 && !isValidUtf8(before.subarray(begun))
  const bytes = isOpen ? join(before.subarray(begun), chunk) : chunk
  let lines = 0
  for (let at = 0; at < bytes.length; lines++) {
    const end = bytes.indexOf(lineFeed, at) + 1 || bytes.length
    if (!isValidUtf8(bytes.subarray(at, end))) break
    at = end
  }
  return lines
}

const isValidUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}
