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
Object.defineProperty(exports, '__esModule', { value: true })
exports.channels = void 0
var client_error_ts_1 = require('./client-error.ts')
var guard_ts_1 = require('./guard.ts')
var pace_ts_1 = require('./pace.ts')
/** Syncs at each ring until something else is over, and gives that. */
var syncUntil = (_a, signal_1, end_1) =>
  __awaiter(void 0, [_a, signal_1, end_1], void 0, function (_b, signal, end) {
    var ending, what
    var bell = _b.bell,
      syncNow = _b.syncNow
    return __generator(this, (_c) => {
      switch (_c.label) {
        case 0:
          ending = end.then((value) => ({ value: value }))
          _c.label = 1
        case 1:
          if (!true) return [3 /*break*/, 4]
          return [4 /*yield*/, Promise.race([ending, bell.wait()])]
        case 2:
          what = _c.sent()
          if (what !== 'rung') return [2 /*return*/, what.value]
          return [4 /*yield*/, syncNow(signal)]
        case 3:
          _c.sent()
          return [3 /*break*/, 1]
        case 4:
          return [2 /*return*/]
      }
    })
  })
var listenByEvents = (context, signal) =>
  __awaiter(void 0, void 0, void 0, function () {
    var client,
      pace,
      times,
      bell,
      position,
      setStatus,
      proven,
      onLook,
      begunAt,
      isHeard,
      read,
      limitMilliseconds,
      error_1,
      isHeldBack
    return __generator(this, (_a) => {
      switch (_a.label) {
        case 0:
          ;(client = context.client),
            (pace = context.pace),
            (times = context.times),
            (bell = context.bell),
            (position = context.position),
            (setStatus = context.setStatus),
            (proven = context.proven),
            (onLook = context.onLook)
          begunAt = pace.now()
          isHeard = false
          read = (guarded, heard) =>
            __awaiter(void 0, void 0, void 0, function () {
              var _a, _b, _c, event_1, e_1_1
              var _d, e_1, _e, _f
              return __generator(this, (_g) => {
                switch (_g.label) {
                  case 0:
                    _g.trys.push([0, 5, 6, 11])
                    ;(_a = true), (_b = __asyncValues(client.streamEvents({ signal: guarded })))
                    _g.label = 1
                  case 1:
                    return [4 /*yield*/, _b.next()]
                  case 2:
                    if (!((_c = _g.sent()), (_d = _c.done), !_d)) return [3 /*break*/, 4]
                    _f = _c.value
                    _a = false
                    event_1 = _f
                    if (!isHeard) setStatus('live')
                    isHeard = true
                    heard(times.silenceMilliseconds)
                    if (event_1.kind === 'position' && event_1.position > position()) bell.ring()
                    if (pace.now() - begunAt >= times.firstEventMilliseconds) proven()
                    _g.label = 3
                  case 3:
                    _a = true
                    return [3 /*break*/, 1]
                  case 4:
                    return [3 /*break*/, 11]
                  case 5:
                    e_1_1 = _g.sent()
                    e_1 = { error: e_1_1 }
                    return [3 /*break*/, 11]
                  case 6:
                    _g.trys.push([6, , 9, 10])
                    if (!(!_a && !_d && (_e = _b.return))) return [3 /*break*/, 8]
                    return [4 /*yield*/, _e.call(_b)]
                  case 7:
                    _g.sent()
                    _g.label = 8
                  case 8:
                    return [3 /*break*/, 10]
                  case 9:
                    if (e_1) throw e_1.error
                    return [7 /*endfinally*/]
                  case 10:
                    return [7 /*endfinally*/]
                  case 11:
                    return [2 /*return*/]
                }
              })
            })
          limitMilliseconds = times.firstEventMilliseconds
          _a.label = 1
        case 1:
          _a.trys.push([1, 3, , 4])
          return [
            4 /*yield*/,
            (0, guard_ts_1.runGuarded)(
              { pace: pace, signal: signal, limitMilliseconds: limitMilliseconds, onLook: onLook },
              (guard) => syncUntil(context, guard.signal, read(guard.signal, guard.heard)),
            ),
          ]
        case 2:
          _a.sent()
          return [3 /*break*/, 4]
        case 3:
          error_1 = _a.sent()
          isHeldBack =
            !isHeard &&
            (0, client_error_ts_1.isClientError)(error_1, 'network') &&
            pace.now() - begunAt >= limitMilliseconds
          if (isHeldBack)
            throw new client_error_ts_1.ClientError('not_offered', 'events do not come through', { cause: error_1 })
          throw error_1
        case 4:
          return [2 /*return*/]
      }
    })
  })
