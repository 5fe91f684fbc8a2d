Object.defineProperty(exports, '__esModule', { value: true })
exports.createTurns = void 0
/** Turns of their own. */
var createTurns = () => {
  var last = Promise.resolve()
  return (work) => {
    var next = last.then(work, work)
    last = next
    return next
  }
}
exports.createTurns = createTurns
