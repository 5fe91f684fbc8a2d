Object.defineProperty(exports, '__esModule', { value: true })
exports.createScan = exports.isClosing = exports.isOpening = exports.isSpace = exports.quote = void 0
/** The character code of a double quote. */
exports.quote = 34
var backslash = 92
/** True for the white space of JSON. */
var isSpace = (code) => code === 32 || code === 10 || code === 13 || code === 9
exports.isSpace = isSpace
/** True for the first character of an object or an array. */
var isOpening = (code) => code === 123 || code === 91
exports.isOpening = isOpening
/** True for the last character of an object or an array. */
var isClosing = (code) => code === 125 || code === 93
exports.isClosing = isClosing
var endsScalar = (code) => code === 44 || (0, exports.isClosing)(code) || (0, exports.isSpace)(code)
/**
 * Finds where a name, a value that is given whole, or a number ends, over any number of chunks: gives the index behind
 * it, or -1 when it goes on in the next chunk. `first` is its first character.
 */
var createScan = (first) => {
  var isScalar = first !== exports.quote && !(0, exports.isOpening)(first)
  var depth = 0
  var isInText = false
  var isEscaped = false
  /** Where a text ends, found by the engine's own search; mostly it is the next quote. */
  var leaveText = (text, start) => {
    var at = start
    while (at < text.length) {
      if (isEscaped) {
        isEscaped = false
        at++
        continue
      }
      var found = text.indexOf('"', at)
      var stop_1 = found === -1 ? text.length : found
      // Backslashes in pairs are text themselves.
      var slashes = 0
      while (stop_1 - slashes > at && text.charCodeAt(stop_1 - slashes - 1) === backslash) slashes++
      var isOdd = slashes % 2 === 1
      if (found !== -1 && !isOdd) {
        isInText = false
        return found + 1
      }
      isEscaped = found === -1 && isOdd
      at = stop_1 + 1
    }
    return text.length
  }
  return (text, start) => {
    var at = start
    while (at < text.length) {
      if (isInText) {
        at = leaveText(text, at)
        if (!isInText && depth === 0) return at
        continue
      }
      var code = text.charCodeAt(at)
      if (isScalar) {
        if (endsScalar(code)) return at
      } else if (code === exports.quote) isInText = true
      else if ((0, exports.isOpening)(code)) depth++
      else if ((0, exports.isClosing)(code) && --depth === 0) return at + 1
      at++
    }
    return -1
  }
}
exports.createScan = createScan
