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
exports.runGuarded = void 0
var client_error_ts_1 = require('./client-error.ts')
// By the clock and not by one long timer: those stand still while a machine sleeps.
var stepMilliseconds = 5000
/**
 * Does work on a connection that may die without a word: when nothing was heard for too long, also because the machine
 * slept, it is aborted. Neither it nor an abort waits for work that does not listen to its signal.
 * @throws ClientError `network` when the work was silent for too long
 */
var runGuarded = (_a, work_1) =>
  __awaiter(void 0, [_a, work_1], void 0, function (_b, work) {
    var ending, limit, heardAt, end, look, watch, forget, aborted, heard
    var pace = _b.pace,
      signal = _b.signal,
      limitMilliseconds = _b.limitMilliseconds,
      onLook = _b.onLook
    return __generator(this, (_c) => {
      switch (_c.label) {
        case 0:
          ending = new AbortController()
          limit = limitMilliseconds
          heardAt = pace.now()
          end = () => ending.abort(signal.reason)
          look = () => {
            if (pace.now() - heardAt < limit) return
            ending.abort(
              new client_error_ts_1.ClientError('network', 'nothing came for '.concat(limit / 1000, ' seconds')),
            )
          }
          watch = () =>
            __awaiter(void 0, void 0, void 0, function () {
              var left
              return __generator(this, (_a) => {
                switch (_a.label) {
                  case 0:
                    if (ending.signal.aborted) return [3 /*break*/, 2]
                    left = Math.max(0, heardAt + limit - pace.now())
                    return [4 /*yield*/, pace.sleep(Math.min(stepMilliseconds, left), ending.signal)]
                  case 1:
                    if (_a.sent()) look()
                    return [3 /*break*/, 0]
                  case 2:
                    return [2 /*return*/]
                }
              })
            })
          if (signal.aborted) end()
          signal.addEventListener('abort', end)
          forget = onLook === null || onLook === void 0 ? void 0 : onLook(look)
          aborted = new Promise((_, reject) => {
            var throwReason = () => reject(ending.signal.reason)
            if (ending.signal.aborted) throwReason()
            else ending.signal.addEventListener('abort', throwReason)
          })
          void watch()
          heard = (next) => {
            if (next === void 0) {
              next = limit
            }
            limit = next
            heardAt = pace.now()
          }
          _c.label = 1
        case 1:
          _c.trys.push([1, , 3, 4])
          return [4 /*yield*/, Promise.race([work({ signal: ending.signal, heard: heard }), aborted])]
        case 2:
          return [2 /*return*/, _c.sent()]
        case 3:
          signal.removeEventListener('abort', end)
          forget === null || forget === void 0 ? void 0 : forget()
          // The work may be broken off by this, and nobody waits for it any more.
          ending.abort()
          return [7 /*endfinally*/]
        case 4:
          return [2 /*return*/]
      }
    })
  })
exports.runGuarded = runGuarded
