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
exports.startLive = void 0
var bell_ts_1 = require('./bell.ts')
var client_error_ts_1 = require('./client-error.ts')
var debounce_ts_1 = require('./debounce.ts')
var guard_ts_1 = require('./guard.ts')
var live_channels_ts_1 = require('./live-channels.ts')
var live_state_ts_1 = require('./live-state.ts')
var network_ts_1 = require('./network.ts')
var pace_ts_1 = require('./pace.ts')
var defaults = {
  firstEventMilliseconds: 10000,
  silenceMilliseconds: 60000,
  waitMilliseconds: 25000,
  pollMilliseconds: 30000,
  firstMilliseconds: 500,
  longestMilliseconds: 60000,
  quietMilliseconds: 100,
  upgradeMilliseconds: 600000,
  ways: ['events', 'wait', 'poll'],
}
// A connection that ends so often before it has proved to work will not do so the next time.
var mostBroken = 3
var signInCheckMilliseconds = 2000
// A sync that has come this far lately needs no new connection, although the network is another.
var freshMilliseconds = 5000
/** Keeps a replica in step; see `Replica.live`. */
var startLive = (target, options) => {
  var _a, _b
  if (options === void 0) {
    options = {}
  }
  var times = __assign(__assign({}, defaults), withoutUndefined(options))
  var pace = __assign(
    __assign({}, pace_ts_1.systemPace),
    withoutUndefined((_a = options.pace) !== null && _a !== void 0 ? _a : {}),
  )
  var client = target.client,
    countPending = target.countPending
  var bell = (0, bell_ts_1.createBell)()
  var board = (0, live_state_ts_1.createStateBoard)(
    {
      status: 'connecting',
      pending: countPending(),
      progress: undefined,
      syncedAt: undefined,
      nextTryAt: undefined,
      lastError: undefined,
    },
    options.onState,
  )
  var lookers = new Set()
  var onLook = (look) => {
    lookers.add(look)
    return () => lookers.delete(look)
  }
  var best = () => {
    var _a
    return (_a = times.ways[0]) !== null && _a !== void 0 ? _a : 'poll'
  }
  var turn = new AbortController()
  var isStopped = false
  var way = best()
  var upgradeAt = 0
  var position = 0
  var progressAt = 0
  /** Failed syncs in a row, and connections in a row that ended before they had proved to work. */
  var failures = 0
  var broken = 0
  var isSyncFailure = false
  var syncNow = (signal) =>
    __awaiter(void 0, void 0, void 0, function () {
      var limitMilliseconds, result_1, error_1
      return __generator(this, (_a) => {
        switch (_a.label) {
          case 0:
            bell.clear()
            limitMilliseconds = times.silenceMilliseconds
            _a.label = 1
          case 1:
            _a.trys.push([1, 3, 4, 5])
            return [
              4 /*yield*/,
              (0, guard_ts_1.runGuarded)(
                { pace: pace, signal: signal, limitMilliseconds: limitMilliseconds, onLook: onLook },
                (guard) =>
                  target.sync({
                    signal: guard.signal,
                    onProgress: (progress) => {
                      guard.heard()
                      progressAt = pace.now()
                      board.set({ progress: progress })
                    },
                  }),
              ),
            ]
          case 2:
            result_1 = _a.sent()
            position = result_1.position
            failures = 0
            board.set({ syncedAt: pace.now(), lastError: undefined })
            if (options.onSync !== undefined)
              queueMicrotask(() => {
                var _a
                return (_a = options.onSync) === null || _a === void 0 ? void 0 : _a.call(options, result_1)
              })
            return [3 /*break*/, 5]
          case 3:
            error_1 = _a.sent()
            isSyncFailure = true
            throw error_1
          case 4:
            board.set({ progress: undefined, pending: countPending() })
            return [7 /*endfinally*/]
          case 5:
            return [2 /*return*/]
        }
      })
    })
  var context = {
    client: client,
    pace: pace,
    times: times,
    bell: bell,
    onLook: onLook,
    position: () => position,
    syncNow: syncNow,
    setStatus: (status, nextTryAt) => board.set({ status: status, nextTryAt: nextTryAt }),
    proven: () => {
      broken = 0
    },
    isUpgradeDue: () => way !== best() && pace.now() >= upgradeAt,
  }
  var takeNextWay = () => {
    var next = live_channels_ts_1.channels[way].otherwise
    way = times.ways.includes(next) || next === 'poll' ? next : live_channels_ts_1.channels[next].otherwise
    upgradeAt = pace.now() + times.upgradeMilliseconds
    broken = 0
  }
  var pause = function (signal_1) {
    var args_1 = []
    for (var _i = 1; _i < arguments.length; _i++) {
      args_1[_i - 1] = arguments[_i]
    }
    return __awaiter(void 0, __spreadArray([signal_1], args_1, true), void 0, function (signal, atLeastMilliseconds) {
      var milliseconds
      if (atLeastMilliseconds === void 0) {
        atLeastMilliseconds = 0
      }
      return __generator(this, (_a) => {
        switch (_a.label) {
          case 0:
            milliseconds =
              atLeastMilliseconds + (0, pace_ts_1.spread)(Math.max(1, failures, broken), times, pace.random)
            board.set({ nextTryAt: pace.now() + milliseconds })
            return [4 /*yield*/, (0, pace_ts_1.wait)(pace, milliseconds, signal)]
          case 1:
            _a.sent()
            board.set({ nextTryAt: undefined })
            return [2 /*return*/]
        }
      })
    })
  }
  var rest = (error, signal) =>
    __awaiter(void 0, void 0, void 0, function () {
      var known
      var _a
      return __generator(this, (_b) => {
        switch (_b.label) {
          case 0:
            known = (0, client_error_ts_1.isClientError)(error) ? error : undefined
            board.set({
              status:
                (known === null || known === void 0 ? void 0 : known.code) === 'network' ? 'offline' : 'connecting',
              lastError: error,
            })
            return [
              4 /*yield*/,
              pause(
                signal,
                ((_a = known === null || known === void 0 ? void 0 : known.retryAfterSeconds) !== null && _a !== void 0
                  ? _a
                  : 0) * 1000,
              ),
            ]
          case 1:
            _b.sent()
            return [2 /*return*/]
        }
      })
    })
  var waitForSignIn = (error, signal) =>
    __awaiter(void 0, void 0, void 0, function () {
      return __generator(this, (_a) => {
        switch (_a.label) {
          case 0:
            board.set({ status: 'signed_out', nextTryAt: undefined, lastError: error })
            _a.label = 1
          case 1:
            return [4 /*yield*/, pace.sleep(signInCheckMilliseconds, signal)]
          case 2:
            if (!_a.sent()) return [3 /*break*/, 4]
            return [4 /*yield*/, client.findSession()]
          case 3:
            if (_a.sent() !== undefined) return [2 /*return*/]
            return [3 /*break*/, 1]
          case 4:
            return [2 /*return*/]
        }
      })
    })
  /** Syncs, and listens until there is a reason to begin anew. */
  var takeTurn = (signal) =>
    __awaiter(void 0, void 0, void 0, function () {
      return __generator(this, (_a) => {
        switch (_a.label) {
          case 0:
            isSyncFailure = false
            return [4 /*yield*/, syncNow(signal)]
          case 1:
            _a.sent()
            if (context.isUpgradeDue()) way = best()
            return [4 /*yield*/, live_channels_ts_1.channels[way].listen(context, signal)]
          case 2:
            _a.sent()
            if (way !== 'events') return [2 /*return*/]
            // The server has ended the stream, as it does with the token or when it stops: not all devices at once.
            broken++
            if (!(broken >= mostBroken)) return [3 /*break*/, 3]
            takeNextWay()
            return [3 /*break*/, 5]
          case 3:
            return [4 /*yield*/, pause(signal)]
          case 4:
            _a.sent()
            _a.label = 5
          case 5:
            return [2 /*return*/]
        }
      })
    })
  var recover = (error, signal) =>
    __awaiter(void 0, void 0, void 0, function () {
      return __generator(this, (_a) => {
        switch (_a.label) {
          case 0:
            if ((0, client_error_ts_1.isClientError)(error, 'signed_out'))
              return [2 /*return*/, waitForSignIn(error, signal)]
            if (isSyncFailure) failures++
            else if (
              (0, client_error_ts_1.isClientError)(error, 'not_offered') ||
              ((0, client_error_ts_1.isClientError)(error) && error.status === 429)
            ) {
              return [2 /*return*/, takeNextWay()]
            } else {
              broken++
              if (broken >= mostBroken && way !== 'poll') return [2 /*return*/, takeNextWay()]
            }
            return [4 /*yield*/, rest(error, signal)]
          case 1:
            _a.sent()
            return [2 /*return*/]
        }
      })
    })
  var run = () =>
    __awaiter(void 0, void 0, void 0, function () {
      var _loop_1
      return __generator(this, (_a) => {
        switch (_a.label) {
          case 0:
            _loop_1 = function () {
              var signal, error_2
              return __generator(this, (_b) => {
                switch (_b.label) {
                  case 0:
                    turn = new AbortController()
                    signal = turn.signal
                    _b.label = 1
                  case 1:
                    _b.trys.push([1, 3, , 5])
                    return [
                      4 /*yield*/,
                      takeTurn(signal).catch((error) => (signal.aborted ? undefined : recover(error, signal))),
                    ]
                  case 2:
                    _b.sent()
                    return [3 /*break*/, 5]
                  case 3:
                    error_2 = _b.sent()
                    // The token storage has failed.
                    return [4 /*yield*/, rest(error_2, signal)]
                  case 4:
                    // The token storage has failed.
                    _b.sent()
                    return [3 /*break*/, 5]
                  case 5:
                    return [2 /*return*/]
                }
              })
            }
            _a.label = 1
          case 1:
            if (isStopped) return [3 /*break*/, 3]
            return [5 /*yield**/, _loop_1()]
          case 2:
            _a.sent()
            return [3 /*break*/, 1]
          case 3:
            return [2 /*return*/]
        }
      })
    })
  var wake = () => {
    way = best()
    failures = 0
    broken = 0
    turn.abort()
  }
  var onNetwork = (change) => {
    for (var _i = 0, _a = __spreadArray([], lookers, true); _i < _a.length; _i++) {
      var look = _a[_i]
      look()
    }
    var _b = board.read(),
      progress = _b.progress,
      nextTryAt = _b.nextTryAt,
      lastError = _b.lastError
    var mayTry = !(0, client_error_ts_1.isClientError)(lastError) || lastError.retryAfterSeconds === undefined
    var isFresh = progress !== undefined && pace.now() - progressAt < freshMilliseconds
    if (change === 'network' && !isFresh && mayTry) wake()
    else if (change === 'shown' && nextTryAt !== undefined && mayTry) turn.abort()
  }
  var edited = (0, debounce_ts_1.createDebounce)(pace, times.quietMilliseconds, bell.ring)
  var unwatch = target.watch((_a) => {
    var by = _a.by
    board.set({ pending: countPending() })
    if (by === 'edit') edited.touch()
  })
  var unwatchNetwork = ((_b = options.watchNetwork) !== null && _b !== void 0 ? _b : network_ts_1.watchBrowserNetwork)(
    onNetwork,
  )
  var running = run()
  return {
    state: board.read,
    wake: wake,
    stop: () =>
      __awaiter(void 0, void 0, void 0, function () {
        return __generator(this, (_a) => {
          switch (_a.label) {
            case 0:
              isStopped = true
              unwatch()
              unwatchNetwork()
              edited.stop()
              turn.abort()
              return [4 /*yield*/, running]
            case 1:
              _a.sent()
              return [4 /*yield*/, target.settle()]
            case 2:
              _a.sent()
              board.set({ status: 'stopped', nextTryAt: undefined })
              return [2 /*return*/]
          }
        })
      }),
  }
}
exports.startLive = startLive
var withoutUndefined = (options) =>
  Object.fromEntries(
    Object.entries(options).filter((_a) => {
      var value = _a[1]
      return value !== undefined
    }),
  )
