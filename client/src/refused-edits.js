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
exports.putBack = exports.describeSending = exports.isRefusalOfEdits = void 0
var client_error_ts_1 = require('./client-error.ts')
var replica_records_ts_1 = require('./replica-records.ts')
/** True for a refusal for what was sent, and not for who sent it or when. */
var isRefusalOfEdits = (error) => {
  var _a
  return (
    (0, client_error_ts_1.isClientError)(error, 'refused') &&
    [400, 413, 422].includes((_a = error.status) !== null && _a !== void 0 ? _a : 0) &&
    error.error !== 'invalid_grant'
  )
}
exports.isRefusalOfEdits = isRefusalOfEdits
/** What is `sending`, as edits that the server does not take. */
var describeSending = (_a, error) => {
  var sending = _a.sending
  return __spreadArray(
    __spreadArray(
      [],
      __spreadArray([], sending.things.keys(), true).map((name) => ({ kind: 'thing', name: name, error: error })),
      true,
    ),
    __spreadArray([], sending.tags.keys(), true).map((name) => ({ kind: 'tag', name: name, error: error })),
    true,
  )
}
exports.describeSending = describeSending
/** What to write so that everything `sending` is `queued` again, under what was edited since. */
var putBack = (_a) => {
  var sending = _a.sending,
    queued = _a.queued
  var batch = new Map()
  for (var _i = 0, _b = sending.things; _i < _b.length; _i++) {
    var _c = _b[_i],
      id = _c[0],
      edit = _c[1]
    var later = queued.things.get(id)
    batch.set((0, replica_records_ts_1.editKey)('sending', 'thing', id), undefined)
    batch.set(
      (0, replica_records_ts_1.editKey)('queued', 'thing', id),
      later === undefined ? edit : (0, replica_records_ts_1.joinEdits)(edit, later),
    )
  }
  for (var _d = 0, _e = sending.tags; _d < _e.length; _d++) {
    var _f = _e[_d],
      name_1 = _f[0],
      change = _f[1]
    batch.set((0, replica_records_ts_1.editKey)('sending', 'tag', name_1), undefined)
    batch.set(
      (0, replica_records_ts_1.editKey)('queued', 'tag', name_1),
      __assign(__assign({}, change), queued.tags.get(name_1)),
    )
  }
  return batch
}
exports.putBack = putBack
