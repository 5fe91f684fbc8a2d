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
exports.findLostThings = void 0
var confirm_upload_ts_1 = require('./confirm-upload.ts')
var fold_answer_ts_1 = require('./fold-answer.ts')
var replica_records_ts_1 = require('./replica-records.ts')
var thing_fields_ts_1 = require('./thing-fields.ts')
/**
 * Finds which of the new things that are `sending` the server has, although no answer said so: a listed thing that was
 * not known before and says exactly what was sent. Whatever is found is given its `_id` and is not sent again. For
 * uploads that the server cannot recognise as repeated by their local ids, because the session is another (contract,
 * sync 7) or the server is one that keeps the interface and nothing else.
 */
var findLostThings = (parts, target) =>
  __awaiter(void 0, void 0, void 0, function () {
    var store,
      pending,
      inTurn,
      state,
      wanted,
      _i,
      _a,
      _b,
      localId,
      edit,
      content,
      found,
      ids,
      take,
      part,
      _c,
      part_1,
      event_1,
      e_1_1
    var _d, parts_1, parts_1_1
    var _e, e_1, _f, _g
    var _h
    return __generator(this, (_j) => {
      switch (_j.label) {
        case 0:
          ;(store = target.store), (pending = target.pending), (inTurn = target.inTurn), (state = target.state)
          wanted = new Map()
          for (_i = 0, _a = pending.sending.things; _i < _a.length; _i++) {
            ;(_b = _a[_i]), (localId = _b[0]), (edit = _b[1])
            if (edit.kind !== 'new') continue
            content = toComparable((0, replica_records_ts_1.applyFields)(replica_records_ts_1.blankThing, edit.fields))
            wanted.set(
              content,
              __spreadArray(
                __spreadArray([], (_h = wanted.get(content)) !== null && _h !== void 0 ? _h : [], true),
                [localId],
                false,
              ),
            )
          }
          found = new Map()
          ids = new Map()
          take = (event) =>
            __awaiter(void 0, void 0, void 0, function () {
              var known, thing, localId
              var _a
              return __generator(this, (_b) => {
                switch (_b.label) {
                  case 0:
                    if (event.kind !== 'changed') return [2 /*return*/]
                    return [4 /*yield*/, store.get(replica_records_ts_1.keys.thing(event.thing._id))]
                  case 1:
                    known = _b.sent()
                    // What a broken answer to the lost upload has told of already is new all the same.
                    if (known !== undefined && known.knownAfter < state.position) return [2 /*return*/]
                    thing = (0, fold_answer_ts_1.toKnown)(event.thing, '', state.position, known)
                    localId = (_a = wanted.get(toComparable(thing))) === null || _a === void 0 ? void 0 : _a.shift()
                    if (localId === undefined) return [2 /*return*/]
                    found.set(localId, thing)
                    ids.set(localId, event.thing._id)
                    return [2 /*return*/]
                }
              })
            })
          _j.label = 1
        case 1:
          _j.trys.push([1, 9, 10, 15])
          ;(_d = true), (parts_1 = __asyncValues(parts))
          _j.label = 2
        case 2:
          return [4 /*yield*/, parts_1.next()]
        case 3:
          if (!((parts_1_1 = _j.sent()), (_e = parts_1_1.done), !_e)) return [3 /*break*/, 8]
          _g = parts_1_1.value
          _d = false
          part = _g
          ;(_c = 0), (part_1 = part)
          _j.label = 4
        case 4:
          if (!(_c < part_1.length)) return [3 /*break*/, 7]
          event_1 = part_1[_c]
          return [4 /*yield*/, take(event_1)]
        case 5:
          _j.sent()
          _j.label = 6
        case 6:
          _c++
          return [3 /*break*/, 4]
        case 7:
          _d = true
          return [3 /*break*/, 2]
        case 8:
          return [3 /*break*/, 15]
        case 9:
          e_1_1 = _j.sent()
          e_1 = { error: e_1_1 }
          return [3 /*break*/, 15]
        case 10:
          _j.trys.push([10, , 13, 14])
          if (!(!_d && !_e && (_f = parts_1.return))) return [3 /*break*/, 12]
          return [4 /*yield*/, _f.call(parts_1)]
        case 11:
          _j.sent()
          _j.label = 12
        case 12:
          return [3 /*break*/, 14]
        case 13:
          if (e_1) throw e_1.error
          return [7 /*endfinally*/]
        case 14:
          return [7 /*endfinally*/]
        case 15:
          if (found.size === 0) return [2 /*return*/]
          return [
            4 /*yield*/,
            inTurn(() =>
              __awaiter(void 0, void 0, void 0, function () {
                var batch, _i, ids_1, _a, localId, id, edit, thing
                return __generator(this, (_b) => {
                  switch (_b.label) {
                    case 0:
                      batch = new Map([[replica_records_ts_1.keys.state, (0, fold_answer_ts_1.isAheadOf)(state)]])
                      for (_i = 0, ids_1 = ids; _i < ids_1.length; _i++) {
                        ;(_a = ids_1[_i]), (localId = _a[0]), (id = _a[1])
                        ;(0, confirm_upload_ts_1.giveId)({ pending: pending, batch: batch }, localId, id)
                        edit = pending.sending.things.get(localId)
                        thing = found.get(localId)
                        if (edit && thing)
                          batch.set(
                            replica_records_ts_1.keys.thing(id),
                            __assign(__assign({}, thing), { own: (0, replica_records_ts_1.typedIn)(edit) }),
                          )
                      }
                      return [4 /*yield*/, pending.write(batch)]
                    case 1:
                      _b.sent()
                      return [2 /*return*/]
                  }
                })
              }),
            ),
          ]
        case 16:
          _j.sent()
          return [2 /*return*/]
      }
    })
  })
exports.findLostThings = findLostThings
/** Everything that every listing shows of a thing; some servers keep dates in whole seconds. */
var toComparable = (_a) => {
  var _ = _a.todoStatus,
    thing = __rest(_a, ['todoStatus'])
  return JSON.stringify(
    thing_fields_ts_1.fieldNames.map((name) => {
      var _a
      return name === 'date'
        ? Math.floor(thing.date)
        : name === 'todoStatus'
          ? null
          : (_a = thing[name]) !== null && _a !== void 0
            ? _a
            : null
    }),
  )
}
