Object.defineProperty(exports, '__esModule', { value: true })
exports.createBell = void 0
/** A bell that was not rung. */
var createBell = () => {
  var isRung = false
  var answer
  return {
    ring: () => {
      isRung = answer === undefined
      answer === null || answer === void 0 ? void 0 : answer('rung')
      answer = undefined
    },
    clear: () => {
      isRung = false
    },
    wait: () =>
      new Promise((resolve) => {
        answer = isRung ? undefined : resolve
        if (isRung) resolve('rung')
        isRung = false
      }),
  }
}
exports.createBell = createBell
