import { ClientError, throwAsNetwork } from './client-error.ts'

/**
 * Reads a body until it ends. An abort, or the end of the iteration, closes the connection.
 * @throws ClientError `network` when the connection breaks; the reason of the signal
 */
export async function* readChunks(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader()
  // Node's fetch ignores the signal of a Request that the garbage collector has taken. If the cancel fails, the running
  // read fails with the same error.
  const cancel = () => void reader.cancel().catch(() => undefined)
  signal?.addEventListener('abort', cancel)
  try {
    while (true) {
      signal?.throwIfAborted()
      const { done, value } = await reader.read().catch(throwAsNetwork)
      signal?.throwIfAborted()
      if (done) return
      yield value
    }
  } finally {
    signal?.removeEventListener('abort', cancel)
    // Has no effect when the body has ended.
    await reader.cancel().catch(throwAsNetwork)
  }
}

/** The character code of a double quote. */
const quote = 34
const backslash = 92

/** Returns true for the white space of JSON. */
const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

/** Returns true for the first character of an object or an array. */
const isOpening = (code: number): boolean => code === 123 || code === 91

/** Returns true for the last character of an object or an array. */
const isClosing = (code: number): boolean => code === 125 || code === 93

const endsScalar = (code: number) => code === 44 || isClosing(code) || isSpace(code)

/** Scans the next chunk from `start` on. */
type Scan = (text: string, start: number) => number

/**
 * Creates a scan that finds the end of a name, a whole value or a number, over any number of chunks. The scan returns
 * the index after the end, or -1 when the token goes on in the next chunk. `first` is the first character of the token.
 */
const createScan = (first: number): Scan => {
  const isScalar = first !== quote && !isOpening(first)
  let depth = 0
  let isInText = false
  let isEscaped = false

  /** Finds the end of a text with the fast search of the engine: it is usually the next quote. */
  const leaveText = (text: string, start: number): number => {
    let at = start
    while (at < text.length) {
      if (isEscaped) {
        isEscaped = false
        at++
        continue
      }
      const found = text.indexOf('"', at)
      const stop = found === -1 ? text.length : found
      // A pair of backslashes is an escaped backslash.
      let slashes = 0
      while (stop - slashes > at && text.charCodeAt(stop - slashes - 1) === backslash) slashes++
      const isOdd = slashes % 2 === 1
      if (found !== -1 && !isOdd) {
        isInText = false
        return found + 1
      }
      isEscaped = found === -1 && isOdd
      at = stop + 1
    }
    return text.length
  }
  return (text, start) => {
    let at = start
    while (at < text.length) {
      if (isInText) {
        at = leaveText(text, at)
        if (!isInText && depth === 0) return at
        continue
      }
      const code = text.charCodeAt(at)
      if (isScalar) {
        if (endsScalar(code)) return at
      } else if (code === quote) isInText = true
      else if (isOpening(code)) depth++
      else if (isClosing(code) && --depth === 0) return at + 1
      at++
    }
    return -1
  }
}

/** A value inside a JSON text: `path` leads to its container, which holds it under `key`. */
export interface JsonPiece {
  readonly path: readonly (string | number)[]
  /** A name in an object, a number in an array; undefined for the outermost value. */
  readonly key: string | number | undefined
  readonly value: unknown
}

/** Splits a JSON text that arrives in chunks into values. */
export interface JsonSplitter {
  /** Takes the next chunk, cut anywhere, and returns the values that it completes, in the order of the text. */
  readonly push: (text: string) => JsonPiece[]
  /** Ends the text, and returns the values that this completes. Throws when the JSON is not complete. */
  readonly finish: () => JsonPiece[]
  /** Returns how many characters (UTF-16) of an incomplete value are held. */
  readonly heldCharacters: () => number
}

/** Returns whether the object or array at this path is split further (true) or returned whole (false). */
export type IsOpened = (path: readonly (string | number)[], key: string | number | undefined) => boolean

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma or end' | 'end of text'

