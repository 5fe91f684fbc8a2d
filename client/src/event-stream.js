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
var __asyncDelegator =
  (this && this.__asyncDelegator) ||
  ((o) => {
    var i, p
    return (
      (i = {}),
      verb('next'),
      verb('throw', (e) => {
        throw e
      }),
      verb('return'),
      (i[Symbol.iterator] = function () {
        return this
      }),
      i
    )
    function verb(n, f) {
      i[n] = o[n] ? (v) => ((p = !p) ? { value: __await(o[n](v)), done: false } : f ? f(v) : v) : f
    }
  })
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
var __values =
  (this && this.__values) ||
  ((o) => {
    var s = typeof Symbol === 'function' && Symbol.iterator,
      m = s && o[s],
      i = 0
    if (m) return m.call(o)
    if (o && typeof o.length === 'number')
      return {
        next: () => {
          if (o && i >= o.length) o = void 0
          return { value: o && o[i++], done: !o }
        },
      }
    throw new TypeError(s ? 'Object is not iterable.' : 'Symbol.iterator is not defined.')
  })
Object.defineProperty(exports, '__esModule', { value: true })
exports.createEventSplitter = void 0
exports.readEventStream = readEventStream
var client_error_ts_1 = require('./client-error.ts')
var read_chunks_ts_1 = require('./read-chunks.ts')
/** No event of any operation comes near this; what does is no stream of events. */
var mostHeldCharacters = 1000000
/** Cuts `text/event-stream` (WHATWG HTML, 9.2), which arrives cut anywhere, into events. */
var createEventSplitter = () => {
  /** The line that has no end yet, as it came: it is not looked through again with each bit. */
  var rest = []
  var restCharacters = 0
  var dataCharacters = 0
  var isFirst = true
  var endedWithReturn = false
  var type = ''
  var id = ''
  var data = []
  var takeLine = (line) => {
    var _a
    if (line === '') {
      var event_1 = { kind: 'event', type: type || 'message', id: id, data: data.join('\n') }
      var isEmpty = data.length === 0
      type = ''
      data = []
      dataCharacters = 0
      return isEmpty ? undefined : event_1
    }
    if (line.startsWith(':')) return { kind: 'comment' }
    var _b = (_a = /^([^:]*): ?(.*)$/s.exec(line)) !== null && _a !== void 0 ? _a : [],
      _c = _b[1],
      name = _c === void 0 ? line : _c,
      _d = _b[2],
      value = _d === void 0 ? '' : _d
    if (name === 'event') type = value
    else if (name === 'data') {
      data.push(value)
      dataCharacters += value.length + 1
      if (dataCharacters > mostHeldCharacters)
        throw new client_error_ts_1.ClientError('unexpected_answer', 'an event has no end')
    } else if (name === 'id' && !value.includes('\0')) id = value
    return undefined
  }
  var clean = (text) => {
    var begun = isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text
    // The other half of a line end.
    var cleaned = endedWithReturn && begun.startsWith('\n') ? begun.slice(1) : begun
    isFirst = isFirst && text === ''
    if (text !== '') endedWithReturn = text.endsWith('\r')
    return cleaned
  }
  /** Takes the next bit and gives what it completes; an event that no empty line ends never counts. */
  return (text) => {
    var _a
    var lines = clean(text).split(/\r\n|\n|\r/)
    var last = (_a = lines.pop()) !== null && _a !== void 0 ? _a : ''
    if (lines[0] !== undefined) {
      lines[0] = rest.join('') + lines[0]
      rest = []
      restCharacters = 0
    }
    if (last !== '') rest.push(last)
    restCharacters += last.length
    if (restCharacters > mostHeldCharacters)
      throw new client_error_ts_1.ClientError('unexpected_answer', 'a line of the stream has no end')
    return lines.map(takeLine).filter((event) => event !== undefined)
  }
}
exports.createEventSplitter = createEventSplitter
/**
 * Reads a stream of events until it ends; an abort ends the connection, and so does breaking off the iteration.
 * @throws ClientError `network` when the connection breaks, and the reason of the signal
 */
function readEventStream(body, signal) {
  return __asyncGenerator(this, arguments, function readEventStream_1() {
    var split, decoder, _a, _b, _c, chunk, e_1_1
    var _d, e_1, _e, _f
    return __generator(this, (_g) => {
      switch (_g.label) {
        case 0:
          split = (0, exports.createEventSplitter)()
          decoder = new TextDecoder('utf-8', { ignoreBOM: true })
          _g.label = 1
        case 1:
          _g.trys.push([1, 8, 9, 14])
          ;(_a = true), (_b = __asyncValues((0, read_chunks_ts_1.readChunks)(body, signal)))
          _g.label = 2
        case 2:
          return [4 /*yield*/, __await(_b.next())]
        case 3:
          if (!((_c = _g.sent()), (_d = _c.done), !_d)) return [3 /*break*/, 7]
          _f = _c.value
          _a = false
          chunk = _f
          return [
            5 /*yield**/,
            __values(__asyncDelegator(__asyncValues(split(decoder.decode(chunk, { stream: true }))))),
          ]
        case 4:
          return [4 /*yield*/, __await.apply(void 0, [_g.sent()])]
        case 5:
          _g.sent()
          _g.label = 6
        case 6:
          _a = true
          return [3 /*break*/, 2]
        case 7:
          return [3 /*break*/, 14]
        case 8:
          e_1_1 = _g.sent()
          e_1 = { error: e_1_1 }
          return [3 /*break*/, 14]
        case 9:
          _g.trys.push([9, , 12, 13])
          if (!(!_a && !_d && (_e = _b.return))) return [3 /*break*/, 11]
          return [4 /*yield*/, __await(_e.call(_b))]
        case 10:
          _g.sent()
          _g.label = 11
        case 11:
          return [3 /*break*/, 13]
        case 12:
          if (e_1) throw e_1.error
          return [7 /*endfinally*/]
        case 13:
          return [7 /*endfinally*/]
        case 14:
          return [2 /*return*/]
      }
    })
  })
}
