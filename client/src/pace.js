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
exports.wait = exports.spread = exports.systemPace = void 0
/** The clock and the chance of this device. */
exports.systemPace = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal === null || signal === void 0 ? void 0 : signal.aborted) return resolve(false)
      var end = (isOver) => {
        clearTimeout(timer)
        signal === null || signal === void 0 ? void 0 : signal.removeEventListener('abort', abort)
        resolve(isOver)
      }
      var abort = () => end(false)
      var timer = setTimeout(end, milliseconds, true)
      signal === null || signal === void 0 ? void 0 : signal.addEventListener('abort', abort)
    }),
}
/**
 * Milliseconds to wait after this many failures: anything up to the doubled limit (full jitter), so that many devices do
 * not come back together.
 */
var spread = (failures, backoff, random) =>
  random() * Math.min(backoff.longestMilliseconds, backoff.firstMilliseconds * 2 ** Math.min(failures - 1, 30))
exports.spread = spread
// Timers stand still while a machine sleeps; by looking at the clock this often the end of a long wait is not missed.
var stepMilliseconds = 5000
/** Waits as `sleep` does, and not longer when the clock was moved or the machine slept meanwhile. */
var wait = (pace, milliseconds, signal) =>
  __awaiter(void 0, void 0, void 0, function () {
    var endsAt, left, step
    return __generator(this, (_a) => {
      switch (_a.label) {
        case 0:
          endsAt = pace.now() + milliseconds
          left = milliseconds
          _a.label = 1
        case 1:
          step = Math.max(0, Math.min(left, stepMilliseconds, endsAt - pace.now()))
          return [4 /*yield*/, pace.sleep(step, signal)]
        case 2:
          if (!_a.sent()) return [2 /*return*/, false]
          left -= step
          _a.label = 3
        case 3:
          if (left > 0 && pace.now() < endsAt) return [3 /*break*/, 1]
          _a.label = 4
        case 4:
          return [2 /*return*/, true]
      }
    })
  })
exports.wait = wait
