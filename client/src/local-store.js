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
exports.createMemoryLocalStore = void 0
/** A local store that forgets everything when the program ends. */
var createMemoryLocalStore = () => {
  var entries = new Map()
  return {
    get: (key) =>
      __awaiter(void 0, void 0, void 0, function () {
        return __generator(this, (_a) => [2 /*return*/, parse(entries.get(key))])
      }),
    list: function (prefix) {
      return __asyncGenerator(this, arguments, function list_1() {
        var _i, entries_1, _a, key, json
        return __generator(this, (_b) => {
          switch (_b.label) {
            case 0:
              ;(_i = 0), (entries_1 = entries)
              _b.label = 1
            case 1:
              if (!(_i < entries_1.length)) return [3 /*break*/, 5]
              ;(_a = entries_1[_i]), (key = _a[0]), (json = _a[1])
              if (!key.startsWith(prefix)) return [3 /*break*/, 4]
              return [4 /*yield*/, __await([key, parse(json)])]
            case 2:
              return [4 /*yield*/, _b.sent()]
            case 3:
              _b.sent()
              _b.label = 4
            case 4:
              _i++
              return [3 /*break*/, 1]
            case 5:
              return [2 /*return*/]
          }
        })
      })
    },
    write: (changes) =>
      __awaiter(void 0, void 0, void 0, function () {
        var texts, _i, texts_1, _a, _b, key, json
        return __generator(this, (_c) => {
          texts = Array.from(changes, (_a) => {
            var key = _a[0],
              value = _a[1]
            return [key, value === undefined ? value : JSON.stringify(value)]
          })
          for (_i = 0, texts_1 = texts; _i < texts_1.length; _i++) {
            ;(_a = texts_1[_i]), (_b = _a[0]), (key = _b === void 0 ? '' : _b), (json = _a[1])
            if (json === undefined) entries.delete(key)
            else entries.set(key, json)
          }
          return [2 /*return*/]
        })
      }),
  }
}
exports.createMemoryLocalStore = createMemoryLocalStore
var parse = (json) => (json === undefined ? undefined : JSON.parse(json))
