Object.defineProperty(exports, '__esModule', { value: true })
exports.storeBlocked = exports.storeGone = exports.throwWhileOpen = exports.throwWhileOpening = void 0
var client_error_ts_1 = require('./client-error.ts')
var full = ['store_full', 'the device has no room left; nothing of this write was kept']
var forbidden = ['store_forbidden', 'the browser does not let this page keep anything']
/** What is said to a program that opens a store; browsers have several words for a window that may keep nothing. */
var whileOpening = {
  QuotaExceededError: full,
  SecurityError: forbidden,
  NotAllowedError: forbidden,
  InvalidStateError: forbidden,
  UnknownError: forbidden,
  VersionError: ['store_newer', 'a newer version of the program has used this store; reload the page'],
}
var gone = ['store_gone', 'another tab has deleted or changed this store, or it was closed; open it anew']
var whileOpen = { QuotaExceededError: full, InvalidStateError: gone, NotFoundError: gone }
var nameOf = (error) => (typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : '')
var throwAs = (known) => (error) => {
  var _a
  var _b = (_a = known[nameOf(error)]) !== null && _a !== void 0 ? _a : [],
    code = _b[0],
    message = _b[1]
  if (code === undefined || message === undefined) throw error
  throw new client_error_ts_1.ClientError(code, message, { cause: error })
}
/** What opening or deleting throws, as a ClientError where a program can do something about it; the rest is thrown on. */
exports.throwWhileOpening = throwAs(whileOpening)
/** The same for what an open store throws. */
exports.throwWhileOpen = throwAs(whileOpen)
/** The error of a store that was taken from its program. */
var storeGone = () => new client_error_ts_1.ClientError(gone[0], gone[1])
exports.storeGone = storeGone
/** The error of a store that another tab holds. */
var storeBlocked = () =>
  new client_error_ts_1.ClientError(
    'store_blocked',
    'another tab holds this store and does not let go of it; close or reload that tab',
  )
exports.storeBlocked = storeBlocked
