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
exports.rememberWrites = void 0
var read_many_ts_1 = require('./read-many.ts')
var replica_records_ts_1 = require('./replica-records.ts')
var isThing = (key) => key.startsWith(replica_records_ts_1.keys.thing(''))
var isTag = (key) => key.startsWith(replica_records_ts_1.keys.tag(''))
/**
 * A store that gives the things of the last two writes without reading them again, because who is told of a change asks for
 * them at once, and the settings of a tag, which each of its things asks for. Values that it gives may not be changed.
 */
var rememberWrites = (store) => {
  var last = new Map()
  var older = new Map()
  var tags = new Map()
  var writes = 0
  var find = (key) => [last, older, tags].find((known) => known.has(key))
  var getMany = (asked) =>
    __awaiter(void 0, void 0, void 0, function () {
      var known, unknown, writesBefore, read, _a, _i, read_1, _b, key, value
      return __generator(this, (_c) => {
        switch (_c.label) {
          case 0:
            known = asked.map((key) => {
              var _a
              return (_a = find(key)) === null || _a === void 0 ? void 0 : _a.get(key)
            })
            unknown = asked.filter((key) => find(key) === undefined)
            if (unknown.length === 0) return [2 /*return*/, known]
            writesBefore = writes
            _a = Map.bind
            return [4 /*yield*/, (0, read_many_ts_1.readMany)(store, unknown)]
          case 1:
            read = new (_a.apply(Map, [
              void 0,
              _c.sent().map((value, place) => {
                var _a
                return [(_a = unknown[place]) !== null && _a !== void 0 ? _a : '', value]
              }),
            ]))()
            // What was read beside a write may be what was there before.
            if (writes === writesBefore)
              for (_i = 0, read_1 = read; _i < read_1.length; _i++) {
                ;(_b = read_1[_i]), (key = _b[0]), (value = _b[1])
                if (isTag(key)) tags.set(key, value)
              }
            return [2 /*return*/, asked.map((key, place) => (read.has(key) ? read.get(key) : known[place]))]
        }
      })
    })
  var forget = (changes) => {
    writes++
    for (var _i = 0, changes_1 = changes; _i < changes_1.length; _i++) {
      var key = changes_1[_i]
      for (var _a = 0, _b = [last, older, tags]; _a < _b.length; _a++) {
        var known = _b[_a]
        known.delete(key)
      }
    }
  }
  return __assign(
    __assign(
      {
        get: (key) =>
          __awaiter(void 0, void 0, void 0, function () {
            return __generator(this, (_a) => {
              switch (_a.label) {
                case 0:
                  return [4 /*yield*/, getMany([key])]
                case 1:
                  return [2 /*return*/, _a.sent()[0]]
              }
            })
          }),
        getMany: getMany,
        list: store.list,
      },
      store.listParts === undefined ? {} : { listParts: store.listParts },
    ),
    {
      write: (changes) =>
        __awaiter(void 0, void 0, void 0, function () {
          var things
          return __generator(this, (_a) => {
            switch (_a.label) {
              case 0:
                // Until it is written, and where that fails, the store has to say what is there.
                forget(changes.keys())
                return [4 /*yield*/, store.write(changes)]
              case 1:
                _a.sent()
                forget(changes.keys())
                things = __spreadArray([], changes, true).filter((_a) => {
                  var key = _a[0]
                  return isThing(key)
                })
                if (things.length === 0) return [2 /*return*/]
                older = last
                last = new Map(things)
                return [2 /*return*/]
            }
          })
        }),
    },
  )
}
exports.rememberWrites = rememberWrites
