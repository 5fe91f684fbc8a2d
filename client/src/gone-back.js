Object.defineProperty(exports, '__esModule', { value: true })
exports.hasGoneBack = void 0
/**
 * A server of this project that was put back to an earlier state gives positions from a million beyond that state on, and
 * ten more for each second since (docs/architecture.md, "After a restore"). What was given in these seconds is not known
 * here, and all of it makes the step that a client sees smaller. So half of it counts; a listing too many harms nobody.
 */
var leastRaise = 500000
/**
 * Whether the server may have gone back to an earlier state of itself, in which what this replica has as saved is not: its
 * position is behind that of the replica, or so far ahead that things which are new here do not explain it. A server
 * that keeps the interface and nothing else may count positions in whatever it likes, so there the latter says nothing.
 */
var hasGoneBack = (_a, _b, raisesPositions) => {
  var known = _a.position
  var position = _b.position,
    unknown = _b.unknown
  return (
    position < known ||
    // From 0 everything is listed, however far that is.
    (raisesPositions && known > 0 && position - known - unknown >= leastRaise)
  )
}
exports.hasGoneBack = hasGoneBack
