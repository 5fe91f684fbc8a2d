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
exports.listNewest = exports.openNewest = void 0
var replica_records_ts_1 = require('./replica-records.ts')
var kept = 200
var none = { things: [] }
/** The newest of these, and no more than need be kept. */
var cut = (dates, floor, most) => {
  var things = __spreadArray([], dates, true).sort((_a, _b) => {
    var one = _a[1]
    var other = _b[1]
    return other - one
  })
  // Not at each step: the next ones would have to be sorted in again.
  var last = things.length > 2 * most ? things[most - 1] : undefined
  if (last !== undefined) return { things: things.slice(0, most), floor: last[1] }
  return floor === undefined ? { things: things } : { things: things, floor: floor }
}
/** Takes up what the store has of them. Batches must be written one after the other. */
var openNewest = (store, inTurn) =>
  __awaiter(void 0, void 0, void 0, function () {
    var newest, prefix, change, readAll, has
    var _a
    return __generator(this, (_b) => {
      switch (_b.label) {
        case 0:
          return [4 /*yield*/, store.get(replica_records_ts_1.keys.newest)]
        case 1:
          newest = (_a = _b.sent()) !== null && _a !== void 0 ? _a : none
          prefix = replica_records_ts_1.keys.thing('')
          change = (batch) => {
            var floor = newest.floor
            var dates = new Map(newest.things)
            var hasChanged = false
            for (var _i = 0, batch_1 = batch; _i < batch_1.length; _i++) {
              var _a = batch_1[_i],
                key = _a[0],
                value = _a[1]
              if (!key.startsWith(prefix)) continue
              var id = key.slice(prefix.length)
              var thing = value
              var isIn = thing !== undefined && !thing.archived && (floor === undefined || thing.date >= floor)
              if (isIn ? dates.get(id) === thing.date : !dates.has(id)) continue
              hasChanged = true
              if (isIn) dates.set(id, thing.date)
              else dates.delete(id)
            }
            return hasChanged ? cut(dates, floor, kept) : undefined
          }
          readAll = (count) =>
            __awaiter(void 0, void 0, void 0, function () {
              var most, dates, floor, _a, _b, _c, key, value, _d, archived, date, less, e_1_1, next
              var _e, e_1, _f, _g
              return __generator(this, (_h) => {
                switch (_h.label) {
                  case 0:
                    most = Math.max(kept, count)
                    dates = new Map()
                    _h.label = 1
                  case 1:
                    _h.trys.push([1, 6, 7, 12])
                    ;(_a = true), (_b = __asyncValues(store.list(prefix)))
                    _h.label = 2
                  case 2:
                    return [4 /*yield*/, _b.next()]
                  case 3:
                    if (!((_c = _h.sent()), (_e = _c.done), !_e)) return [3 /*break*/, 5]
                    _g = _c.value
                    _a = false
                    ;(key = _g[0]), (value = _g[1])
                    ;(_d = value), (archived = _d.archived), (date = _d.date)
                    if (archived || (floor !== undefined && date < floor)) return [3 /*break*/, 4]
                    dates.set(key.slice(prefix.length), date)
                    if (dates.size < 8 * most) return [3 /*break*/, 4]
                    less = cut(dates, floor, most)
                    dates = new Map(less.things)
                    floor = less.floor
                    _h.label = 4
                  case 4:
                    _a = true
                    return [3 /*break*/, 2]
                  case 5:
                    return [3 /*break*/, 12]
                  case 6:
                    e_1_1 = _h.sent()
                    e_1 = { error: e_1_1 }
                    return [3 /*break*/, 12]
                  case 7:
                    _h.trys.push([7, , 10, 11])
                    if (!(!_a && !_e && (_f = _b.return))) return [3 /*break*/, 9]
                    return [4 /*yield*/, _f.call(_b)]
                  case 8:
                    _h.sent()
                    _h.label = 9
                  case 9:
                    return [3 /*break*/, 11]
                  case 10:
                    if (e_1) throw e_1.error
                    return [7 /*endfinally*/]
                  case 11:
                    return [7 /*endfinally*/]
                  case 12:
                    next = cut(dates, floor, most)
                    return [4 /*yield*/, store.write(new Map([[replica_records_ts_1.keys.newest, next]]))]
                  case 13:
                    _h.sent()
                    newest = next
                    return [2 /*return*/]
                }
              })
            })
          has = (count) => newest.floor === undefined || newest.things.length >= count
          return [
            2 /*return*/,
            {
              follow: (batch) => {
                var next = change(batch)
                if (next === undefined) return () => undefined
                batch.set(replica_records_ts_1.keys.newest, next)
                return () => {
                  newest = next
                }
              },
              read: (count) =>
                __awaiter(void 0, void 0, void 0, function () {
                  return __generator(this, (_a) => {
                    switch (_a.label) {
                      case 0:
                        if (has(count)) return [3 /*break*/, 2]
                        return [
                          4 /*yield*/,
                          inTurn(() =>
                            __awaiter(void 0, void 0, void 0, function () {
                              return __generator(this, (_a) => {
                                switch (_a.label) {
                                  case 0:
                                    if (has(count)) return [3 /*break*/, 2]
                                    return [4 /*yield*/, readAll(count)]
                                  case 1:
                                    _a.sent()
                                    _a.label = 2
                                  case 2:
                                    return [2 /*return*/]
                                }
                              })
                            }),
                          ),
                        ]
                      case 1:
                        _a.sent()
                        _a.label = 2
                      case 2:
                        return [2 /*return*/, newest.things]
                    }
                  })
                }),
            },
          ]
      }
    })
  })
