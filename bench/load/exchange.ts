/** An answer that has arrived; its body is counted, and kept when asked for. */
export interface Exchanged {
  readonly status: number
  readonly bytes: number
  readonly body: Buffer
  /** The server takes no further request on this connection. */
  readonly isLast: boolean
}

const headEnd = Buffer.from('\r\n\r\n')
const lineEnd = Buffer.from('\r\n')

/**
 * Reads the answers of one HTTP/1.1 connection, one at a time, with as little work as the framing needs: a load
 * generator must cost less than what it loads. Knows content-length and chunked, nothing else.
 */
export const createAnswerReader = (onAnswer: (answer: Exchanged) => void, mustKeep: boolean) => {
  let head: Buffer = Buffer.alloc(0)
  let status = 0
  let bytes = 0
  let kept: Buffer[] = []
  // Bytes of the body, or of the chunk, that are still to come; -1 while a head is read.
  let left = -1
  let isChunked = false
  let isLastChunk = false
  let isLast = false

  const finish = () => {
    const answer = { status, bytes, body: Buffer.concat(kept), isLast }
    head = Buffer.alloc(0)
    bytes = 0
    kept = []
    left = -1
    isChunked = false
    isLastChunk = false
    onAnswer(answer)
  }

  const readHead = (data: Buffer): Buffer => {
    head = head.length === 0 ? data : Buffer.concat([head, data])
    const end = head.indexOf(headEnd)
    if (end < 0) return Buffer.alloc(0)
    const text = head.toString('latin1', 0, end).toLowerCase()
    const rest = head.subarray(end + 4)
    head = Buffer.alloc(0)
    status = Number(text.slice(9, 12))
    isLast = text.startsWith('http/1.0') || text.includes('\r\nconnection: close')
    isChunked = text.includes('transfer-encoding: chunked')
    left = isChunked ? 0 : Number(/content-length: (\d+)/.exec(text)?.[1] ?? 0)
    if (!isChunked && left === 0) finish()
    return rest
  }

  const readBody = (data: Buffer): Buffer => {
    const part = data.subarray(0, left)
    left -= part.length
    bytes += part.length
    if (mustKeep) kept.push(part)
    if (left === 0 && !isChunked) finish()
    return data.subarray(part.length)
  }

  /** `\r\n<size>\r\n` between chunks; the first has no line end before it. */
  const readChunkSize = (data: Buffer): Buffer => {
    head = head.length === 0 ? data : Buffer.concat([head, data])
    if (isLastChunk) {
      if (head.length < 2) return Buffer.alloc(0)
      const behind = head.subarray(2)
      finish()
      return behind
    }
    const start = head[0] === 13 ? 2 : 0
    const end = head.indexOf(lineEnd, start)
    if (end < 0) return Buffer.alloc(0)
    left = Number.parseInt(head.toString('latin1', start, end), 16)
    isLastChunk = left === 0
    const rest = head.subarray(end + 2)
    head = Buffer.alloc(0)
    return rest
  }

  return (data: Buffer): void => {
    for (let rest = data; rest.length > 0; ) {
      if (left < 0) rest = readHead(rest)
      else if (left > 0) rest = readBody(rest)
      else rest = readChunkSize(rest)
    }
  }
}
