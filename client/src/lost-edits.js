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
exports.listLostEdits = exports.writeKeepingLost = void 0
var replica_records_ts_1 = require('./replica-records.ts')
var thing_fields_ts_1 = require('./thing-fields.ts')
var describe = (id, thing, known) => {
  var edited = thing_fields_ts_1.fieldNames.filter((name) => known === undefined || thing[name] !== known[name])
  var todoStatus = thing.todoStatus,
    content = __rest(
      thing,
      // A status that nothing shows says nothing.
      ['todoStatus'],
    )
  // A status that nothing shows says nothing.
  return { id: id, content: todoStatus || edited.includes('todoStatus') ? thing : content, edited: edited }
}
/** The ids of the things that a batch drops, each with the id under which its edits wait. */
var listDropped = function (batch) {
  var localIds, _i, batch_1, _a, key, value, _b, _c, _d, key, value, id
  var _e
  return __generator(this, (_f) => {
    switch (_f.label) {
      case 0:
        localIds = new Map()
        for (_i = 0, batch_1 = batch; _i < batch_1.length; _i++) {
          ;(_a = batch_1[_i]), (key = _a[0]), (value = _a[1])
          if (key.startsWith(replica_records_ts_1.keys.givenId('')))
            localIds.set(value, key.slice(replica_records_ts_1.keys.givenId('').length))
        }
        ;(_b = 0), (_c = __spreadArray([], batch, true))
        _f.label = 1
      case 1:
        if (!(_b < _c.length)) return [3 /*break*/, 4]
        ;(_d = _c[_b]), (key = _d[0]), (value = _d[1])
        if (value !== undefined || !key.startsWith(replica_records_ts_1.keys.thing(''))) return [3 /*break*/, 3]
        id = key.slice(replica_records_ts_1.keys.thing('').length)
        return [4 /*yield*/, [id, (_e = localIds.get(id)) !== null && _e !== void 0 ? _e : id]]
      case 2:
        _f.sent()
        _f.label = 3
      case 3:
        _b++
        return [3 /*break*/, 1]
      case 4:
        return [2 /*return*/]
    }
  })
}
/**
 * Writes a batch that may drop things. What was edited of them and never confirmed is kept as lost in the same write,
 * until the application forgets it, and what was sent from here before as a version; a thing that the application
 * deleted itself is no loss. Where these may be the last copies, every version is kept, whoever typed it. To be called
 * in turn, so that no edit slips in between. Gives how many edits were lost that had been sent.
 */
