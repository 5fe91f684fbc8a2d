Object.defineProperty(exports, '__esModule', { value: true })
exports.readRetryAfter = void 0
/** The seconds that the header `Retry-After` asks for, as a number or a date (RFC 9110 10.2.3); undefined without one. */
var readRetryAfter = (headers, now) => {
  var _a, _b
  if (now === void 0) {
    now = Date.now
  }
  var text =
    (_b = (_a = headers.get('retry-after')) === null || _a === void 0 ? void 0 : _a.trim()) !== null && _b !== void 0
      ? _b
      : ''
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  var at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now()) / 1000))
}
exports.readRetryAfter = readRetryAfter
