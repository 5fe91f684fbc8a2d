var __generator =
  (this && this.__generator) ||
  ((thisArg, body) => {
    var _ = {
        label: 0,
        sent: () => {
          if (t[0] & 1) throw t[1]
          return t[1]
        },
        trys: [],
        ops: [],
      },
      f,
      y,
      t,
      g = Object.create((typeof Iterator === 'function' ? Iterator : Object).prototype)
    return (
      (g.next = verb(0)),
      (g['throw'] = verb(1)),
      (g['return'] = verb(2)),
      typeof Symbol === 'function' &&
        (g[Symbol.iterator] = function () {
          return this
        }),
      g
    )
    function verb(n) {
      return (v) => step([n, v])
    }
    function step(op) {
      if (f) throw new TypeError('Generator is already executing.')
      while ((g && ((g = 0), op[0] && (_ = 0)), _))
        try {
          if (
            ((f = 1),
            y &&
              (t = op[0] & 2 ? y['return'] : op[0] ? y['throw'] || ((t = y['return']) && t.call(y), 0) : y.next) &&
              !(t = t.call(y, op[1])).done)
          )
            return t
          if (((y = 0), t)) op = [op[0] & 2, t.value]
          switch (op[0]) {
            case 0:
            case 1:
              t = op
              break
            case 4:
              _.label++
              return { value: op[1], done: false }
            case 5:
              _.label++
              y = op[1]
              op = [0]
              continue
            case 7:
              op = _.ops.pop()
              _.trys.pop()
              continue
            default:
              if (!((t = _.trys), (t = t.length > 0 && t[t.length - 1])) && (op[0] === 6 || op[0] === 2)) {
                _ = 0
                continue
              }
              if (op[0] === 3 && (!t || (op[1] > t[0] && op[1] < t[3]))) {
                _.label = op[1]
                break
              }
              if (op[0] === 6 && _.label < t[1]) {
                _.label = t[1]
                t = op
                break
              }
              if (t && _.label < t[2]) {
                _.label = t[2]
                _.ops.push(op)
                break
              }
              if (t[2]) _.ops.pop()
              _.trys.pop()
              continue
          }
          op = body.call(thisArg, _)
        } catch (e) {
          op = [6, e]
          y = 0
        } finally {
          f = t = 0
        }
      if (op[0] & 5) throw op[1]
      return { value: op[0] ? op[1] : void 0, done: true }
    }
  })
var __asyncValues =
  (this && this.__asyncValues) ||
  ((o) => {
    if (!Symbol.asyncIterator) throw new TypeError('Symbol.asyncIterator is not defined.')
    var m = o[Symbol.asyncIterator],
      i
    return m
      ? m.call(o)
      : ((o = typeof __values === 'function' ? __values(o) : o[Symbol.iterator]()),
        (i = {}),
        verb('next'),
        verb('throw'),
        verb('return'),
        (i[Symbol.asyncIterator] = function () {
          return this
        }),
        i)
    function verb(n) {
      i[n] =
        o[n] &&
        ((v) =>
          new Promise((resolve, reject) => {
            ;(v = o[n](v)), settle(resolve, reject, v.done, v.value)
          }))
    }
    function settle(resolve, reject, d, v) {
      Promise.resolve(v).then((v) => {
        resolve({ value: v, done: d })
      }, reject)
    }
  })
var __await =
  (this && this.__await) ||
  function (v) {
    return this instanceof __await ? ((this.v = v), this) : new __await(v)
  }
var __asyncGenerator =
  (this && this.__asyncGenerator) ||
  ((thisArg, _arguments, generator) => {
    if (!Symbol.asyncIterator) throw new TypeError('Symbol.asyncIterator is not defined.')
    var g = generator.apply(thisArg, _arguments || []),
      i,
      q = []
    return (
      (i = Object.create((typeof AsyncIterator === 'function' ? AsyncIterator : Object).prototype)),
      verb('next'),
      verb('throw'),
      verb('return', awaitReturn),
      (i[Symbol.asyncIterator] = function () {
        return this
      }),
      i
    )
    function awaitReturn(f) {
      return (v) => Promise.resolve(v).then(f, reject)
    }
    function verb(n, f) {
      if (g[n]) {
        i[n] = (v) =>
          new Promise((a, b) => {
            q.push([n, v, a, b]) > 1 || resume(n, v)
          })
        if (f) i[n] = f(i[n])
      }
    }
    function resume(n, v) {
      try {
        step(g[n](v))
      } catch (e) {
        settle(q[0][3], e)
      }
    }
    function step(r) {
      r.value instanceof __await ? Promise.resolve(r.value.v).then(fulfill, reject) : settle(q[0][2], r)
    }
    function fulfill(value) {
      resume('next', value)
    }
    function reject(value) {
      resume('throw', value)
    }
    function settle(f, v) {
      if ((f(v), q.shift(), q.length)) resume(q[0][0], q[0][1])
    }
  })
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
exports.readSyncParts = readSyncParts
var client_error_ts_1 = require('./client-error.ts')
var json_splitter_ts_1 = require('./json-splitter.ts')
var read_chunks_ts_1 = require('./read-chunks.ts')
var isOpened = (path, key) =>
  path.length === 0
    ? key === 'things' || key === 'tags'
    : path.length === 1 && path[0] === 'things' && (key === 'changed' || key === 'deleted' || key === 'new')
