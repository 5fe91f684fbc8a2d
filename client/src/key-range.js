Object.defineProperty(exports, '__esModule', { value: true })
exports.toRange = void 0
/** The first key behind all that begin with the prefix; undefined when there is none. */
var findEnd = (prefix) => {
  for (var length_1 = prefix.length; length_1 > 0; length_1--) {
    var last = prefix.charCodeAt(length_1 - 1)
    if (last < 0xffff) return prefix.slice(0, length_1 - 1) + String.fromCharCode(last + 1)
  }
  return undefined
}
/** The keys that begin with the prefix; of those the ones behind `after`, if that is given. */
var toRange = (prefix, after) => {
  var end = findEnd(prefix)
  var isAfter = after !== undefined
  return end === undefined
    ? IDBKeyRange.lowerBound(after !== null && after !== void 0 ? after : prefix, isAfter)
    : IDBKeyRange.bound(after !== null && after !== void 0 ? after : prefix, end, isAfter, true)
}
exports.toRange = toRange
