Object.defineProperty(exports, '__esModule', { value: true })
exports.watchBrowserNetwork = void 0
var isTarget = (value) => typeof value === 'object' && value !== null && 'addEventListener' in value
/** What pages and workers are told by their browser; Node is told nothing. */
var watchBrowserNetwork = (listener) => {
  var document = globalThis.document
  var onNetwork = () => listener('network')
  var onShown = () => {
    if ((document === null || document === void 0 ? void 0 : document.visibilityState) === 'visible') listener('shown')
  }
  var pairs = [
    [globalThis, 'online', onNetwork],
    [globalThis, 'offline', onNetwork],
    [document, 'visibilitychange', onShown],
  ]
  for (var _i = 0, pairs_1 = pairs; _i < pairs_1.length; _i++) {
    var _a = pairs_1[_i],
      target = _a[0],
      name_1 = _a[1],
      one = _a[2]
    if (isTarget(target)) target.addEventListener(name_1, one)
  }
  return () => {
    for (var _i = 0, pairs_2 = pairs; _i < pairs_2.length; _i++) {
      var _a = pairs_2[_i],
        target = _a[0],
        name_2 = _a[1],
        one = _a[2]
      if (isTarget(target)) target.removeEventListener(name_2, one)
    }
  }
}
exports.watchBrowserNetwork = watchBrowserNetwork
