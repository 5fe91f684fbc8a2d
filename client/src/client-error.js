var __extends =
  (this && this.__extends) ||
  (() => {
    var extendStatics = (d, b) => {
      extendStatics =
        Object.setPrototypeOf ||
        ({ __proto__: [] } instanceof Array &&
          ((d, b) => {
            d.__proto__ = b
          })) ||
        ((d, b) => {
          for (var p in b) if (Object.hasOwn(b, p)) d[p] = b[p]
        })
      return extendStatics(d, b)
    }
    return (d, b) => {
      if (typeof b !== 'function' && b !== null)
        throw new TypeError('Class extends value ' + String(b) + ' is not a constructor or null')
      extendStatics(d, b)
      function __() {
        this.constructor = d
      }
      d.prototype = b === null ? Object.create(b) : ((__.prototype = b.prototype), new __())
    }
  })()
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
exports.refusalOf = exports.throwAsNetwork = exports.isClientError = exports.ClientError = void 0
var retry_after_ts_1 = require('./retry-after.ts')
/**
 * What the client throws of its own, but for a TypeError where it is called wrongly; an abort by a signal is thrown on
 * as it is.
 */
var ClientError = /** @class */ ((_super) => {
  __extends(ClientError, _super)
  function ClientError(code, message, details) {
    if (details === void 0) {
      details = {}
    }
    var _this = _super.call(this, message, details.cause === undefined ? undefined : { cause: details.cause }) || this
    _this.name = 'ClientError'
    _this.code = code
    _this.status = details.status
    _this.error = details.error
    _this.description = details.description
    _this.retryAfterSeconds = details.retryAfterSeconds
    return _this
  }
  return ClientError
})(Error)
exports.ClientError = ClientError
/** True for a ClientError, with this code if one is given. */
var isClientError = (error, code) => error instanceof ClientError && (code === undefined || error.code === code)
exports.isClientError = isClientError
/**
 * What fetch and the streams of its answers throw for a broken connection, or for one that took too long, becomes
 * `network`; the rest is thrown on.
 */
var throwAsNetwork = (error) => {
  var isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
  if (!(error instanceof TypeError) && !isTimeout) throw error
  throw new ClientError('network', 'no whole answer arrived; the request may or may not have reached the server', {
    cause: error,
  })
}
exports.throwAsNetwork = throwAsNetwork
/** The error for an answer that is not a success, from its body as far as that could be read. */
var refusalOf = (response, body) => {
  var status = response.status
  var seconds = (0, retry_after_ts_1.readRetryAfter)(response.headers)
  var retry = seconds === undefined ? {} : { retryAfterSeconds: seconds }
  if (typeof body !== 'object' || body === null || !('error' in body) || typeof body.error !== 'string') {
    return new ClientError(
      'unexpected_answer',
      'status '.concat(status, ' without an error object'),
      __assign({ status: status }, retry),
    )
  }
  var error = body.error
  var description = 'error_description' in body ? String(body.error_description) : ''
  return new ClientError(
    'refused',
    ''.concat(status, ' ').concat(error, ': ').concat(description),
    __assign({ status: status, error: error, description: description }, retry),
  )
}
exports.refusalOf = refusalOf