interface Frame {
  readonly path: readonly (string | number)[]
  readonly isArray: boolean
  key: string | number
}

const broken = (message: string, cause?: unknown) => new ClientError('unexpected_response', message, { cause })

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw broken('the response is not JSON', error)
    throw error
  }
}

/**
 * Creates a splitter of one JSON text. It holds at most one whole value in memory, and checks all text by the grammar
 * of JSON. It always splits an outermost object or array.
 * @throws ClientError `unexpected_response` from `push` or `finish` as soon as the text cannot be JSON
 */
export const createJsonSplitter = (isOpened: IsOpened): JsonSplitter => {
  const stack: Frame[] = []
  let expected: Expected = 'value'
  let scan: Scan | undefined
  let parts: string[] = []
  let held = 0
  let pieces: JsonPiece[] = []

  const afterValue = (): void => {
    expected = stack.length === 0 ? 'end of text' : 'comma or end'
  }
  const finishToken = (text: string): void => {
    const frame = stack.at(-1)
    const value = parse(text)
    if (frame !== undefined && (expected === 'name' || expected === 'name or }')) {
      frame.key = value as string
      expected = 'colon'
      return
    }
    pieces.push({ path: frame?.path ?? [], key: frame?.key, value })
    afterValue()
  }
  const open = (code: number): void => {
    const outer = stack.at(-1)
    const path = outer === undefined ? [] : [...outer.path, outer.key]
    const isArray = code === 91
    stack.push({ path, isArray, key: isArray ? 0 : '' })
    expected = isArray ? 'value or ]' : 'name or }'
  }
  const close = (code: number): void => {
    const frame = stack.pop()
    if (frame === undefined || frame.isArray !== (code === 93)) throw broken('the response has a wrong bracket')
    afterValue()
  }
  const beginValue = (code: number): boolean => {
    const frame = stack.at(-1)
    if (isOpening(code) && (frame === undefined || isOpened(frame.path, frame.key))) {
      open(code)
      return true
    }
    scan = createScan(code)
    return false
  }
  /** Takes one character between tokens; false when it begins a token instead. */
  const take = (code: number): boolean => {
    const frame = stack.at(-1)
    if (expected === 'value or ]' && code === 93) close(code)
    else if (expected === 'name or }' && code === 125) close(code)
    else if (expected === 'value' || expected === 'value or ]') return beginValue(code)
    else if ((expected === 'name' || expected === 'name or }') && code === quote) {
      scan = createScan(code)
      return false
    } else if (expected === 'colon' && code === 58) expected = 'value'
    else if (expected === 'comma or end' && isClosing(code)) close(code)
    else if (expected === 'comma or end' && code === 44 && frame !== undefined) {
      if (frame.isArray) frame.key = (frame.key as number) + 1
      expected = frame.isArray ? 'value' : 'name'
    } else throw broken(`the response is not JSON: expected ${expected}`)
    return true
  }
  const takePieces = (): JsonPiece[] => {
    const taken = pieces
    pieces = []
    return taken
  }

  return {
    push: (text) => {
      let at = 0
      while (at < text.length) {
        if (scan === undefined) {
          const code = text.charCodeAt(at)
          if (isSpace(code) || take(code)) at++
          continue
        }
        const end = scan(text, at)
        if (end === -1) {
          parts.push(text.slice(at))
          held += text.length - at
          break
        }
        const token = parts.length === 0 ? text.slice(at, end) : parts.join('') + text.slice(at, end)
        parts = []
        held = 0
        scan = undefined
        at = end
        finishToken(token)
      }
      return takePieces()
    },
    finish: () => {
      // Only an outermost number, true, false or null ends with the text.
      if (scan !== undefined && stack.length === 0) {
        scan = undefined
        finishToken(parts.join(''))
        parts = []
        held = 0
      }
      if (expected !== 'end of text') throw broken('the response was cut off')
      return takePieces()
    },
    heldCharacters: () => held,
  }
}
