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
exports.createClient = void 0
var authorize_ts_1 = require('./authorize.ts')
var check_options_ts_1 = require('./check-options.ts')
var client_error_ts_1 = require('./client-error.ts')
var collect_answer_ts_1 = require('./collect-answer.ts')
var create_api_ts_1 = require('./create-api.ts')
var list_pages_ts_1 = require('./list-pages.ts')
var listen_ts_1 = require('./listen.ts')
var retry_ts_1 = require('./retry.ts')
var sync_events_ts_1 = require('./sync-events.ts')
var token_source_ts_1 = require('./token-source.ts')
var web_sign_in_ts_1 = require('./web-sign-in.ts')
/**
 * A client; it sends nothing yet. With tokens in the storage it continues their session.
 * @throws TypeError that names the option that is missing or wrong
 */
var createClient = (options) => {
  var _a, _b
  ;(0, check_options_ts_1.checkOptions)(options)
  var sendOnce =
    (_a = options.fetch) !== null && _a !== void 0 ? _a : (request, init) => globalThis.fetch(request, init)
  var send = options.retry === undefined ? sendOnce : (0, retry_ts_1.sendAgain)(sendOnce, options.retry)
  var baseUrl = options.baseUrl,
    clientId = options.clientId,
    clientSecret = options.clientSecret,
    tokens = options.tokens,
    _c = options.now,
    now = _c === void 0 ? Date.now : _c
  var source = (0, token_source_ts_1.createTokenSource)({
    api: (0, create_api_ts_1.createApi)(baseUrl, send),
    clientId: clientId,
    clientSecret: clientSecret,
    tokens: tokens,
    now: now,
  })
  var toHeader = (_b = options.authorization) !== null && _b !== void 0 ? _b : (token) => 'Bearer '.concat(token)
  var sendSync = (0, authorize_ts_1.authorize)(send, source, toHeader)
  var api = (0, create_api_ts_1.createApi)(baseUrl, sendSync)
  function streamSyncParts() {
    return __asyncGenerator(this, arguments, function streamSyncParts_1(parameters, stream) {
      var _a, data, error, response
      if (parameters === void 0) {
        parameters = {}
      }
      if (stream === void 0) {
        stream = {}
      }
      return __generator(this, (_b) => {
        switch (_b.label) {
          case 0:
            return [4 /*yield*/, __await(askSync(api, sendSync, parameters, stream.signal))]
          case 1:
            ;(_a = _b.sent()), (data = _a.data), (error = _a.error), (response = _a.response)
            if (!response.ok) throw (0, client_error_ts_1.refusalOf)(response, error)
            if (!data)
              throw new client_error_ts_1.ClientError('unexpected_answer', 'the answer is empty', {
                status: response.status,
              })
            return [
              5 /*yield**/,
              __values(__asyncDelegator(__asyncValues((0, sync_events_ts_1.readSyncParts)(data, stream)))),
            ]
          case 2:
            return [4 /*yield*/, __await.apply(void 0, [_b.sent()])]
          case 3:
            _b.sent()
            return [2 /*return*/]
        }
      })
    })
  }
  function streamSync() {
    return __asyncGenerator(this, arguments, function streamSync_1(parameters, stream) {
      var _a, _b, _c, part, e_1_1
      var _d, e_1, _e, _f
      if (parameters === void 0) {
        parameters = {}
      }
      if (stream === void 0) {
        stream = {}
      }
      return __generator(this, (_g) => {
        switch (_g.label) {
          case 0:
            _g.trys.push([0, 7, 8, 13])
            ;(_a = true), (_b = __asyncValues(streamSyncParts(parameters, stream)))
            _g.label = 1
          case 1:
            return [4 /*yield*/, __await(_b.next())]
          case 2:
            if (!((_c = _g.sent()), (_d = _c.done), !_d)) return [3 /*break*/, 6]
            _f = _c.value
            _a = false
            part = _f
            return [5 /*yield**/, __values(__asyncDelegator(__asyncValues(part)))]
          case 3:
            return [4 /*yield*/, __await.apply(void 0, [_g.sent()])]
          case 4:
            _g.sent()
            _g.label = 5
          case 5:
            _a = true
            return [3 /*break*/, 1]
          case 6:
            return [3 /*break*/, 13]
          case 7:
            e_1_1 = _g.sent()
            e_1 = { error: e_1_1 }
            return [3 /*break*/, 13]
          case 8:
            _g.trys.push([8, , 11, 12])
            if (!(!_a && !_d && (_e = _b.return))) return [3 /*break*/, 10]
            return [4 /*yield*/, __await(_e.call(_b))]
          case 9:
            _g.sent()
            _g.label = 10
          case 10:
            return [3 /*break*/, 12]
          case 11:
            if (e_1) throw e_1.error
            return [7 /*endfinally*/]
          case 12:
            return [7 /*endfinally*/]
          case 13:
            return [2 /*return*/]
        }
      })
    })
  }
  return __assign(
    __assign({}, (0, listen_ts_1.createListener)(baseUrl, (0, authorize_ts_1.authorize)(sendOnce, source, toHeader))),
    {
      api: api,
      signIn: source.signIn,
      finishWebSignIn: (begun, arrivedAt) =>
        __awaiter(void 0, void 0, void 0, function () {
          var code
          return __generator(this, (_a) => {
            switch (_a.label) {
              case 0:
                code = (0, web_sign_in_ts_1.readWebSignInCode)(baseUrl, begun, arrivedAt)
                return [
                  4 /*yield*/,
                  source.signInByCode({ code: code, redirectUri: begun.redirectUri, verifier: begun.verifier }),
                ]
              case 1:
                _a.sent()
                return [2 /*return*/]
            }
          })
        }),
      signOut: source.signOut,
      findSession: source.findSession,
      sync: (parameters, stream) => (0, collect_answer_ts_1.collectAnswer)(streamSync(parameters, stream)),
      streamSync: streamSync,
      streamSyncParts: streamSyncParts,
      listChanges: (page) => (0, list_pages_ts_1.listPages)(streamSync, page),
    },
  )
}
exports.createClient = createClient
/** A GET changes nothing, so it is used wherever nothing is uploaded. */
var askSync = (api, send, _a, signal) => {
  var from = _a.from,
    skip = _a.skip,
    limit = _a.limit,
    rest = __rest(_a, ['from', 'skip', 'limit'])
  var listing = __assign(
    __assign(__assign({}, from == null ? {} : { from: from }), skip == null ? {} : { skip: skip }),
    limit == null ? {} : { limit: limit },
  )
  var body = Object.fromEntries(
    Object.entries(rest).filter((_a) => {
      var value = _a[1]
      return hasAny(value)
    }),
  )
  var init = __assign({ parseAs: 'stream' }, signal === undefined ? {} : abortable(send, signal))
  return Object.keys(body).length === 0
    ? api.GET('/sync', __assign(__assign({}, init), { params: { query: listing } }))
    : api.POST('/sync', __assign(__assign({}, init), { body: __assign(__assign({}, listing), body) }))
}
var abortable = (send, signal) => ({
  signal: signal,
  fetch: (request) => send(request, { signal: signal }).catch(client_error_ts_1.throwAsNetwork),
})
var hasAny = (value) => value != null && Object.keys(value).length > 0
