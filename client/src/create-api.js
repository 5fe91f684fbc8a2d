Object.defineProperty(exports, '__esModule', { value: true })
exports.createApi = void 0
var openapi_fetch_1 = require('openapi-fetch')
var client_error_ts_1 = require('./client-error.ts')
var to_form_ts_1 = require('./to-form.ts')
/** An api at this base address; no answer at all is thrown as ClientError `network`. */
var createApi = (baseUrl, send) =>
  (0, openapi_fetch_1.default)({
    baseUrl: baseUrl,
    fetch: (request) => send(request).catch(client_error_ts_1.throwAsNetwork),
    bodySerializer: (body) => (0, to_form_ts_1.toForm)(body !== null && body !== void 0 ? body : {}),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
exports.createApi = createApi
