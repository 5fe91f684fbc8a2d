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
exports.readPendingEdits = exports.countPending = void 0
var replica_records_ts_1 = require('./replica-records.ts')
/** Things and tags with edits that the server has not confirmed. */
var countPending = (_a) => {
  var sending = _a.sending,
    queued = _a.queued
  return (
    new Set(__spreadArray(__spreadArray([], sending.things.keys(), true), queued.things.keys(), true)).size +
    new Set(__spreadArray(__spreadArray([], sending.tags.keys(), true), queued.tags.keys(), true)).size
  )
}
exports.countPending = countPending
/** Reads the edits that the store keeps. */
var readPendingEdits = (store) =>
  __awaiter(void 0, void 0, void 0, function () {
    var copies, changes
    var _a
    return __generator(this, (_b) => {
      switch (_b.label) {
        case 0:
          _a = {}
          return [4 /*yield*/, readEdits(store, 'queued')]
        case 1:
          _a.queued = _b.sent()
          return [4 /*yield*/, readEdits(store, 'sending')]
        case 2:
          copies = ((_a.sending = _b.sent()), _a)
          changes = 0
          return [
            2 /*return*/,
            __assign(__assign({}, copies), {
              write: (batch) =>
                __awaiter(void 0, void 0, void 0, function () {
                  var _i, batch_1, _a, key, value, _b, _c, stage
                  return __generator(this, (_d) => {
                    switch (_d.label) {
                      case 0:
                        return [4 /*yield*/, store.write(batch)]
                      case 1:
                        _d.sent()
                        for (_i = 0, batch_1 = batch; _i < batch_1.length; _i++) {
                          ;(_a = batch_1[_i]), (key = _a[0]), (value = _a[1])
                          for (_b = 0, _c = ['queued', 'sending']; _b < _c.length; _b++) {
                            stage = _c[_b]
                            if (
                              mirror(
                                copies[stage].things,
                                (0, replica_records_ts_1.editKey)(stage, 'thing', ''),
                                key,
                                value,
                              )
                            )
                              changes++
                            if (
                              mirror(
                                copies[stage].tags,
                                (0, replica_records_ts_1.editKey)(stage, 'tag', ''),
                                key,
                                value,
                              )
                            )
                              changes++
                          }
                        }
                        return [2 /*return*/]
                    }
                  })
                }),
              changeCount: () => changes,
            }),
          ]
      }
    })
  })
exports.readPendingEdits = readPendingEdits
/** True when it changed anything. */
var mirror = (edits, prefix, key, value) => {
  if (!key.startsWith(prefix)) return false
  var name = key.slice(prefix.length)
  if (value === undefined) return edits.delete(name)
  edits.set(name, value)
  return true
}
var readEdits = (store, stage) =>
  __awaiter(void 0, void 0, void 0, function () {
    var things, tags, _a, _b, _c, key, value, e_1_1, _d, _e, _f, key, value, e_2_1
    var _g, e_1, _h, _j, _k, e_2, _l, _m
    return __generator(this, (_o) => {
      switch (_o.label) {
        case 0:
          things = new Map()
          tags = new Map()
          _o.label = 1
        case 1:
          _o.trys.push([1, 6, 7, 12])
          ;(_a = true), (_b = __asyncValues(store.list((0, replica_records_ts_1.editKey)(stage, 'thing', ''))))
          _o.label = 2
        case 2:
          return [4 /*yield*/, _b.next()]
        case 3:
          if (!((_c = _o.sent()), (_g = _c.done), !_g)) return [3 /*break*/, 5]
          _j = _c.value
          _a = false
          ;(key = _j[0]), (value = _j[1])
          mirror(things, (0, replica_records_ts_1.editKey)(stage, 'thing', ''), key, value)
          _o.label = 4
        case 4:
          _a = true
          return [3 /*break*/, 2]
        case 5:
          return [3 /*break*/, 12]
        case 6:
          e_1_1 = _o.sent()
          e_1 = { error: e_1_1 }
          return [3 /*break*/, 12]
        case 7:
          _o.trys.push([7, , 10, 11])
          if (!(!_a && !_g && (_h = _b.return))) return [3 /*break*/, 9]
          return [4 /*yield*/, _h.call(_b)]
        case 8:
          _o.sent()
          _o.label = 9
        case 9:
          return [3 /*break*/, 11]
        case 10:
          if (e_1) throw e_1.error
          return [7 /*endfinally*/]
        case 11:
          return [7 /*endfinally*/]
        case 12:
          _o.trys.push([12, 17, 18, 23])
          ;(_d = true), (_e = __asyncValues(store.list((0, replica_records_ts_1.editKey)(stage, 'tag', ''))))
          _o.label = 13
        case 13:
          return [4 /*yield*/, _e.next()]
        case 14:
          if (!((_f = _o.sent()), (_k = _f.done), !_k)) return [3 /*break*/, 16]
          _m = _f.value
          _d = false
          ;(key = _m[0]), (value = _m[1])
          mirror(tags, (0, replica_records_ts_1.editKey)(stage, 'tag', ''), key, value)
          _o.label = 15
        case 15:
          _d = true
          return [3 /*break*/, 13]
        case 16:
          return [3 /*break*/, 23]
        case 17:
          e_2_1 = _o.sent()
          e_2 = { error: e_2_1 }
          return [3 /*break*/, 23]
        case 18:
          _o.trys.push([18, , 21, 22])
          if (!(!_d && !_k && (_l = _e.return))) return [3 /*break*/, 20]
          return [4 /*yield*/, _l.call(_e)]
        case 19:
          _o.sent()
          _o.label = 20
        case 20:
          return [3 /*break*/, 22]
        case 21:
          if (e_2) throw e_2.error
          return [7 /*endfinally*/]
        case 22:
          return [7 /*endfinally*/]
        case 23:
          return [2 /*return*/, { things: things, tags: tags }]
      }
    })
  })