exports.openNewest = openNewest
/** The newest things as they are shown, with everything that waits to be sent. */
var listNewest = (_a, count_1) =>
  __awaiter(void 0, [_a, count_1], void 0, function (_b, count) {
    var raised, things, take, listTaken, known, rest, last
    var view = _b.view,
      pending = _b.pending,
      newest = _b.newest
    return __generator(this, (_c) => {
      switch (_c.label) {
        case 0:
          raised = [pending.sending, pending.queued].flatMap((_a) => {
            var things = _a.things
            return __spreadArray([], things, true).filter((_a) => {
              var edit = _a[1]
              return edit.kind === 'new' || (edit.kind === 'change' && isRaising(edit.fields))
            })
          })
          things = new Map()
          take = (ids) =>
            __awaiter(void 0, void 0, void 0, function () {
              var _i, _a, thing
              return __generator(this, (_b) => {
                switch (_b.label) {
                  case 0:
                    if (ids.length === 0) return [2 /*return*/]
                    _i = 0
                    return [4 /*yield*/, view.findThings(ids)]
                  case 1:
                    _a = _b.sent().values()
                    _b.label = 2
                  case 2:
                    if (!(_i < _a.length)) return [3 /*break*/, 4]
                    thing = _a[_i]
                    things.set(thing.id, thing)
                    _b.label = 3
                  case 3:
                    _i++
                    return [3 /*break*/, 2]
                  case 4:
                    return [2 /*return*/]
                }
              })
            })
          listTaken = () =>
            __spreadArray([], things.values(), true)
              .filter((_a) => {
                var archived = _a.archived
                return !archived
              })
              .sort((one, other) => other.date - one.date)
              .slice(0, count)
          return [4 /*yield*/, newest.read(count)]
        case 1:
          known = _c.sent()
          return [
            4 /*yield*/,
            take(
              raised.map((_a) => {
                var id = _a[0]
                return id
              }),
            ),
            // More are known than are asked for, and each may be in another place of the store.
          ]
        case 2:
          _c.sent()
          rest = known
          _c.label = 3
        case 3:
          if (!(rest.length > 0)) return [3 /*break*/, 6]
          last = listTaken()[count - 1]
          // What edits have raised is taken already, so the others are no newer than they are known to be.
          if (last !== undefined && rest[0] !== undefined && last.date >= rest[0][1]) return [3 /*break*/, 6]
          return [
            4 /*yield*/,
            take(
              rest.slice(0, Math.max(1, count)).map((_a) => {
                var id = _a[0]
                return id
              }),
            ),
          ]
        case 4:
          _c.sent()
          _c.label = 5
        case 5:
          rest = rest.slice(Math.max(1, count))
          return [3 /*break*/, 3]
        case 6:
          return [2 /*return*/, listTaken()]
      }
    })
  })
exports.listNewest = listNewest
var isRaising = (_a) => {
  var date = _a.date,
    archived = _a.archived
  return date !== undefined || archived === false
}
