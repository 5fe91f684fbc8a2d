/** True when so many bytes of one are those of the other, each from a place on. */
export const sameBytes = (
  one: Uint8Array,
  oneStart: number,
  other: Uint8Array,
  otherStart: number,
  length: number,
): boolean => {
  for (let index = 0; index < length; index += 1) if (one[oneStart + index] !== other[otherStart + index]) return false
  return true
}
