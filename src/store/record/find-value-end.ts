const [quote, backslash] = [0x22, 0x5c]
const openings = new Set(Buffer.from('{['))
const closings = new Set(Buffer.from('}]'))

/** Where the JSON object or list that begins at `start` ends, behind its bracket; -1 when it does not. */
export const findValueEnd = (bytes: Buffer, start: number): number => {
  let depth = 0
  let isText = false
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at] as number
    if (byte === quote) isText = !isText
    else if (isText && byte === backslash) at += 1
    else if (!isText && openings.has(byte)) depth += 1
    else if (!isText && closings.has(byte)) {
      depth -= 1
      if (depth === 0) return at + 1
    }
    if (depth === 0) return -1
  }
  return -1
}
