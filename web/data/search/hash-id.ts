/** A number of 53 bits made of an id (FNV-1a, twice), the same on each device; a tenth of the memory of the id itself. */
export const hashId = (id: string): number => {
  let high = 0x811c_9dc5
  let low = 0x9747_b28c
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at)
    high = Math.imul(high ^ code, 0x0100_0193)
    low = Math.imul(low ^ code, 0x85eb_ca6b)
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0)
}