/**
 * Reads a sync answer while it arrives, all that a chunk completes together; holds one chunk and what is in it, however
 * long the listing is. Breaking off the iteration ends the download.
 * @throws ClientError `network` when the connection breaks, `unexpected_answer` for what is no sync answer
 */
function readSyncParts(body_1) {
  return __asyncGenerator(this, arguments, function readSyncParts_1(body, _a) {
    var splitter, decoder, listed, thingCount, bytes, hasPosition, decode, toEvents, _b, _c, _d, chunk, e_1_1
    var _e, e_1, _f, _g
    var _h = _a === void 0 ? {} : _a,
      onProgress = _h.onProgress,
      signal = _h.signal
    return __generator(this, (_j) => {
      switch (_j.label) {
        case 0:
          splitter = (0, json_splitter_ts_1.createJsonSplitter)(isOpened)
          decoder = new TextDecoder('utf-8', { fatal: true })
          listed = 0
          bytes = 0
          hasPosition = false
          decode = (chunk) => {
            try {
              return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
            } catch (error) {
              if (error instanceof TypeError) throw unexpected('the answer is not UTF-8')
              throw error
            }
          }
          toEvents = (pieces) => {
            var events = []
            for (var _i = 0, pieces_1 = pieces; _i < pieces_1.length; _i++) {
              var piece = pieces_1[_i]
              var event_1 = toEvent(piece)
              if (event_1 === undefined) continue
              if (event_1.kind === 'changed' || event_1.kind === 'deleted') listed++
              else if (event_1.kind === 'count') thingCount = event_1.thingCount
              else if (event_1.kind === 'position') hasPosition = true
              events.push(event_1)
            }
            return events
          }
          _j.label = 1
        case 1:
          _j.trys.push([1, 8, 9, 14])
          ;(_b = true), (_c = __asyncValues((0, read_chunks_ts_1.readChunks)(body, signal)))
          _j.label = 2
        case 2:
          return [4 /*yield*/, __await(_c.next())]
        case 3:
          if (!((_d = _j.sent()), (_e = _d.done), !_e)) return [3 /*break*/, 7]
          _g = _d.value
          _b = false
          chunk = _g
          bytes += chunk.length
          return [4 /*yield*/, __await(toEvents(splitter.push(decode(chunk))))]
        case 4:
          return [4 /*yield*/, _j.sent()]
        case 5:
          _j.sent()
          onProgress === null || onProgress === void 0
            ? void 0
            : onProgress({ listed: listed, thingCount: thingCount, bytes: bytes })
          _j.label = 6
        case 6:
          _b = true
          return [3 /*break*/, 2]
        case 7:
          return [3 /*break*/, 14]
        case 8:
          e_1_1 = _j.sent()
          e_1 = { error: e_1_1 }
          return [3 /*break*/, 14]
        case 9:
          _j.trys.push([9, , 12, 13])
          if (!(!_b && !_e && (_f = _c.return))) return [3 /*break*/, 11]
          return [4 /*yield*/, __await(_f.call(_c))]
        case 10:
          _j.sent()
          _j.label = 11
        case 11:
          return [3 /*break*/, 13]
        case 12:
          if (e_1) throw e_1.error
          return [7 /*endfinally*/]
        case 13:
          return [7 /*endfinally*/]
        case 14:
          return [
            4 /*yield*/,
            __await(toEvents(__spreadArray(__spreadArray([], splitter.push(decode()), true), splitter.finish(), true))),
          ]
        case 15:
          return [4 /*yield*/, _j.sent()]
        case 16:
          _j.sent()
          onProgress === null || onProgress === void 0
            ? void 0
            : onProgress({ listed: listed, thingCount: thingCount, bytes: bytes })
          if (!hasPosition) throw unexpected('the answer has no pos')
          return [2 /*return*/]
      }
    })
  })
}
var unexpected = (message) => new client_error_ts_1.ClientError('unexpected_answer', message)
/** Undefined for what the interface does not know. */
var toEvent = (_a) => {
  var path = _a.path,
    key = _a.key,
    value = _a.value
  var place =
    path.length === 0 ? String(key) : path.length === 1 ? String(path[0]) : ''.concat(path[0], '.').concat(path[1])
  if (path.length === 0 && key === undefined) throw unexpected('the answer is no object')
  if (place === 'pos' && Number.isFinite(value)) return { kind: 'position', position: value }
  if (place === 'thingCount' && Number.isFinite(value)) return { kind: 'count', thingCount: value }
  if (place === 'tags' && path.length === 1 && isObject(value)) {
    return { kind: 'tag', name: String(key), settings: value }
  }
  if (place === 'things.new' && typeof value === 'string') return { kind: 'new', localId: String(key), id: value }
  if (place === 'things.changed' && isObject(value) && '_id' in value && typeof value._id === 'string') {
    return { kind: 'changed', thing: value }
  }
  if (place === 'things.deleted' && typeof value === 'string') return { kind: 'deleted', id: value }
  if (isKnown(place, key)) throw unexpected(''.concat(place, ' has another shape than the interface says'))
  return undefined
}
var knownPlaces = new Set(['pos', 'thingCount', 'tags', 'things.new', 'things.changed', 'things.deleted'])
var isKnown = (place, key) =>
  knownPlaces.has(place) || (place === 'things' && ['new', 'changed', 'deleted'].includes(String(key)))
var isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
