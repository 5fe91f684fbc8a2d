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
exports.createChangeTeller = void 0
var replica_records_ts_1 = require('./replica-records.ts')
var stages = ['queued', 'sending']
var thingPrefixes = __spreadArray(
  [replica_records_ts_1.keys.thing(''), replica_records_ts_1.keys.givenId('')],
  stages.map((stage) => (0, replica_records_ts_1.editKey)(stage, 'thing', '')),
  true,
)
var tagPrefixes = __spreadArray(
  [replica_records_ts_1.keys.tag('')],
  stages.map((stage) => (0, replica_records_ts_1.editKey)(stage, 'tag', '')),
  true,
)
var nameIn = (key, prefixes) => {
  var prefix = prefixes.find((one) => key.startsWith(one))
  return prefix === undefined ? undefined : key.slice(prefix.length)
}
var describe = (batch, by) => {
  var ids = new Set()
  var tags = new Set()
  for (var _i = 0, _a = batch.keys(); _i < _a.length; _i++) {
    var key = _a[_i]
    var id = nameIn(key, thingPrefixes)
    var tag = id === undefined ? nameIn(key, tagPrefixes) : undefined
    if (id !== undefined) ids.add(id)
    if (tag !== undefined) tags.add(tag)
  }
  return { ids: ids, tags: tags, by: by }
}
/** A teller without listeners. */
var createChangeTeller = () => {
  var listeners = new Map()
  return {
    tell: (batch, by) => {
      if (listeners.size === 0) return
      var change = describe(batch, by)
      if (change.ids.size === 0 && change.tags.size === 0) return
      var _loop_1 = (key) => {
        queueMicrotask(() => {
          var _a
          return (_a = listeners.get(key)) === null || _a === void 0 ? void 0 : _a(change)
        })
      }
      // Not from within the write: an error of a listener is the program's, and no failed write.
      for (var _i = 0, listeners_1 = listeners; _i < listeners_1.length; _i++) {
        var key = listeners_1[_i][0]
        _loop_1(key)
      }
    },
    watch: (listener) => {
      var key = {}
      listeners.set(key, listener)
      return () => listeners.delete(key)
    },
  }
}
exports.createChangeTeller = createChangeTeller
