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
Object.defineProperty(exports, '__esModule', { value: true })
exports.sendAgain = void 0
var pace_ts_1 = require('./pace.ts')
var retry_after_ts_1 = require('./retry-after.ts')
/**
 * Sends again what may safely be sent twice, when no answer came or the server could not answer for the moment (429, 502,
 * 503, 504): every GET, refreshing and revoking tokens, and uploads by `sync`. Of those with new things only the ones
 * with a `from` of their own: by it the server knows that they are repeated.
 */
var sendAgain = (send, options) => {
  if (options === void 0) {
    options = {}
  }
  var _a = options.attempts,
    attempts = _a === void 0 ? 4 : _a,
    _b = options.firstMilliseconds,
    firstMilliseconds = _b === void 0 ? 500 : _b,
    _c = options.longestMilliseconds,
    longestMilliseconds = _c === void 0 ? 20000 : _c
  var _d = options.longestRetryAfterSeconds,
    longestRetryAfterSeconds = _d === void 0 ? 60 : _d,
    _e = options.recognisesRetries,
    recognisesRetries = _e === void 0 ? true : _e
  var pace = __assign(__assign({}, pace_ts_1.systemPace), withoutUndefined(options))
  var backoff = { firstMilliseconds: firstMilliseconds, longestMilliseconds: longestMilliseconds }
  return (request, init) =>
    __awaiter(void 0, void 0, void 0, function () {
      var _loop_1, failures, state_1
      var _a, _b, _c
      return __generator(this, (_d) => {
        switch (_d.label) {
          case 0:
            return [4 /*yield*/, isRepeatable(request, recognisesRetries)]
          case 1:
            if (!_d.sent()) return [2 /*return*/, send(request, init)]
            _loop_1 = function (failures) {
              var isLast, attempt, answer, seconds
              return __generator(this, (_e) => {
                switch (_e.label) {
                  case 0:
                    isLast = failures >= attempts
                    attempt = isLast ? request : request.clone()
                    return [
                      4 /*yield*/,
                      send(attempt, init).catch((error) => {
                        // What fetch throws for a broken connection; an abort is none.
                        if (isLast || !(error instanceof TypeError)) throw error
                      }),
                    ]
                  case 1:
                    answer = _e.sent()
                    if (answer !== undefined && (isLast || !isForTheMoment(answer.status)))
                      return [2 /*return*/, { value: answer }]
                    seconds =
                      answer === undefined
                        ? 0
                        : (_a = (0, retry_after_ts_1.readRetryAfter)(answer.headers, pace.now)) !== null &&
                            _a !== void 0
                          ? _a
                          : 0
                    if (answer !== undefined && seconds > longestRetryAfterSeconds)
                      return [2 /*return*/, { value: answer }]
                    return [
                      4 /*yield*/,
                      (_b = answer === null || answer === void 0 ? void 0 : answer.body) === null || _b === void 0
                        ? void 0
                        : _b.cancel(),
                    ]
                  case 2:
                    _e.sent()
                    return [
                      4 /*yield*/,
                      pace.sleep(
                        seconds * 1000 + (0, pace_ts_1.spread)(failures, backoff, pace.random),
                        (_c = init === null || init === void 0 ? void 0 : init.signal) !== null && _c !== void 0
                          ? _c
                          : request.signal,
                      ),
                    ]
                  case 3:
                    _e.sent()
                    return [2 /*return*/]
                }
              })
            }
            failures = 1
            _d.label = 2
          case 2:
            return [5 /*yield**/, _loop_1(failures)]
          case 3:
            state_1 = _d.sent()
            if (typeof state_1 === 'object') return [2 /*return*/, state_1.value]
            _d.label = 4
          case 4:
            failures++
            return [3 /*break*/, 2]
          case 5:
            return [2 /*return*/]
        }
      })
    })
}
exports.sendAgain = sendAgain
var isForTheMoment = (status) => [429, 502, 503, 504].includes(status)
var isRepeatable = (request, recognisesRetries) =>
  __awaiter(void 0, void 0, void 0, function () {
    var operation, form, _a
    return __generator(this, (_b) => {
      switch (_b.label) {
        case 0:
          if (request.method === 'GET') return [2 /*return*/, true]
          operation = new URL(request.url).pathname.split('/').at(-1)
          if (operation === 'revoke') return [2 /*return*/, true]
          if (operation !== 'token' && operation !== 'sync') return [2 /*return*/, false]
          _a = URLSearchParams.bind
          return [4 /*yield*/, request.clone().text()]
        case 1:
          form = new (_a.apply(URLSearchParams, [void 0, _b.sent()]))()
          if (operation === 'token') return [2 /*return*/, form.get('grant_type') === 'refresh_token']
          return [2 /*return*/, !form.has('new_thing') || (recognisesRetries && form.has('from'))]
      }
    })
  })
var withoutUndefined = (_a) => {
  var now = _a.now,
    random = _a.random,
    sleep = _a.sleep
  return __assign(
    __assign(__assign({}, now === undefined ? {} : { now: now }), random === undefined ? {} : { random: random }),
    sleep === undefined ? {} : { sleep: sleep },
  )
}
