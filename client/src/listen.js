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
var __awaiter =
  (this && this.__awaiter) ||
  ((thisArg, _arguments, P, generator) => {
    function adopt(value) {
      return value instanceof P
        ? value
        : new P((resolve) => {
            resolve(value)
          })
    }
    return new (P || (P = Promise))((resolve, reject) => {
      function fulfilled(value) {
        try {
          step(generator.next(value))
        } catch (e) {
          reject(e)
        }
      }
      function rejected(value) {
        try {
          step(generator['throw'](value))
        } catch (e) {
          reject(e)
        }
      }
      function step(result) {
        result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected)
      }
      step((generator = generator.apply(thisArg, _arguments || [])).next())
    })
  })
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
exports.createListener = void 0
var client_error_ts_1 = require('./client-error.ts')
var event_stream_ts_1 = require('./event-stream.ts')
/** Whether a status says that the server does not know this way of asking. */
var isNotOffered = (status) => [400, 404, 405, 406, 410, 415, 501].includes(status)
var notOffered = (response, what) =>
  new client_error_ts_1.ClientError('not_offered', 'the server has no '.concat(what), { status: response.status })
/** A listener at a base address; `send` adds the token. */
var createListener = (baseUrl, send) => {
  var base = baseUrl.endsWith('/') ? baseUrl : ''.concat(baseUrl, '/')
  var ask = (path, accept, signal, what) =>
    __awaiter(void 0, void 0, void 0, function () {
      var abort, request, response, text
      return __generator(this, (_a) => {
        switch (_a.label) {
          case 0:
            abort = signal === undefined ? {} : { signal: signal }
            request = new Request(
              ''.concat(base).concat(path),
              __assign({ headers: { accept: accept }, cache: 'no-store' }, abort),
            )
            return [4 /*yield*/, send(request, abort).catch(client_error_ts_1.throwAsNetwork)]
          case 1:
            response = _a.sent()
            if (response.ok) return [2 /*return*/, response]
            return [4 /*yield*/, response.text().catch(client_error_ts_1.throwAsNetwork)]
          case 2:
            text = _a.sent()
            if (isNotOffered(response.status)) throw notOffered(response, what)
            throw (0, client_error_ts_1.refusalOf)(response, parse(text))
        }
      })
    })
  return {
    streamEvents: function () {
      return __asyncGenerator(this, arguments, function streamEvents_1(_a) {
        var response, type, _b, _c, _d, event_1, position, e_1_1
        var _e, e_1, _f, _g
        var _h, _j
        var _k = _a === void 0 ? {} : _a,
          signal = _k.signal
        return __generator(this, (_l) => {
          switch (_l.label) {
            case 0:
              return [4 /*yield*/, __await(ask('sync/events', 'text/event-stream', signal, 'stream of events'))]
            case 1:
              response = _l.sent()
              type = (_h = response.headers.get('content-type')) !== null && _h !== void 0 ? _h : ''
              if (!(!type.toLowerCase().startsWith('text/event-stream') || response.body === null))
                return [3 /*break*/, 3]
              return [4 /*yield*/, __await((_j = response.body) === null || _j === void 0 ? void 0 : _j.cancel())]
            case 2:
              _l.sent()
              throw notOffered(response, 'stream of events')
            case 3:
              _l.trys.push([3, 10, 11, 16])
              ;(_b = true), (_c = __asyncValues((0, event_stream_ts_1.readEventStream)(response.body, signal)))
              _l.label = 4
            case 4:
              return [4 /*yield*/, __await(_c.next())]
            case 5:
              if (!((_d = _l.sent()), (_e = _d.done), !_e)) return [3 /*break*/, 9]
              _g = _d.value
              _b = false
              event_1 = _g
              position = event_1.kind === 'event' ? positionOf(parse(event_1.data)) : undefined
              return [
                4 /*yield*/,
                __await(position === undefined ? { kind: 'alive' } : { kind: 'position', position: position }),
              ]
            case 6:
              return [4 /*yield*/, _l.sent()]
            case 7:
              _l.sent()
              _l.label = 8
            case 8:
              _b = true
              return [3 /*break*/, 4]
            case 9:
              return [3 /*break*/, 16]
            case 10:
              e_1_1 = _l.sent()
              e_1 = { error: e_1_1 }
              return [3 /*break*/, 16]
            case 11:
              _l.trys.push([11, , 14, 15])
              if (!(!_b && !_e && (_f = _c.return))) return [3 /*break*/, 13]
              return [4 /*yield*/, __await(_f.call(_c))]
            case 12:
              _l.sent()
              _l.label = 13
            case 13:
              return [3 /*break*/, 15]
            case 14:
              if (e_1) throw e_1.error
              return [7 /*endfinally*/]
            case 15:
              return [7 /*endfinally*/]
            case 16:
              return [2 /*return*/]
          }
        })
      })
    },
    waitForChange: (_a) =>
      __awaiter(void 0, [_a], void 0, function (_b) {
        var query, response, position, _c, _d
        var from = _b.from,
          seconds = _b.seconds,
          signal = _b.signal
        return __generator(this, (_e) => {
          switch (_e.label) {
            case 0:
              query = 'sync?from='.concat(from, '&wait=').concat(seconds, '&limit=0')
              return [4 /*yield*/, ask(query, 'application/json', signal, 'answer that waits')]
            case 1:
              response = _e.sent()
              _c = positionOf
              _d = parse
              return [4 /*yield*/, response.text().catch(client_error_ts_1.throwAsNetwork)]
            case 2:
              position = _c.apply(void 0, [_d.apply(void 0, [_e.sent()])])
              if (position === undefined)
                throw new client_error_ts_1.ClientError('unexpected_answer', 'the answer has no pos')
              return [2 /*return*/, position]
          }
        })
      }),
  }
}
exports.createListener = createListener
var positionOf = (value) =>
  typeof value === 'object' && value !== null && 'pos' in value && Number.isFinite(value.pos) ? value.pos : undefined
var parse = (text) => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
