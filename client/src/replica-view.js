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
exports.tagsOf = exports.createReplicaView = void 0
var read_many_ts_1 = require('./read-many.ts')
var replica_records_ts_1 = require('./replica-records.ts')
/** A view of the store and of the edits that come on top. */
var createReplicaView = (store, _a) => {
  var sending = _a.sending,
    queued = _a.queued,
    changeCount = _a.changeCount
  var stages = [sending, queued]
  /** Reads again where an answer confirmed edits meanwhile: the store was read without them, and they wait no more. */
  var readSteadily = (read) =>
    __awaiter(void 0, void 0, void 0, function () {
      var before, found
      return __generator(this, (_a) => {
        switch (_a.label) {
          case 0:
            before = changeCount()
            return [4 /*yield*/, read()]
          case 1:
            found = _a.sent()
            if (changeCount() === before) return [2 /*return*/, found]
            _a.label = 2
          case 2:
            return [3 /*break*/, 0]
          case 3:
            return [2 /*return*/]
        }
      })
    })
  var applyEdits = (name, known) =>
    stages.reduce(
      (settings, _a) => {
        var tags = _a.tags
        return (0, replica_records_ts_1.applyTagChange)(settings, tags.get(name))
      },
      (0, replica_records_ts_1.applyTagChange)(known),
    )
  /** Settings of these tags, read together. */
  var readSettings = (names) =>
    __awaiter(void 0, void 0, void 0, function () {
      var known
      return __generator(this, (_a) => {
        switch (_a.label) {
          case 0:
            return [4 /*yield*/, (0, read_many_ts_1.readMany)(store, names.map(replica_records_ts_1.keys.tag))]
          case 1:
            known = _a.sent()
            return [2 /*return*/, new Map(names.map((name, place) => [name, applyEdits(name, known[place])]))]
        }
      })
    })
  var applyAll = (id, known) => {
    var thing = known && (0, replica_records_ts_1.applyFields)(known, {})
    var isPending = false
    for (var _i = 0, stages_1 = stages; _i < stages_1.length; _i++) {
      var things = stages_1[_i].things
      var edit = things.get(id)
      if (edit === undefined) continue
      if (edit.kind === 'delete') return undefined
      if (edit.kind === 'new') thing !== null && thing !== void 0 ? thing : (thing = replica_records_ts_1.blankThing)
      if (thing === undefined) return undefined
      thing = (0, replica_records_ts_1.applyFields)(thing, edit.fields)
      isPending = true
    }
    return thing === undefined ? undefined : { thing: thing, isPending: isPending }
  }
  /** The things as they are shown; `settings` holds what is known of tags already, and is added to. */
  var showMany = function (things_1) {
    var args_1 = []
    for (var _i = 1; _i < arguments.length; _i++) {
      args_1[_i - 1] = arguments[_i]
    }
    return __awaiter(void 0, __spreadArray([things_1], args_1, true), void 0, function (things, settings) {
      var edited, names, unread, _a, _b, _c, name_1, one
      if (settings === void 0) {
        settings = new Map()
      }
      return __generator(this, (_d) => {
        switch (_d.label) {
          case 0:
            edited = Array.from(things, (_a) => {
              var id = _a[0],
                known = _a[1]
              return { id: id, shown: applyAll(id, known) }
            })
            names = new Set(
              edited.flatMap((_a) => {
                var shown = _a.shown
                return shown === undefined ? [] : __spreadArray([], (0, exports.tagsOf)(shown.thing.tags), true)
              }),
            )
            unread = __spreadArray([], names, true).filter((name) => !settings.has(name))
            if (!(unread.length > 0)) return [3 /*break*/, 4]
            _a = 0
            return [4 /*yield*/, readSettings(unread)]
          case 1:
            _b = _d.sent()
            _d.label = 2
          case 2:
            if (!(_a < _b.length)) return [3 /*break*/, 4]
            ;(_c = _b[_a]), (name_1 = _c[0]), (one = _c[1])
            settings.set(name_1, one)
            _d.label = 3
          case 3:
            _a++
            return [3 /*break*/, 2]
          case 4:
            return [
              2 /*return*/,
              edited.flatMap((_a) => {
                var id = _a.id,
                  shown = _a.shown
                if (shown === undefined) return []
                var _b = shown.thing,
                  todoStatus = _b.todoStatus,
                  fields = __rest(_b, ['todoStatus'])
                var isOne = isTodoBy(settings, shown.thing.tags)
                return __assign(__assign(__assign({ id: id }, fields), isOne ? { todoStatus: todoStatus } : {}), {
                  isPending: shown.isPending,
                })
              }),
            ]
        }
      })
    })
  }
  var resolveIds = (ids) =>
    __awaiter(void 0, void 0, void 0, function () {
      var given
      return __generator(this, (_a) => {
        switch (_a.label) {
          case 0:
            return [4 /*yield*/, (0, read_many_ts_1.readMany)(store, ids.map(replica_records_ts_1.keys.givenId))]
          case 1:
            given = _a.sent()
            return [
              2 /*return*/,
              ids.map((id, place) => {
                var _a
                return (_a = given[place]) !== null && _a !== void 0 ? _a : id
              }),
            ]
        }
      })
    })
  var readKnown = (ids) =>
    __awaiter(void 0, void 0, void 0, function () {
      var known
      return __generator(this, (_a) => {
        switch (_a.label) {
          case 0:
            return [4 /*yield*/, (0, read_many_ts_1.readMany)(store, ids.map(replica_records_ts_1.keys.thing))]
          case 1:
            known = _a.sent()
            return [
              2 /*return*/,
              new Map(ids.flatMap((id, place) => (known[place] === undefined ? [] : [[id, known[place]]]))),
            ]
        }
      })
    })
  var look = (ids) =>
    __awaiter(void 0, void 0, void 0, function () {
      var known, unknown, given, now, renamed, nowOf, shown, byId
      return __generator(this, (_a) => {
        switch (_a.label) {
          case 0:
            return [
              4 /*yield*/,
              readKnown(ids),
              // What is there under the id that was asked for has no other one.
            ]
          case 1:
            known = _a.sent()
            unknown = ids.filter((id) => !known.has(id))
            return [4 /*yield*/, resolveIds(unknown)]
          case 2:
            given = _a.sent()
            now = new Map(
              unknown.map((id, place) => {
                var _a
                return [id, (_a = given[place]) !== null && _a !== void 0 ? _a : id]
              }),
            )
            return [4 /*yield*/, readKnown(given.filter((id, place) => id !== unknown[place]))]
          case 3:
            renamed = _a.sent()
            nowOf = (id) => {
              var _a
              return (_a = now.get(id)) !== null && _a !== void 0 ? _a : id
            }
            return [
              4 /*yield*/,
              showMany(
                ids.map((id) => {
                  var _a
                  return [nowOf(id), (_a = known.get(id)) !== null && _a !== void 0 ? _a : renamed.get(nowOf(id))]
                }),
              ),
            ]
          case 4:
            shown = _a.sent()
            byId = new Map(shown.map((thing) => [thing.id, thing]))
            return [
              2 /*return*/,
              new Map(
                ids.flatMap((id) => {
                  var thing = byId.get(nowOf(id))
                  return thing === undefined ? [] : [[id, thing]]
                }),
              ),
            ]
        }
      })
    })
  var findThings = (asked) => {
    var ids = __spreadArray([], new Set(asked), true)
    return readSteadily(() => look(ids))
  }
  var listTags = () =>
    __awaiter(void 0, void 0, void 0, function () {
      var names, _a, _b, _c, key, e_1_1, settings
      var _d, e_1, _e, _f
      return __generator(this, (_g) => {
        switch (_g.label) {
          case 0:
            names = new Set(
              stages.flatMap((_a) => {
                var tags = _a.tags
                return __spreadArray([], tags.keys(), true)
              }),
            )
            _g.label = 1
          case 1:
            _g.trys.push([1, 6, 7, 12])
            ;(_a = true), (_b = __asyncValues(store.list(replica_records_ts_1.keys.tag(''))))
            _g.label = 2
          case 2:
            return [4 /*yield*/, _b.next()]
          case 3:
            if (!((_c = _g.sent()), (_d = _c.done), !_d)) return [3 /*break*/, 5]
            _f = _c.value
            _a = false
            key = _f[0]
            names.add(key.slice(replica_records_ts_1.keys.tag('').length))
            _g.label = 4
          case 4:
            _a = true
            return [3 /*break*/, 2]
          case 5:
            return [3 /*break*/, 12]
          case 6:
            e_1_1 = _g.sent()
            e_1 = { error: e_1_1 }
            return [3 /*break*/, 12]
          case 7:
            _g.trys.push([7, , 10, 11])
            if (!(!_a && !_d && (_e = _b.return))) return [3 /*break*/, 9]
            return [4 /*yield*/, _e.call(_b)]
          case 8:
            _g.sent()
            _g.label = 9
          case 9:
            return [3 /*break*/, 11]
          case 10:
            if (e_1) throw e_1.error
            return [7 /*endfinally*/]
          case 11:
            return [7 /*endfinally*/]
          case 12:
            return [4 /*yield*/, readSettings(__spreadArray([], names, true))]
          case 13:
            settings = _g.sent()
            return [
              2 /*return*/,
              new Map(
                __spreadArray([], settings, true).filter((_a) => {
                  var _b = _a[1],
                    favorite = _b.favorite,
                    color = _b.color,
                    todo = _b.todo
                  return favorite || color !== false || todo !== false
                }),
              ),
            ]
        }
      })
    })
  function listThingParts() {
    return __asyncGenerator(this, arguments, function listThingParts_1() {
      var local, prefix, settings, _a, _b, _c, part, known, e_2_1, still
      var _d, e_2, _e, _f
      return __generator(this, (_g) => {
        switch (_g.label) {
          case 0:
            local = stages
              .flatMap((_a) => {
                var things = _a.things
                return __spreadArray([], things, true)
              })
              .filter((_a) => {
                var kind = _a[1].kind
                return kind === 'new'
              })
            prefix = replica_records_ts_1.keys.thing('')
            settings = new Map()
            _g.label = 1
          case 1:
            _g.trys.push([1, 9, 10, 15])
            ;(_a = true), (_b = __asyncValues(listStoreParts(store, prefix)))
            _g.label = 2
          case 2:
            return [4 /*yield*/, __await(_b.next())]
          case 3:
            if (!((_c = _g.sent()), (_d = _c.done), !_d)) return [3 /*break*/, 8]
            _f = _c.value
            _a = false
            part = _f
            known = part.map((_a) => {
              var key = _a[0],
                value = _a[1]
              return [key.slice(prefix.length), value]
            })
            return [4 /*yield*/, __await(showMany(known, settings))]
          case 4:
            return [4 /*yield*/, __await.apply(void 0, [_g.sent()])]
          case 5:
            return [4 /*yield*/, _g.sent()]
          case 6:
            _g.sent()
            _g.label = 7
          case 7:
            _a = true
            return [3 /*break*/, 2]
          case 8:
            return [3 /*break*/, 15]
          case 9:
            e_2_1 = _g.sent()
            e_2 = { error: e_2_1 }
            return [3 /*break*/, 15]
          case 10:
            _g.trys.push([10, , 13, 14])
            if (!(!_a && !_d && (_e = _b.return))) return [3 /*break*/, 12]
            return [4 /*yield*/, __await(_e.call(_b))]
          case 11:
            _g.sent()
            _g.label = 12
          case 12:
            return [3 /*break*/, 14]
          case 13:
            if (e_2) throw e_2.error
            return [7 /*endfinally*/]
          case 14:
            return [7 /*endfinally*/]
          case 15:
            still = local.filter((_a) => {
              var id = _a[0]
              return stages.some((_a) => {
                var _b
                var things = _a.things
                return ((_b = things.get(id)) === null || _b === void 0 ? void 0 : _b.kind) === 'new'
              })
            })
            return [
              4 /*yield*/,
              __await(
                showMany(
                  still.map((_a) => {
                    var id = _a[0]
                    return [id, undefined]
                  }),
                  settings,
                ),
              ),
            ]
          case 16:
            return [4 /*yield*/, __await.apply(void 0, [_g.sent()])]
          case 17:
            return [4 /*yield*/, _g.sent()]
          case 18:
            _g.sent()
            return [2 /*return*/]
        }
      })
    })
  }
  return {
    isTodo: (tags) =>
      __awaiter(void 0, void 0, void 0, function () {
        var _a
        return __generator(this, (_b) => {
          switch (_b.label) {
            case 0:
              _a = isTodoBy
              return [4 /*yield*/, readSettings(__spreadArray([], (0, exports.tagsOf)(tags), true))]
            case 1:
              return [2 /*return*/, _a.apply(void 0, [_b.sent(), tags])]
          }
        })
      }),
    resolveId: (id) =>
      __awaiter(void 0, void 0, void 0, function () {
        var _a
        return __generator(this, (_b) => {
          switch (_b.label) {
            case 0:
              return [4 /*yield*/, resolveIds([id])]
            case 1:
              return [2 /*return*/, (_a = _b.sent()[0]) !== null && _a !== void 0 ? _a : id]
          }
        })
      }),
    findThing: (id) =>
      __awaiter(void 0, void 0, void 0, function () {
        return __generator(this, (_a) => {
          switch (_a.label) {
            case 0:
              return [4 /*yield*/, findThings([id])]
            case 1:
              return [2 /*return*/, _a.sent().get(id)]
          }
        })
      }),
    findThings: findThings,
    listThings: function () {
      return __asyncGenerator(this, arguments, function listThings_1() {
        var _a, _b, _c, part, e_3_1
        var _d, e_3, _e, _f
        return __generator(this, (_g) => {
          switch (_g.label) {
            case 0:
              _g.trys.push([0, 7, 8, 13])
              ;(_a = true), (_b = __asyncValues(listThingParts()))
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
              e_3_1 = _g.sent()
              e_3 = { error: e_3_1 }
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
              if (e_3) throw e_3.error
              return [7 /*endfinally*/]
            case 12:
              return [7 /*endfinally*/]
            case 13:
              return [2 /*return*/]
          }
        })
      })
    },
    listThingParts: listThingParts,
    listTags: () => readSteadily(listTags),
  }
}
exports.createReplicaView = createReplicaView
var entriesPerPart = 100
var listStoreParts = (store, prefix) => {
  var _a, _b
  return (_b = (_a = store.listParts) === null || _a === void 0 ? void 0 : _a.call(store, prefix)) !== null &&
    _b !== void 0
    ? _b
    : gatherParts(store.list(prefix))
}
function gatherParts(entries) {
  return __asyncGenerator(this, arguments, function gatherParts_1() {
    var part, _a, entries_1, entries_1_1, entry, e_4_1
    var _b, e_4, _c, _d
    return __generator(this, (_e) => {
      switch (_e.label) {
        case 0:
          part = []
          _e.label = 1
        case 1:
          _e.trys.push([1, 8, 9, 14])
          ;(_a = true), (entries_1 = __asyncValues(entries))
          _e.label = 2
        case 2:
          return [4 /*yield*/, __await(entries_1.next())]
        case 3:
          if (!((entries_1_1 = _e.sent()), (_b = entries_1_1.done), !_b)) return [3 /*break*/, 7]
          _d = entries_1_1.value
          _a = false
          entry = _d
          part.push(entry)
          if (part.length < entriesPerPart) return [3 /*break*/, 6]
          return [4 /*yield*/, __await(part)]
        case 4:
          return [4 /*yield*/, _e.sent()]
        case 5:
          _e.sent()
          part = []
          _e.label = 6
        case 6:
          _a = true
          return [3 /*break*/, 2]
        case 7:
          return [3 /*break*/, 14]
        case 8:
          e_4_1 = _e.sent()
          e_4 = { error: e_4_1 }
          return [3 /*break*/, 14]
        case 9:
          _e.trys.push([9, , 12, 13])
          if (!(!_a && !_b && (_c = entries_1.return))) return [3 /*break*/, 11]
          return [4 /*yield*/, __await(_c.call(entries_1))]
        case 10:
          _e.sent()
          _e.label = 11
        case 11:
          return [3 /*break*/, 13]
        case 12:
          if (e_4) throw e_4.error
          return [7 /*endfinally*/]
        case 13:
          return [7 /*endfinally*/]
        case 14:
          return [4 /*yield*/, __await(part)]
        case 15:
          return [4 /*yield*/, _e.sent()]
        case 16:
          _e.sent()
          return [2 /*return*/]
      }
    })
  })
}
var isTodoBy = (settings, tags) => {
  var _a, _b
  for (var _i = 0, _c = (0, exports.tagsOf)(tags); _i < _c.length; _i++) {
    var name_2 = _c[_i]
    if (
      ((_b = (_a = settings.get(name_2)) === null || _a === void 0 ? void 0 : _a.todo) !== null && _b !== void 0
        ? _b
        : false) !== false
    )
      return true
  }
  return false
}
/** The tags that a text of tags names, each once (interface 2.1). */
var tagsOf = (text) => new Set(text.split(' ').filter((name) => name !== ''))
exports.tagsOf = tagsOf
