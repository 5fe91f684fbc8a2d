var __spreadArray =
  (this && this.__spreadArray) ||
  function (to, from, pack) {
    if (pack || arguments.length === 2)
      for (var i = 0, l = from.length, ar; i < l; i++) {
        if (ar || !(i in from)) {
          if (!ar) ar = Array.prototype.slice.call(from, 0, i)
          ar[i] = from[i]
        }
      }
    return to.concat(ar || Array.prototype.slice.call(from))
  }
Object.defineProperty(exports, '__esModule', { value: true })
exports.createJsonSplitter = void 0
var client_error_ts_1 = require('./client-error.ts')
var json_scan_ts_1 = require('./json-scan.ts')
var broken = (message, cause) => new client_error_ts_1.ClientError('unexpected_answer', message, { cause: cause })
var parse = (text) => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw broken('the answer is not JSON', error)
    throw error
  }
}
/**
 * A parser of one JSON text that holds no more than one value that is given whole. All that it gives and all that it
 * skips is checked by the whole grammar of JSON. An outermost object or array is always cut up.
 * @throws ClientError `unexpected_answer` from `push` or `finish` as soon as the text cannot be JSON any more
 */
var createJsonSplitter = (isOpened) => {
  var stack = []
  var expected = 'value'
  var scan
  var parts = []
  var held = 0
  var pieces = []
  var afterValue = () => {
    expected = stack.length === 0 ? 'end of text' : 'comma or end'
  }
  var finishToken = (text) => {
    var _a
    var frame = stack.at(-1)
    var value = parse(text)
    if (frame !== undefined && (expected === 'name' || expected === 'name or }')) {
      frame.key = value
      expected = 'colon'
      return
    }
    pieces.push({
      path: (_a = frame === null || frame === void 0 ? void 0 : frame.path) !== null && _a !== void 0 ? _a : [],
      key: frame === null || frame === void 0 ? void 0 : frame.key,
      value: value,
    })
    afterValue()
  }
  var open = (code) => {
    var outer = stack.at(-1)
    var path = outer === undefined ? [] : __spreadArray(__spreadArray([], outer.path, true), [outer.key], false)
    var isArray = code === 91
    stack.push({ path: path, isArray: isArray, key: isArray ? 0 : '' })
    expected = isArray ? 'value or ]' : 'name or }'
  }
  var close = (code) => {
    var frame = stack.pop()
    if (frame === undefined || frame.isArray !== (code === 93)) throw broken('the answer closes what it did not open')
    afterValue()
  }
  var beginValue = (code) => {
    var frame = stack.at(-1)
    if ((0, json_scan_ts_1.isOpening)(code) && (frame === undefined || isOpened(frame.path, frame.key))) {
      open(code)
      return true
    }
    scan = (0, json_scan_ts_1.createScan)(code)
    return false
  }
  /** Takes one character between tokens; false when it begins a token instead. */
  var take = (code) => {
    var frame = stack.at(-1)
    if (expected === 'value or ]' && code === 93) close(code)
    else if (expected === 'name or }' && code === 125) close(code)
    else if (expected === 'value' || expected === 'value or ]') return beginValue(code)
    else if ((expected === 'name' || expected === 'name or }') && code === json_scan_ts_1.quote) {
      scan = (0, json_scan_ts_1.createScan)(code)
      return false
    } else if (expected === 'colon' && code === 58) expected = 'value'
    else if (expected === 'comma or end' && (0, json_scan_ts_1.isClosing)(code)) close(code)
    else if (expected === 'comma or end' && code === 44 && frame !== undefined) {
      if (frame.isArray) frame.key = frame.key + 1
      expected = frame.isArray ? 'value' : 'name'
    } else throw broken('the answer is not JSON: expected '.concat(expected))
    return true
  }
  var takePieces = () => {
    var taken = pieces
    pieces = []
    return taken
  }
  return {
    push: (text) => {
      var at = 0
      while (at < text.length) {
        if (scan === undefined) {
          var code = text.charCodeAt(at)
          if ((0, json_scan_ts_1.isSpace)(code) || take(code)) at++
          continue
        }
        var end = scan(text, at)
        if (end === -1) {
          parts.push(text.slice(at))
          held += text.length - at
          break
        }
        var token = parts.length === 0 ? text.slice(at, end) : parts.join('') + text.slice(at, end)
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
      if (expected !== 'end of text') throw broken('the answer was cut off')
      return takePieces()
    },
    heldCharacters: () => held,
  }
}
exports.createJsonSplitter = createJsonSplitter
