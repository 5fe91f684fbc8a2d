/*
 * Why not `crc32(bytes, before)` of Node: it reads all bytes again, which takes longer than sending the kept pieces of a
 * large listing, so that gzip would hardly be faster than no compression.
 */

/** CRC-32 (RFC 1952, 8) as a polynomial over GF(2), the highest bit for x to the power of 0. */
const polynomial = 0xedb88320
const one = 0x80000000

/** The product of two polynomials, modulo the one of CRC-32. */
const multiply = (a: number, b: number): number => {
  let product = 0
  let shifted = b
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= shifted
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ polynomial
  }
  return product >>> 0
}

/** x to the powers of 8, 16, 32 …: what one, two, four … bytes of zeros behind it make of a checksum. */
const zeroBytes: number[] = [one >>> 8]
for (let power = 1; power < 32; power += 1) {
  const half = zeroBytes[power - 1] as number
  zeroBytes.push(multiply(half, half))
}

/** The CRC-32 of bytes with others behind them, of which there are `size`, from the CRC-32 of each. */
export const joinChecksums = (before: number, behind: number, size: number): number => {
  let shifted = before
  for (let power = 0, left = size; left > 0; power += 1, left = Math.floor(left / 2))
    if (left % 2 === 1) shifted = multiply(zeroBytes[power] as number, shifted)
  return (shifted ^ behind) >>> 0
}
