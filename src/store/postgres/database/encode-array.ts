/** Types of which arrays are sent, by their number in every PostgreSQL. */
const typeNumbers = { bool: 16, int8: 20, text: 25, float8: 701 } as const

const headBytes = 20
const withoutNulls = 0

const encodeElements = <Item>(
  type: keyof typeof typeNumbers,
  items: readonly Item[],
  bytesOf: (item: Item) => number,
  put: (target: Buffer, offset: number, item: Item, bytes: number) => void,
): Buffer => {
  const sizes = items.map((item) => bytesOf(item))
  const size = sizes.reduce((sum, bytes) => sum + bytes + 4, items.length === 0 ? 12 : headBytes)
  const target = Buffer.allocUnsafe(size)
  target.writeInt32BE(items.length === 0 ? 0 : 1, 0)
  target.writeInt32BE(withoutNulls, 4)
  target.writeInt32BE(typeNumbers[type], 8)
  if (items.length === 0) return target
  target.writeInt32BE(items.length, 12)
  target.writeInt32BE(1, 16)
  let offset = headBytes
  for (const [index, item] of items.entries()) {
    const bytes = sizes[index] as number
    target.writeInt32BE(bytes, offset)
    offset += 4
    put(target, offset, item, bytes)
    offset += bytes
  }
  return target
}

// Sent as text, an array is escaped quote by quote here and read the same way there; steps are full of quotes.

/** Texts as an array in the database's binary form. */
export const encodeTexts = (texts: readonly (string | Buffer)[]): Buffer =>
  encodeElements('text', texts, Buffer.byteLength, (target, offset, text) => {
    if (typeof text === 'string') target.write(text, offset)
    else text.copy(target, offset)
  })

/** Whole numbers, as `bigint`. */
export const encodeWholes = (numbers: readonly number[]): Buffer =>
  encodeElements(
    'int8',
    numbers,
    () => 8,
    (target, offset, number) => void target.writeBigInt64BE(BigInt(number), offset),
  )

/** Numbers, as `double precision`. */
export const encodeNumbers = (numbers: readonly number[]): Buffer =>
  encodeElements(
    'float8',
    numbers,
    () => 8,
    (target, offset, number) => void target.writeDoubleBE(number, offset),
  )

/** Flags, as `boolean`. */
export const encodeFlags = (flags: readonly boolean[]): Buffer =>
  encodeElements(
    'bool',
    flags,
    () => 1,
    (target, offset, flag) => void target.writeUInt8(flag ? 1 : 0, offset),
  )
