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
Object.defineProperty(exports, '__esModule', { value: true })
exports.readChunks = readChunks
var client_error_ts_1 = require('./client-error.ts')
/**
 * Reads a body until it ends; an abort ends the connection, and so does breaking off the iteration.
 * @throws ClientError `network` when the connection breaks, and the reason of the signal
 */
function readChunks(body, signal) {
  return __asyncGenerator(this, arguments, function readChunks_1() {
    var reader, cancel, _a, done, value
    return __generator(this, (_b) => {
      switch (_b.label) {
        case 0:
          reader = body.getReader()
          cancel = () => void reader.cancel().catch(() => undefined)
          signal === null || signal === void 0 ? void 0 : signal.addEventListener('abort', cancel)
          _b.label = 1
        case 1:
          _b.trys.push([1, , 9, 11])
          _b.label = 2
        case 2:
          if (!true) return [3 /*break*/, 8]
          signal === null || signal === void 0 ? void 0 : signal.throwIfAborted()
          return [4 /*yield*/, __await(reader.read().catch(client_error_ts_1.throwAsNetwork))]
        case 3:
          ;(_a = _b.sent()), (done = _a.done), (value = _a.value)
          signal === null || signal === void 0 ? void 0 : signal.throwIfAborted()
          if (!done) return [3 /*break*/, 5]
          return [4 /*yield*/, __await(void 0)]
        case 4:
          return [2 /*return*/, _b.sent()]
        case 5:
          return [4 /*yield*/, __await(value)]
        case 6:
          return [4 /*yield*/, _b.sent()]
        case 7:
          _b.sent()
          return [3 /*break*/, 2]
        case 8:
          return [3 /*break*/, 11]
        case 9:
          signal === null || signal === void 0 ? void 0 : signal.removeEventListener('abort', cancel)
          // Does nothing when the body is at its end.
          return [4 /*yield*/, __await(reader.cancel().catch(client_error_ts_1.throwAsNetwork))]
        case 10:
          // Does nothing when the body is at its end.
          _b.sent()
          return [7 /*endfinally*/]
        case 11:
          return [2 /*return*/]
      }
    })
  })
}