var writeKeepingLost = function (_a, batch_2) {
  var args_1 = []
  for (var _i = 2; _i < arguments.length; _i++) {
    args_1[_i - 2] = arguments[_i]
  }
  return __awaiter(void 0, __spreadArray([_a, batch_2], args_1, true), void 0, function (_b, batch, areLastCopies) {
    var lostOfSending, _loop_1, _c, _d, _e, id, editedAs
    var _f, _g
    var store = _b.store,
      pending = _b.pending,
      versions = _b.versions
    if (areLastCopies === void 0) {
      areLastCopies = false
    }
    return __generator(this, (_h) => {
      switch (_h.label) {
        case 0:
          lostOfSending = 0
          _loop_1 = function (id, editedAs) {
            var sending, queued, isLost, known, isOwn, text, typed, fields, sent, thing, taken, lost
            return __generator(this, (_j) => {
              switch (_j.label) {
                case 0:
                  sending = pending.sending.things.get(editedAs)
                  queued =
                    (_f = pending.queued.things.get(editedAs)) !== null && _f !== void 0
                      ? _f
                      : pending.queued.things.get(id)
                  isLost =
                    (queued === null || queued === void 0 ? void 0 : queued.kind) === 'change' ||
                    (queued === undefined &&
                      (sending === null || sending === void 0 ? void 0 : sending.kind) === 'change')
                  if ((sending === null || sending === void 0 ? void 0 : sending.kind) === 'change') {
                    batch.set((0, replica_records_ts_1.editKey)('sending', 'thing', id), undefined)
                    lostOfSending++
                  }
                  return [4 /*yield*/, store.get(replica_records_ts_1.keys.thing(id))]
                case 1:
                  known = _j.sent()
                  if (isLost) return [3 /*break*/, 4]
                  isOwn =
                    (sending === null || sending === void 0 ? void 0 : sending.kind) === 'delete' ||
                    (queued === null || queued === void 0 ? void 0 : queued.kind) === 'delete'
                  text =
                    known !== null && known !== void 0
                      ? known
                      : (sending === null || sending === void 0 ? void 0 : sending.kind) === 'new'
                        ? (0, replica_records_ts_1.applyFields)(replica_records_ts_1.blankThing, sending.fields)
                        : undefined
                  typed =
                    known && areLastCopies
                      ? replica_records_ts_1.typedFields.filter((name) => known[name])
                      : known === null || known === void 0
                        ? void 0
                        : known.own
                  fields =
                    typed !== null && typed !== void 0
                      ? typed
                      : (sending === null || sending === void 0 ? void 0 : sending.kind) === 'new'
                        ? (0, replica_records_ts_1.typedIn)(sending)
                        : []
                  if (!(!isOwn && text && fields.length > 0)) return [3 /*break*/, 3]
                  return [4 /*yield*/, versions.keep(batch, id, { why: 'deleted', fields: fields }, text)]
                case 2:
                  _j.sent()
                  _j.label = 3
                case 3:
                  return [2 /*return*/, 'continue']
                case 4:
                  sent = sending !== undefined && sending.kind !== 'delete' ? sending.fields : {}
                  thing = (0, replica_records_ts_1.applyFields)(
                    (0, replica_records_ts_1.applyFields)(
                      known !== null && known !== void 0 ? known : replica_records_ts_1.blankThing,
                      sent,
                    ),
                    (_g = queued === null || queued === void 0 ? void 0 : queued.fields) !== null && _g !== void 0
                      ? _g
                      : {},
                  )
                  taken =
                    (sending === null || sending === void 0 ? void 0 : sending.kind) === 'new'
                      ? (0, replica_records_ts_1.applyFields)(replica_records_ts_1.blankThing, sent)
                      : known
                  lost = describe(id, thing, taken && (0, replica_records_ts_1.applyFields)(taken, {}))
                  if (lost.edited.length > 0) batch.set(replica_records_ts_1.keys.lost(id), lost)
                  return [2 /*return*/]
              }
            })
          }
          ;(_c = 0), (_d = listDropped(batch))
          _h.label = 1
        case 1:
          if (!(_c < _d.length)) return [3 /*break*/, 4]
          ;(_e = _d[_c]), (id = _e[0]), (editedAs = _e[1])
          return [5 /*yield**/, _loop_1(id, editedAs)]
        case 2:
          _h.sent()
          _h.label = 3
        case 3:
          _c++
          return [3 /*break*/, 1]
        case 4:
          return [4 /*yield*/, pending.write(batch)]
        case 5:
          _h.sent()
          return [2 /*return*/, lostOfSending]
      }
    })
  })
}
exports.writeKeepingLost = writeKeepingLost
/** All lost edits that the application has not forgotten. */
var listLostEdits = (store) =>
  __awaiter(void 0, void 0, void 0, function () {
    var lost, _a, _b, _c, value, e_1_1
    var _d, e_1, _e, _f
    return __generator(this, (_g) => {
      switch (_g.label) {
        case 0:
          lost = []
          _g.label = 1
        case 1:
          _g.trys.push([1, 6, 7, 12])
          ;(_a = true), (_b = __asyncValues(store.list(replica_records_ts_1.keys.lost(''))))
          _g.label = 2
        case 2:
          return [4 /*yield*/, _b.next()]
        case 3:
          if (!((_c = _g.sent()), (_d = _c.done), !_d)) return [3 /*break*/, 5]
          _f = _c.value
          _a = false
          value = _f[1]
          lost.push(value)
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
          return [2 /*return*/, lost]
      }
    })
  })
exports.listLostEdits = listLostEdits
