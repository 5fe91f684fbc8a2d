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
var __asyncDelegator =
  (this && this.__asyncDelegator) ||
  ((o) => {
    var i, p
    return (
      (i = {}),
      verb('next'),
      verb('throw', (e) => {
        throw e
      }),
      verb('return'),
      (i[Symbol.iterator] = function () {
        return this
      }),
      i
    )
    function verb(n, f) {
      i[n] = o[n] ? (v) => ((p = !p) ? { value: __await(o[n](v)), done: false } : f ? f(v) : v) : f
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
var __values =
  (this && this.__values) ||
  ((o) => {
    var s = typeof Symbol === 'function' && Symbol.iterator,
      m = s && o[s],
      i = 0
    if (m) return m.call(o)
    if (o && typeof o.length === 'number')
      return {
        next: () => {
          if (o && i >= o.length) o = void 0
          return { value: o && o[i++], done: !o }
        },
      }
    throw new TypeError(s ? 'Object is not iterable.' : 'Symbol.iterator is not defined.')
  })
Object.defineProperty(exports, '__esModule', { value: true })
exports.deleteIndexedDbStore = exports.openIndexedDbStore = void 0
var indexeddb_database_ts_1 = require('./indexeddb-database.ts')
var indexeddb_errors_ts_1 = require('./indexeddb-errors.ts')
var indexeddb_pack_ts_1 = require('./indexeddb-pack.ts')
var indexeddb_packs_ts_1 = require('./indexeddb-packs.ts')
var indexeddb_write_ts_1 = require('./indexeddb-write.ts')
var key_range_ts_1 = require('./key-range.ts')
var turns_ts_1 = require('./turns.ts')
var formatVersion = 1
/** Read in one transaction, which does not live longer than a step of a listing. */
var entriesPerStep = 1000
var packsPerStep = 8
var readIndex = (database) =>
  __awaiter(void 0, void 0, void 0, function () {
    var transaction, packs, _a, singles, numbers, texts, keysOf
    return __generator(this, (_b) => {
      switch (_b.label) {
        case 0:
          transaction = database.transaction([
            indexeddb_database_ts_1.entriesTable,
            indexeddb_database_ts_1.packKeysTable,
          ])
          packs = transaction.objectStore(indexeddb_database_ts_1.packKeysTable)
          return [
            4 /*yield*/,
            Promise.all([
              transaction.objectStore(indexeddb_database_ts_1.entriesTable).getAllKeys(),
              packs.getAllKeys(),
              packs.getAll(),
            ]),
          ]
        case 1:
          ;(_a = _b.sent()), (singles = _a[0]), (numbers = _a[1]), (texts = _a[2])
          keysOf = (index) => JSON.parse(texts[index])
          return [
            2 /*return*/,
            (0, indexeddb_packs_ts_1.createPackIndex)(
              singles.map(String),
              Array.from(numbers, (pack, index) => [Number(pack), keysOf(index)]),
            ),
          ]
      }
    })
  })
/**
 * Opens the store of this name, and makes it at the first time. What is written is on disk when `write` resolves (durability
 * `strict`). A tab that wants to delete the store gets its way: then every call here fails as `store_gone`.
 * @throws ClientError `store_forbidden`, `store_blocked`, `store_newer`, `store_full`
 */
var openIndexedDbStore = (name) =>
  __awaiter(void 0, void 0, void 0, function () {
    function listEntries(prefix) {
      return __asyncGenerator(this, arguments, function listEntries_1() {
        var after, _loop_1
        return __generator(this, (_a) => {
          switch (_a.label) {
            case 0:
              _loop_1 = function () {
                var _b, keys, values
                return __generator(this, (_c) => {
                  switch (_c.label) {
                    case 0:
                      return [4 /*yield*/, __await(readEntries((0, key_range_ts_1.toRange)(prefix, after)))]
                    case 1:
                      ;(_b = _c.sent()), (keys = _b[0]), (values = _b[1])
                      return [4 /*yield*/, __await(keys.map((key, place) => [String(key), values[place]]))]
                    case 2:
                      return [4 /*yield*/, _c.sent()]
                    case 3:
                      _c.sent()
                      after = keys.length < entriesPerStep ? undefined : String(keys.at(-1))
                      return [2 /*return*/]
                  }
                })
              }
              _a.label = 1
            case 1:
              return [5 /*yield**/, _loop_1()]
            case 2:
              _a.sent()
              _a.label = 3
            case 3:
              if (after !== undefined) return [3 /*break*/, 1]
              _a.label = 4
            case 4:
              return [2 /*return*/]
          }
        })
      })
    }
    function listPacked(prefix, last, masked) {
      return __asyncGenerator(this, arguments, function listPacked_1() {
        var _i, _a, run, _b, numbers, keyTexts, texts, _loop_2, _c, _d, _e, place, number
        return __generator(this, (_f) => {
          switch (_f.label) {
            case 0:
              ;(_i = 0), (_a = (0, indexeddb_packs_ts_1.listRuns)(index.listPacks(prefix), last, packsPerStep))
              _f.label = 1
            case 1:
              if (!(_i < _a.length)) return [3 /*break*/, 7]
              run = _a[_i]
              return [4 /*yield*/, __await(readPacks(run))]
            case 2:
              ;(_b = _f.sent()), (numbers = _b[0]), (keyTexts = _b[1]), (texts = _b[2])
              _loop_2 = function (place, number) {
                var pack, keys, values, isRead
                return __generator(this, (_g) => {
                  switch (_g.label) {
                    case 0:
                      pack = Number(number)
                      keys = JSON.parse(keyTexts[place])
                      if (!keys.some((key) => key.startsWith(prefix))) return [2 /*return*/, 'continue']
                      values = (0, indexeddb_pack_ts_1.readPack)(texts[place])
                      isRead = (key) => key.startsWith(prefix) && !masked.has(key) && index.isReadIn(key, pack, last)
                      return [4 /*yield*/, __await(keys.flatMap((key, at) => (isRead(key) ? [[key, values[at]]] : [])))]
                    case 1:
                      return [4 /*yield*/, _g.sent()]
                    case 2:
                      _g.sent()
                      return [2 /*return*/]
                  }
                })
              }
              ;(_c = 0), (_d = numbers.entries())
              _f.label = 3
            case 3:
              if (!(_c < _d.length)) return [3 /*break*/, 6]
              ;(_e = _d[_c]), (place = _e[0]), (number = _e[1])
              return [5 /*yield**/, _loop_2(place, number)]
            case 4:
              _f.sent()
              _f.label = 5
            case 5:
              _c++
              return [3 /*break*/, 3]
            case 6:
              _i++
              return [3 /*break*/, 1]
            case 7:
              return [2 /*return*/]
          }
        })
      })
    }
    function listAll(prefix) {
      return __asyncGenerator(this, arguments, function listAll_1() {
        var last, masked, left, _a, _b, _c, entries, _i, entries_1, key, e_1_1, values, _d
        var _e, e_1, _f, _g
        return __generator(this, (_h) => {
          switch (_h.label) {
            case 0:
              return [4 /*yield*/, __await(use(whenWritten))]
            case 1:
              _h.sent()
              last = index.lastPack()
              masked = new Set(index.singles)
              left = new Set(__spreadArray([], masked, true).filter((key) => key.startsWith(prefix)))
              _h.label = 2
            case 2:
              _h.trys.push([2, 9, 10, 15])
              ;(_a = true), (_b = __asyncValues(listEntries(prefix)))
              _h.label = 3
            case 3:
              return [4 /*yield*/, __await(_b.next())]
            case 4:
              if (!((_c = _h.sent()), (_e = _c.done), !_e)) return [3 /*break*/, 8]
              _g = _c.value
              _a = false
              entries = _g
              for (_i = 0, entries_1 = entries; _i < entries_1.length; _i++) {
                key = entries_1[_i][0]
                left.delete(key)
              }
              return [
                4 /*yield*/,
                __await(
                  entries.filter((_a) => {
                    var value = _a[1]
                    return value !== undefined
                  }),
                ),
              ]
            case 5:
              return [4 /*yield*/, _h.sent()]
            case 6:
              _h.sent()
              _h.label = 7
            case 7:
              _a = true
              return [3 /*break*/, 3]
            case 8:
              return [3 /*break*/, 15]
            case 9:
              e_1_1 = _h.sent()
              e_1 = { error: e_1_1 }
              return [3 /*break*/, 15]
            case 10:
              _h.trys.push([10, , 13, 14])
              if (!(!_a && !_e && (_f = _b.return))) return [3 /*break*/, 12]
              return [4 /*yield*/, __await(_f.call(_b))]
            case 11:
              _h.sent()
              _h.label = 12
            case 12:
              return [3 /*break*/, 14]
            case 13:
              if (e_1) throw e_1.error
              return [7 /*endfinally*/]
            case 14:
              return [7 /*endfinally*/]
            case 15:
              if (!(left.size === 0)) return [3 /*break*/, 16]
              _d = []
              return [3 /*break*/, 18]
            case 16:
              return [4 /*yield*/, __await(use(() => getMany(__spreadArray([], left, true))))]
            case 17:
              _d = _h.sent()
              _h.label = 18
            case 18:
              values = _d
              return [
                4 /*yield*/,
                __await(
                  __spreadArray([], left, true)
                    .map((key, place) => [key, values[place]])
                    .filter((_a) => {
                      var value = _a[1]
                      return value !== undefined
                    }),
                ),
              ]
            case 19:
              return [4 /*yield*/, _h.sent()]
            case 20:
              _h.sent()
              return [5 /*yield**/, __values(__asyncDelegator(__asyncValues(listPacked(prefix, last, masked))))]
            case 21:
              return [4 /*yield*/, __await.apply(void 0, [_h.sent()])]
            case 22:
              _h.sent()
              return [2 /*return*/]
          }
        })
      })
    }
    function listParts(prefix) {
      return __asyncGenerator(this, arguments, function listParts_1() {
        return __generator(this, (_a) => {
          switch (_a.label) {
            case 0:
              // Packs are not removed under a listing.
              listings++
              _a.label = 1
            case 1:
              _a.trys.push([1, , 4, 5])
              return [5 /*yield**/, __values(__asyncDelegator(__asyncValues(listAll(prefix))))]
            case 2:
              return [4 /*yield*/, __await.apply(void 0, [_a.sent()])]
            case 3:
              _a.sent()
              return [3 /*break*/, 5]
            case 4:
              listings--
              return [7 /*endfinally*/]
            case 5:
              return [2 /*return*/]
          }
        })
      })
    }
    var isGone, listings, database, use, index, inTurn, writing, whenWritten, getMany, readEntries, readPacks, write
    return __generator(this, (_a) => {
      switch (_a.label) {
        case 0:
          isGone = false
          listings = 0
          return [
            4 /*yield*/,
            (0, indexeddb_database_ts_1.openDatabase)(name, formatVersion, () => {
              isGone = true
            }),
          ]
        case 1:
          database = _a.sent()
          use = (work) =>
            __awaiter(void 0, void 0, void 0, function () {
              return __generator(this, (_a) => {
                switch (_a.label) {
                  case 0:
                    if (isGone) throw (0, indexeddb_errors_ts_1.storeGone)()
                    return [4 /*yield*/, work().catch(indexeddb_errors_ts_1.throwWhileOpen)]
                  case 1:
                    return [2 /*return*/, _a.sent()]
                }
              })
            })
          return [4 /*yield*/, use(() => readIndex(database))]
        case 2:
          index = _a.sent()
          inTurn = (0, turns_ts_1.createTurns)()
          whenWritten = () =>
            __awaiter(void 0, void 0, void 0, function () {
              return __generator(this, (_a) => {
                switch (_a.label) {
                  case 0:
                    if (!(writing !== undefined)) return [3 /*break*/, 2]
                    return [4 /*yield*/, writing]
                  case 1:
                    _a.sent()
                    return [3 /*break*/, 0]
                  case 2:
                    return [2 /*return*/]
                }
              })
            })
          getMany = (keys) =>
            __awaiter(void 0, void 0, void 0, function () {
              var packs, transaction, entries, packed, wanted, readPack, singles
              return __generator(this, (_a) => {
                switch (_a.label) {
                  case 0:
                    return [4 /*yield*/, whenWritten()]
                  case 1:
                    _a.sent()
                    packs = new Set(
                      keys.flatMap((key) => {
                        var _a
                        return (_a = index.findPack(key)) !== null && _a !== void 0 ? _a : []
                      }),
                    )
                    transaction = database.transaction([
                      indexeddb_database_ts_1.entriesTable,
                      indexeddb_database_ts_1.packsTable,
                      indexeddb_database_ts_1.packKeysTable,
                    ])
                    entries = transaction.objectStore(indexeddb_database_ts_1.entriesTable)
                    packed = new Map()
                    wanted = new Set(keys)
                    readPack = (pack) =>
                      __awaiter(void 0, void 0, void 0, function () {
                        var _a, keysText, text, values, _i, _b, _c, place, key
                        return __generator(this, (_d) => {
                          switch (_d.label) {
                            case 0:
                              return [
                                4 /*yield*/,
                                Promise.all([
                                  transaction.objectStore(indexeddb_database_ts_1.packKeysTable).get(pack),
                                  transaction.objectStore(indexeddb_database_ts_1.packsTable).get(pack),
                                ]),
                              ]
                            case 1:
                              ;(_a = _d.sent()), (keysText = _a[0]), (text = _a[1])
                              values = (0, indexeddb_pack_ts_1.readPack)(text)
                              for (_i = 0, _b = JSON.parse(keysText).entries(); _i < _b.length; _i++) {
                                ;(_c = _b[_i]), (place = _c[0]), (key = _c[1])
                                if (wanted.has(key) && index.findPack(key) === pack) packed.set(key, values[place])
                              }
                              return [2 /*return*/]
                          }
                        })
                      })
                    return [
                      4 /*yield*/,
                      Promise.all(
                        __spreadArray(
                          [
                            // Also where the index knows of none: tabs may share a store of few entries.
                            Promise.all(
                              keys.map((key) => (index.findPack(key) === undefined ? entries.get(key) : undefined)),
                            ),
                          ],
                          __spreadArray([], packs, true).map(readPack),
                          true,
                        ),
                      ),
                    ]
                  case 2:
                    singles = _a.sent()[0]
                    return [
                      2 /*return*/,
                      keys.map((key, place) => {
                        var _a
                        return (_a = singles[place]) !== null && _a !== void 0 ? _a : packed.get(key)
                      }),
                    ]
                }
              })
            })
          readEntries = (range) =>
            use(() =>
              __awaiter(void 0, void 0, void 0, function () {
                var store
                return __generator(this, (_a) => {
                  switch (_a.label) {
                    case 0:
                      store = database.transaction(indexeddb_database_ts_1.entriesTable).store
                      return [
                        4 /*yield*/,
                        Promise.all([store.getAllKeys(range, entriesPerStep), store.getAll(range, entriesPerStep)]),
                      ]
                    case 1:
                      return [2 /*return*/, _a.sent()]
                  }
                })
              }),
            )
          readPacks = (_a) => {
            var first = _a[0],
              last = _a[1]
            return use(() =>
              __awaiter(void 0, void 0, void 0, function () {
                var range, transaction, _a, keys, values
                return __generator(this, (_b) => {
                  switch (_b.label) {
                    case 0:
                      range = IDBKeyRange.bound(first, last)
                      transaction = database.transaction([
                        indexeddb_database_ts_1.packsTable,
                        indexeddb_database_ts_1.packKeysTable,
                      ])
                      ;(_a = [
                        transaction.objectStore(indexeddb_database_ts_1.packKeysTable),
                        transaction.objectStore(indexeddb_database_ts_1.packsTable),
                      ]),
                        (keys = _a[0]),
                        (values = _a[1])
                      return [
                        4 /*yield*/,
                        Promise.all([values.getAllKeys(range), keys.getAll(range), values.getAll(range)]),
                      ]
                    case 1:
                      return [2 /*return*/, _b.sent()]
                  }
                })
              }),
            )
          }
          write = (changes) =>
            __awaiter(void 0, void 0, void 0, function () {
              var plan, transaction, failures, note, _i, _a, step, store, request
              return __generator(this, (_b) => {
                switch (_b.label) {
                  case 0:
                    plan = (0, indexeddb_write_ts_1.planWrite)(changes, index, listings === 0)
                    transaction = database.transaction(plan.tables, 'readwrite', { durability: 'strict' })
                    failures = []
                    note = (failure) => failures.push(failure)
                    try {
                      for (_i = 0, _a = plan.steps; _i < _a.length; _i++) {
                        step = _a[_i]
                        store = transaction.objectStore(step.table)
                        request = step.isRemoved ? store.delete(step.key) : store.put(step.value, step.key)
                        request.catch(note)
                      }
                    } catch (error) {
                      note(error)
                      transaction.abort()
                    }
                    return [4 /*yield*/, transaction.done.catch(note)]
                  case 1:
                    _b.sent()
                    if (failures.length > 0) throw failures[0]
                    plan.confirm()
                    return [2 /*return*/]
                }
              })
            })
          return [
            2 /*return*/,
            {
              name: name,
              get: (key) =>
                use(() =>
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
                ),
              getMany: (keys) => use(() => getMany(keys)),
              list: function (prefix) {
                return __asyncGenerator(this, arguments, function list_1() {
                  var _a, _b, _c, part, e_2_1
                  var _d, e_2, _e, _f
                  return __generator(this, (_g) => {
                    switch (_g.label) {
                      case 0:
                        _g.trys.push([0, 7, 8, 13])
                        ;(_a = true), (_b = __asyncValues(listParts(prefix)))
                        _g.label = 1
                      case 1:
                        return [4 /*yield*/, __await(_b.next())]
                      case 2:
                        if (!((_c = _g.sent()), (_d = _c.done), !_d)) return [3 /*break*/, 6]
                        _f = _c.value
                        _a = false
                        part = _f
                        return [5 /*yield**/, __values(__asyncDelegator(__asyncValues(part)))]
                      case 3:
                        return [4 /*yield*/, __await.apply(void 0, [_g.sent()])]
                      case 4:
                        _g.sent()
                        _g.label = 5
                      case 5:
                        _a = true
                        return [3 /*break*/, 1]
                      case 6:
                        return [3 /*break*/, 13]
                      case 7:
                        e_2_1 = _g.sent()
                        e_2 = { error: e_2_1 }
                        return [3 /*break*/, 13]
                      case 8:
                        _g.trys.push([8, , 11, 12])
                        if (!(!_a && !_d && (_e = _b.return))) return [3 /*break*/, 10]
                        return [4 /*yield*/, __await(_e.call(_b))]
                      case 9:
                        _g.sent()
                        _g.label = 10
                      case 10:
                        return [3 /*break*/, 12]
                      case 11:
                        if (e_2) throw e_2.error
                        return [7 /*endfinally*/]
                      case 12:
                        return [7 /*endfinally*/]
                      case 13:
                        return [2 /*return*/]
                    }
                  })
                })
              },
              listParts: listParts,
              write: (changes) =>
                inTurn(() =>
                  use(() =>
                    __awaiter(void 0, void 0, void 0, function () {
                      var work
                      return __generator(this, (_a) => {
                        switch (_a.label) {
                          case 0:
                            work = write(changes)
                            writing = work.catch(() => undefined)
                            _a.label = 1
                          case 1:
                            _a.trys.push([1, , 3, 4])
                            return [4 /*yield*/, work]
                          case 2:
                            _a.sent()
                            return [3 /*break*/, 4]
                          case 3:
                            writing = undefined
                            return [7 /*endfinally*/]
                          case 4:
                            return [2 /*return*/]
                        }
                      })
                    }),
                  ),
                ),
              close: () => {
                isGone = true
                database.close()
              },
            },
          ]
      }
    })
  })
exports.openIndexedDbStore = openIndexedDbStore
/**
 * Deletes the store of this name, as after a sign-out; one that is not there is fine. Tabs that have it open lose it.
 * @throws ClientError `store_forbidden`, `store_blocked` when a program holds it that does not give way
 */
var deleteIndexedDbStore = (name) => (0, indexeddb_database_ts_1.deleteDatabase)(name)
exports.deleteIndexedDbStore = deleteIndexedDbStore
