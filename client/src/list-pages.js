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
var __rest =
  (this && this.__rest) ||
  ((s, e) => {
    var t = {}
    for (var p in s) if (Object.hasOwn(s, p) && e.indexOf(p) < 0) t[p] = s[p]
    if (s != null && typeof Object.getOwnPropertySymbols === 'function')
      for (var i = 0, p = Object.getOwnPropertySymbols(s); i < p.length; i++) {
        if (e.indexOf(p[i]) < 0 && Object.prototype.propertyIsEnumerable.call(s, p[i])) t[p[i]] = s[p[i]]
      }
    return t
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
Object.defineProperty(exports, '__esModule', { value: true })
exports.listPages = listPages
var client_error_ts_1 = require('./client-error.ts')
var collect_answer_ts_1 = require('./collect-answer.ts')
/** How often a listing is begun again, before it is given up. */
var mostRestarts = 5
/**
 * Asks for the next page when it is wanted, until everything that `thingCount` says was listed.
 * @throws ClientError `unexpected_answer` when the server forgets the listing again and again
 */
function listPages(stream_1) {
  return __asyncGenerator(this, arguments, function listPages_1(stream, options) {
    var _a, from, _b, limit, signal, skip, position, restarts, _c, _, page, isFirst, listed
    if (options === void 0) {
      options = {}
    }
    return __generator(this, (_d) => {
      switch (_d.label) {
        case 0:
          ;(_a = options.from),
            (from = _a === void 0 ? 0 : _a),
            (_b = options.pageSize),
            (limit = _b === void 0 ? 500 : _b),
            (signal = options.signal)
          skip = 0
          restarts = 0
          _d.label = 1
        case 1:
          if (!true) return [3 /*break*/, 8]
          return [
            4 /*yield*/,
            __await(
              (0, collect_answer_ts_1.collectEvents)(
                stream({ from: from, skip: skip, limit: limit }, { signal: signal }),
              ),
            ),
          ]
        case 2:
          ;(_c = _d.sent()), (_ = _c.assigned), (page = __rest(_c, ['assigned']))
          isFirst = skip === 0
          // Another position is another listing, in which a thing may have moved to a page that was taken already.
          if (!isFirst && page.position !== position) {
            restarts += 1
            if (restarts > mostRestarts)
              throw new client_error_ts_1.ClientError('unexpected_answer', 'the pages do not fit together')
            skip = 0
            return [3 /*break*/, 1]
          }
          position = page.position
          listed = page.changed.length + page.deleted.length
          skip += listed
          if (!(listed > 0 || skip === 0)) return [3 /*break*/, 5]
          return [4 /*yield*/, __await(__assign(__assign({}, page), { isFirst: isFirst }))]
        case 3:
          return [4 /*yield*/, _d.sent()]
        case 4:
          _d.sent()
          _d.label = 5
        case 5:
          if (!(listed === 0 || skip >= page.thingCount)) return [3 /*break*/, 7]
          return [4 /*yield*/, __await(void 0)]
        case 6:
          return [2 /*return*/, _d.sent()]
        case 7:
          return [3 /*break*/, 1]
        case 8:
          return [2 /*return*/]
      }
    })
  })
}
