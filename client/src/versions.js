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
exports.divideOwn =
  exports.toFields =
  exports.findDifferences =
  exports.forgetOldVersions =
  exports.listOverwritten =
  exports.listVersions =
  exports.createVersionKeeper =
  exports.versionDays =
  exports.versionsPerThing =
    void 0
var replica_records_ts_1 = require('./replica-records.ts')
/** How many versions of one thing are kept; the oldest give way. */
exports.versionsPerThing = 10
/** How long a version is kept, in days. */
exports.versionDays = 90
/** A keeper of the versions in this store; `createName` gives a new name. */
var createVersionKeeper = (store, now, createName) => {
  var unwritten = new Map()
  var untold = []
  return {
    keep: (batch_1, id_1, _a, thing_1) =>
      __awaiter(void 0, [batch_1, id_1, _a, thing_1], void 0, function (batch, id, _b, thing) {
        var key, older, _c, version
        var why = _b.why,
          fields = _b.fields
        return __generator(this, (_d) => {
          switch (_d.label) {
            case 0:
              key = replica_records_ts_1.keys.versions(id)
              if (!batch.has(key)) return [3 /*break*/, 1]
              _c = batch.get(key)
              return [3 /*break*/, 3]
            case 1:
              return [4 /*yield*/, (0, exports.listVersions)(store, id)]
            case 2:
              _c = _d.sent()
              _d.label = 3
            case 3:
              older = _c
              version = {
                id: id,
                name: createName(),
                replacedAt: now(),
                why: why,
                fields: fields,
                content: contentOf(thing),
              }
              batch.set(
                key,
                __spreadArray(__spreadArray([], older, true), [version], false).slice(-exports.versionsPerThing),
              )
              if (why === 'overwritten' || why === 'deleted') unwritten.set(version.name, version)
              return [2 /*return*/]
          }
        })
      }),
    confirm: (batch) => {
      for (var _i = 0, batch_1 = batch; _i < batch_1.length; _i++) {
        var _a = batch_1[_i],
          key = _a[0],
          value = _a[1]
        if (!key.startsWith(replica_records_ts_1.keys.versions('')) || value === undefined) continue
        for (var _b = 0, _c = value; _b < _c.length; _b++) {
          var name_1 = _c[_b].name
          var version = unwritten.get(name_1)
          if (version !== undefined && unwritten.delete(name_1)) untold.push(version)
        }
      }
    },
    takeUntold: () => {
      var told = untold
      untold = []
      // What was not written belongs to answers that broke off, and comes again.
      unwritten.clear()
      return told
    },
  }
}
exports.createVersionKeeper = createVersionKeeper
/** The versions that are kept of the thing with this `_id`, the latest last. */
var listVersions = (store, id) =>
  __awaiter(void 0, void 0, void 0, function () {
    var _a
    return __generator(this, (_b) => {
      switch (_b.label) {
        case 0:
          return [4 /*yield*/, store.get(replica_records_ts_1.keys.versions(id))]
        case 1:
          return [
            2 /*return*/,
            (_a = _b.sent()) !== null && _a !== void 0 ? _a : [],
            /** All versions that another device has overwritten or deleted, the latest last. */
          ]
      }
    })
  })
exports.listVersions = listVersions
/** All versions that another device has overwritten or deleted, the latest last. */
var listOverwritten = (store) =>
  __awaiter(void 0, void 0, void 0, function () {
    var found, _a, _b, _c, versions, e_1_1
    var _d, e_1, _e, _f
    return __generator(this, (_g) => {
      switch (_g.label) {
        case 0:
          found = []
          _g.label = 1
        case 1:
          _g.trys.push([1, 6, 7, 12])
          ;(_a = true), (_b = __asyncValues(store.list(replica_records_ts_1.keys.versions(''))))
          _g.label = 2
        case 2:
          return [4 /*yield*/, _b.next()]
        case 3:
          if (!((_c = _g.sent()), (_d = _c.done), !_d)) return [3 /*break*/, 5]
          _f = _c.value
          _a = false
          versions = _f[1]
          found.push.apply(
            found,
            versions.filter((_a) => {
              var why = _a.why
              return why === 'overwritten' || why === 'deleted'
            }),
          )
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
          return [2 /*return*/, found.sort((one, other) => one.replacedAt - other.replacedAt)]
      }
    })
  })
exports.listOverwritten = listOverwritten
/** What to write so that versions whose time is over are gone. */
var forgetOldVersions = (store, now) =>
  __awaiter(void 0, void 0, void 0, function () {
    var batch, _a, _b, _c, key, value, versions, kept, e_2_1
    var _d, e_2, _e, _f
    return __generator(this, (_g) => {
      switch (_g.label) {
        case 0:
          batch = new Map()
          _g.label = 1
        case 1:
          _g.trys.push([1, 6, 7, 12])
          ;(_a = true), (_b = __asyncValues(store.list(replica_records_ts_1.keys.versions(''))))
          _g.label = 2
        case 2:
          return [4 /*yield*/, _b.next()]
        case 3:
          if (!((_c = _g.sent()), (_d = _c.done), !_d)) return [3 /*break*/, 5]
          _f = _c.value
          _a = false
          ;(key = _f[0]), (value = _f[1])
          versions = value
          kept = versions.filter((_a) => {
            var replacedAt = _a.replacedAt
            return replacedAt > now - exports.versionDays * 86400000
          })
          if (kept.length < versions.length) batch.set(key, kept.length > 0 ? kept : undefined)
          _g.label = 4
        case 4:
          _a = true
          return [3 /*break*/, 2]
        case 5:
          return [3 /*break*/, 12]
        case 6:
          e_2_1 = _g.sent()
          e_2 = { error: e_2_1 }
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
          if (e_2) throw e_2.error
          return [7 /*endfinally*/]
        case 11:
          return [7 /*endfinally*/]
        case 12:
          return [2 /*return*/, batch]
      }
    })
  })
exports.forgetOldVersions = forgetOldVersions
/** The typed fields in which two things differ. */
var findDifferences = (one, other) =>
  replica_records_ts_1.typedFields.filter((name) => {
    var _a, _b
    return (
      ((_a = one[name]) !== null && _a !== void 0 ? _a : '') !==
      ((_b = other[name]) !== null && _b !== void 0 ? _b : '')
    )
  })
exports.findDifferences = findDifferences
/** A thing without what the replica notes about it; a status that is not set says nothing. */
var contentOf = (thing) => {
  var _a = (0, replica_records_ts_1.applyFields)(thing, {}),
    todoStatus = _a.todoStatus,
    content = __rest(_a, ['todoStatus'])
  return todoStatus ? __assign(__assign({}, content), { todoStatus: todoStatus }) : content
}
/** What a version brings back into a thing that is still there. */
var toFields = (_a) => {
  var fields = _a.fields,
    content = _a.content
  return Object.fromEntries(
    fields.map((name) => {
      var _a
      return [name, (_a = content[name]) !== null && _a !== void 0 ? _a : '']
    }),
  )
}
exports.toFields = toFields
/** The typed fields whose text is from here still, and those whose text was, once the server has told another state. */
var divideOwn = (known, next) => {
  var _a
  var different = known === undefined ? [] : (0, exports.findDifferences)(known, next)
  var own = (_a = known === null || known === void 0 ? void 0 : known.own) !== null && _a !== void 0 ? _a : []
  return {
    kept: own.filter((name) => !different.includes(name)),
    overwritten: own.filter((name) => different.includes(name)),
  }
}
exports.divideOwn = divideOwn
