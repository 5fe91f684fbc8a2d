var __assign =
  (this && this.__assign) ||
  function () {
    __assign =
      Object.assign ||
      function (t) {
        for (var s, i = 1, n = arguments.length; i < n; i++) {
          s = arguments[i]
          for (var p in s) if (Object.hasOwn(s, p)) t[p] = s[p]
        }
        return t
      }
    return __assign.apply(this, arguments)
  }
Object.defineProperty(exports, '__esModule', { value: true })
exports.createStateBoard = void 0
/** A board; the listener is told later, so that its errors are the program's and not those of a sync. */
var createStateBoard = (first, listener) => {
  var state = first
  return {
    read: () => state,
    set: (part) => {
      var next = __assign(__assign({}, state), part)
      var names = Object.keys(next)
      if (names.every((name) => next[name] === state[name])) return
      state = next
      if (listener !== undefined) queueMicrotask(() => listener(next))
    },
  }
}
exports.createStateBoard = createStateBoard