// After an answer that came early.
var earlyMilliseconds = 1000
var listenByWaiting = (context, signal) =>
  __awaiter(void 0, void 0, void 0, function () {
    var client,
      pace,
      times,
      position,
      setStatus,
      proven,
      isUpgradeDue,
      onLook,
      limitMilliseconds,
      seconds,
      early,
      _loop_1,
      state_1
    return __generator(this, (_a) => {
      switch (_a.label) {
        case 0:
          ;(client = context.client),
            (pace = context.pace),
            (times = context.times),
            (position = context.position),
            (setStatus = context.setStatus),
            (proven = context.proven),
            (isUpgradeDue = context.isUpgradeDue),
            (onLook = context.onLook)
          limitMilliseconds = times.waitMilliseconds + times.firstEventMilliseconds
          seconds = times.waitMilliseconds / 1000
          early = 0
          _loop_1 = function () {
            var from, begunAt, heard
            return __generator(this, (_b) => {
              switch (_b.label) {
                case 0:
                  setStatus('waiting')
                  from = position()
                  begunAt = pace.now()
                  return [
                    4 /*yield*/,
                    (0, guard_ts_1.runGuarded)(
                      { pace: pace, signal: signal, limitMilliseconds: limitMilliseconds, onLook: onLook },
                      (guard) =>
                        syncUntil(
                          context,
                          guard.signal,
                          client.waitForChange({ from: from, seconds: seconds, signal: guard.signal }),
                        ),
                    ),
                  ]
                case 1:
                  heard = _b.sent()
                  if (heard > position()) return [2 /*return*/, { value: proven() }]
                  if (!(heard > from || pace.now() - begunAt >= times.waitMilliseconds / 2)) return [3 /*break*/, 2]
                  early = 0
                  proven()
                  return [3 /*break*/, 5]
                case 2:
                  if (!(++early === 2)) return [3 /*break*/, 3]
                  throw new client_error_ts_1.ClientError('not_offered', 'the server does not hold its answer')
                case 3:
                  setStatus('waiting', pace.now() + earlyMilliseconds)
                  return [4 /*yield*/, pace.sleep(earlyMilliseconds, signal)]
                case 4:
                  _b.sent()
                  _b.label = 5
                case 5:
                  return [2 /*return*/]
              }
            })
          }
          _a.label = 1
        case 1:
          if (isUpgradeDue()) return [3 /*break*/, 3]
          return [5 /*yield**/, _loop_1()]
        case 2:
          state_1 = _a.sent()
          if (typeof state_1 === 'object') return [2 /*return*/, state_1.value]
          return [3 /*break*/, 1]
        case 3:
          return [2 /*return*/]
      }
    })
  })
var listenByPolling = (_a, signal_1) =>
  __awaiter(void 0, [_a, signal_1], void 0, function (_b, signal) {
    var milliseconds, pause, end
    var bell = _b.bell,
      pace = _b.pace,
      times = _b.times,
      setStatus = _b.setStatus
    return __generator(this, (_c) => {
      switch (_c.label) {
        case 0:
          milliseconds = times.pollMilliseconds * (0.75 + pace.random() / 2)
          pause = new AbortController()
          end = () => pause.abort()
          signal.addEventListener('abort', end)
          setStatus('polling', pace.now() + milliseconds)
          return [4 /*yield*/, Promise.race([(0, pace_ts_1.wait)(pace, milliseconds, pause.signal), bell.wait()])]
        case 1:
          _c.sent()
          signal.removeEventListener('abort', end)
          end()
          return [2 /*return*/]
      }
    })
  })
/** All ways by name, each with the one to take when it does not work. */
exports.channels = {
  events: { listen: listenByEvents, otherwise: 'wait' },
  wait: { listen: listenByWaiting, otherwise: 'poll' },
  poll: { listen: listenByPolling, otherwise: 'poll' },
}
