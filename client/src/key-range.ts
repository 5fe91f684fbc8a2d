/** The first key behind all that begin with the prefix; undefined when there is none. */
const findEnd = (prefix: string): string | undefined => {
  for (let length = prefix.length; length > 0; length--) {
    const last = prefix.charCodeAt(length - 1)
    if (last < 0xffff) return prefix.slice(0, length - 1) + String.fromCharCode(last + 1)
  }
  return undefined
}

/** The keys that begin with the prefix; of those the ones behind `after`, if that is given. */
export const toRange = (prefix: string, after?: string): IDBKeyRange => {
  const end = findEnd(prefix)
  const isAfter = after !== undefined
  return end === undefined
    ? IDBKeyRange.lowerBound(after ?? prefix, isAfter)
    : IDBKeyRange.bound(after ?? prefix, end, isAfter, true)
}
