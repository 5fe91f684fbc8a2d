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
exports.confirmFullListing = exports.confirmAnswer = exports.giveId = void 0
var client_error_ts_1 = require('./client-error.ts')
var gone_back_ts_1 = require('./gone-back.ts')
var replica_records_ts_1 = require('./replica-records.ts')
var replica_view_ts_1 = require('./replica-view.ts')
var versions_ts_1 = require('./versions.ts')
var findKnown = (_a, id_1) =>
  __awaiter(void 0, [_a, id_1], void 0, function (_b, id) {
    var key, _c
    var store = _b.store,
      batch = _b.batch
    return __generator(this, (_d) => {
      switch (_d.label) {
        case 0:
          key = replica_records_ts_1.keys.thing(id)
          if (!batch.has(key)) return [3 /*break*/, 1]
          _c = batch.get(key)
          return [3 /*break*/, 3]
        case 1:
          return [4 /*yield*/, store.get(key)]
        case 2:
          _c = _d.sent()
          _d.label = 3
        case 3:
          return [2 /*return*/, _c]
      }
    })
  })
/** Things in the store that the answer did not tell of. */
function listUntold(_a, _b) {
  return __asyncGenerator(this, arguments, function listUntold_1(_c, _d) {
    var prefix, _e, _f, _g, key, value, thing, e_1_1
    var _h, e_1, _j, _k
    var store = _c.store,
      batch = _c.batch
    var name = _d.name
    return __generator(this, (_l) => {
      switch (_l.label) {
        case 0:
          prefix = replica_records_ts_1.keys.thing('')
          _l.label = 1
        case 1:
          _l.trys.push([1, 8, 9, 14])
          ;(_e = true), (_f = __asyncValues(store.list(prefix)))
          _l.label = 2
        case 2:
          return [4 /*yield*/, __await(_f.next())]
        case 3:
          if (!((_g = _l.sent()), (_h = _g.done), !_h)) return [3 /*break*/, 7]
          _k = _g.value
          _e = false
          ;(key = _k[0]), (value = _k[1])
          thing = value
          if (!(!batch.has(key) && thing.seenIn !== name)) return [3 /*break*/, 6]
          return [4 /*yield*/, __await({ id: key.slice(prefix.length), thing: thing })]
        case 4:
          return [4 /*yield*/, _l.sent()]
        case 5:
          _l.sent()
          _l.label = 6
        case 6:
          _e = true
          return [3 /*break*/, 2]
        case 7:
          return [3 /*break*/, 14]
        case 8:
          e_1_1 = _l.sent()
          e_1 = { error: e_1_1 }
          return [3 /*break*/, 14]
        case 9:
          _l.trys.push([9, , 12, 13])
          if (!(!_e && !_h && (_j = _f.return))) return [3 /*break*/, 11]
          return [4 /*yield*/, __await(_j.call(_f))]
        case 10:
          _l.sent()
          _l.label = 11
        case 11:
          return [3 /*break*/, 13]
        case 12:
          if (e_1) throw e_1.error
          return [7 /*endfinally*/]
        case 13:
          return [7 /*endfinally*/]
        case 14:
          return [2 /*return*/]
      }
    })
  })
}
var drop = (batch, id) => {
  batch
    .set(replica_records_ts_1.keys.thing(id), undefined)
    .set((0, replica_records_ts_1.editKey)('queued', 'thing', id), undefined)
}
/** Puts the `_id` in the place of the local id (interface 4.3, rule 3), also in what waits to be sent. */
var giveId = (_a, localId, id) => {
  var pending = _a.pending,
    batch = _a.batch
  var edit = pending.queued.things.get(localId)
  batch
    .set((0, replica_records_ts_1.editKey)('sending', 'thing', localId), undefined)
    .set(replica_records_ts_1.keys.givenId(localId), id)
  if (edit === undefined) return
  // A listing may have told of the thing already, and the application may have edited it under its `_id`.
  var joined = (0, replica_records_ts_1.joinEdits)(pending.queued.things.get(id), edit)
  batch
    .set((0, replica_records_ts_1.editKey)('queued', 'thing', localId), undefined)
    .set((0, replica_records_ts_1.editKey)('queued', 'thing', id), joined)
}
exports.giveId = giveId
var confirmThing = (_a, _b, id_1, known_1, edit_1) =>
  __awaiter(void 0, [_a, _b, id_1, known_1, edit_1], void 0, function (_c, _d, id, known, edit) {
    var sent, typed, isListed, overwritten, own
    var _e
    var state = _c.state,
      batch = _c.batch,
      versions = _c.versions
    var name = _d.name
    return __generator(this, (_f) => {
      switch (_f.label) {
        case 0:
          sent = (0, replica_records_ts_1.applyFields)(
            known !== null && known !== void 0 ? known : replica_records_ts_1.blankThing,
            edit.fields,
          )
          typed = (0, replica_records_ts_1.typedIn)(edit)
          isListed = (known === null || known === void 0 ? void 0 : known.seenIn) === name
          overwritten = isListed
            ? (0, versions_ts_1.findDifferences)(known, sent).filter((field) => typed.includes(field))
            : []
          if (!(overwritten.length > 0)) return [3 /*break*/, 2]
          return [4 /*yield*/, versions.keep(batch, id, { why: 'overwritten', fields: overwritten }, sent)]
        case 1:
          _f.sent()
          _f.label = 2
        case 2:
          own = replica_records_ts_1.typedFields.filter((field) => {
            var _a
            return (
              (((_a = known === null || known === void 0 ? void 0 : known.own) === null || _a === void 0
                ? void 0
                : _a.includes(field)) ||
                typed.includes(field)) &&
              !overwritten.includes(field)
            )
          })
          batch.set(
            replica_records_ts_1.keys.thing(id),
            __assign(
              __assign(__assign({}, isListed ? (0, replica_records_ts_1.applyFields)(known, {}) : sent), {
                seenIn: name,
                knownAfter:
                  (_e = known === null || known === void 0 ? void 0 : known.knownAfter) !== null && _e !== void 0
                    ? _e
                    : state.position,
              }),
              own.length > 0 ? { own: own } : {},
            ),
          )
          return [2 /*return*/]
      }
    })
  })
var confirmThings = (draft, answer) =>
  __awaiter(void 0, void 0, void 0, function () {
    var pending, batch, _i, _a, _b, key, edit, id, known, isGone
    return __generator(this, (_c) => {
      switch (_c.label) {
        case 0:
          ;(pending = draft.pending), (batch = draft.batch)
          ;(_i = 0), (_a = pending.sending.things)
          _c.label = 1
        case 1:
          if (!(_i < _a.length)) return [3 /*break*/, 6]
          ;(_b = _a[_i]), (key = _b[0]), (edit = _b[1])
          id = edit.kind === 'new' ? answer.assigned.get(key) : key
          if (id === undefined)
            throw new client_error_ts_1.ClientError(
              'unexpected_answer',
              'the answer gives no _id for the local id '.concat(key),
            )
          return [4 /*yield*/, findKnown(draft, id)]
        case 2:
          known = _c.sent()
          if (edit.kind === 'new') (0, exports.giveId)(draft, key, id)
          batch.set((0, replica_records_ts_1.editKey)('sending', 'thing', key), undefined)
          isGone = edit.kind === 'new' ? answer.unknownDeleted.has(id) : edit.kind === 'delete' || known === undefined
          if (!isGone) return [3 /*break*/, 3]
          drop(batch, id)
          return [3 /*break*/, 5]
        case 3:
          if (!(edit.kind !== 'delete')) return [3 /*break*/, 5]
          return [4 /*yield*/, confirmThing(draft, answer, id, known, edit)]
        case 4:
          _c.sent()
          _c.label = 5
        case 5:
          _i++
          return [3 /*break*/, 1]
        case 6:
          return [2 /*return*/]
      }
    })
  })
/** Gives the tags that make things todos now and did not before. */
var confirmTags = (_a, answer_1) =>
  __awaiter(void 0, [_a, answer_1], void 0, function (_b, answer) {
    var newTodos, _i, _c, name_1, known, settings
    var _d
    var store = _b.store,
      pending = _b.pending,
      batch = _b.batch
    return __generator(this, (_e) => {
      switch (_e.label) {
        case 0:
          newTodos = new Set()
          ;(_i = 0),
            (_c = new Set(
              __spreadArray(__spreadArray([], pending.sending.tags.keys(), true), answer.tags.keys(), true),
            ))
          _e.label = 1
        case 1:
          if (!(_i < _c.length)) return [3 /*break*/, 4]
          name_1 = _c[_i]
          return [4 /*yield*/, store.get(replica_records_ts_1.keys.tag(name_1))]
        case 2:
          known = _e.sent()
          settings =
            (_d = answer.tags.get(name_1)) !== null && _d !== void 0
              ? _d
              : (0, replica_records_ts_1.applyTagChange)(known, pending.sending.tags.get(name_1))
          batch
            .set((0, replica_records_ts_1.editKey)('sending', 'tag', name_1), undefined)
            .set(replica_records_ts_1.keys.tag(name_1), settings)
          if (settings.todo !== false && (known === undefined || known.todo === false)) newTodos.add(name_1)
          _e.label = 3
        case 3:
          _i++
          return [3 /*break*/, 1]
        case 4:
          return [2 /*return*/, newTodos]
      }
    })
  })
/**
 * What to write once an answer was folded: what was `sending` is known to the server, ids take the place of local ids,
 * tags and the position move. Written together, so that a crash leaves either an upload to repeat or nothing to do.
 */
var confirmAnswer = (target, answer, raisesPositions) =>
  __awaiter(void 0, void 0, void 0, function () {
    var state, draft, newTodos, isBack, mustListAll, _a, _b, _c, id, thing, e_2_1, hasLastCopies
    var _d, e_2, _e, _f
    return __generator(this, (_g) => {
      switch (_g.label) {
        case 0:
          state = target.state
          draft = __assign(__assign({}, target), { batch: new Map(answer.batch) })
          return [4 /*yield*/, confirmThings(draft, answer)]
        case 1:
          _g.sent()
          return [
            4 /*yield*/,
            confirmTags(draft, answer),
            // What the server has lost is in no listing but a full one, by not being there.
          ]
        case 2:
          newTodos = _g.sent()
          isBack = (0, gone_back_ts_1.hasGoneBack)(state, answer, raisesPositions)
          mustListAll = state.mustListAll || isBack
          if (!(state.isAhead || newTodos.size > 0)) return [3 /*break*/, 14]
          _g.label = 3
        case 3:
          _g.trys.push([3, 8, 9, 14])
          ;(_a = true), (_b = __asyncValues(listUntold(draft, answer)))
          _g.label = 4
        case 4:
          return [4 /*yield*/, _b.next()]
        case 5:
          if (!((_c = _g.sent()), (_d = _c.done), !_d)) return [3 /*break*/, 7]
          _f = _c.value
          _a = false
          ;(id = _f.id), (thing = _f.thing)
          if (state.isAhead && !isBack && thing.knownAfter >= state.position) drop(draft.batch, id)
          // The server may now show a todoStatus that was set while nothing showed it (contract, sync 12).
          else if (__spreadArray([], (0, replica_view_ts_1.tagsOf)(thing.tags), true).some((tag) => newTodos.has(tag)))
            mustListAll = true
          _g.label = 6
        case 6:
          _a = true
          return [3 /*break*/, 4]
        case 7:
          return [3 /*break*/, 14]
        case 8:
          e_2_1 = _g.sent()
          e_2 = { error: e_2_1 }
          return [3 /*break*/, 14]
        case 9:
          _g.trys.push([9, , 12, 13])
          if (!(!_a && !_d && (_e = _b.return))) return [3 /*break*/, 11]
          return [4 /*yield*/, _e.call(_b)]
        case 10:
          _g.sent()
          _g.label = 11
        case 11:
          return [3 /*break*/, 13]
        case 12:
          if (e_2) throw e_2.error
          return [7 /*endfinally*/]
        case 13:
          return [7 /*endfinally*/]
        case 14:
          hasLastCopies = isBack || state.hasLastCopies === true
          return [
            2 /*return*/,
            draft.batch.set(
              replica_records_ts_1.keys.state,
              __assign(
                { version: 1, position: answer.position, mustListAll: mustListAll },
                hasLastCopies ? { hasLastCopies: hasLastCopies } : {},
              ),
            ),
          ]
      }
    })
  })
exports.confirmAnswer = confirmAnswer
/** What to write once all of a full listing was folded: what it does not show is gone. */
var confirmFullListing = (target_1, answer_1, _a) =>
  __awaiter(void 0, [target_1, answer_1, _a], void 0, function (target, answer, _b) {
    var draft, _c, _d, _e, id, e_3_1, known, _f, _g, _h, key, settings, e_4_1, _i, _j, _k, name_2, settings
    var _l, e_3, _m, _o, _p, e_4, _q, _r
    var isBlank = _b.isBlank,
      saysTags = _b.saysTags
    return __generator(this, (_s) => {
      switch (_s.label) {
        case 0:
          draft = __assign(__assign({}, target), { batch: new Map(answer.batch) })
          if (isBlank) return [3 /*break*/, 12]
          _s.label = 1
        case 1:
          _s.trys.push([1, 6, 7, 12])
          ;(_c = true), (_d = __asyncValues(listUntold(draft, answer)))
          _s.label = 2
        case 2:
          return [4 /*yield*/, _d.next()]
        case 3:
          if (!((_e = _s.sent()), (_l = _e.done), !_l)) return [3 /*break*/, 5]
          _o = _e.value
          _c = false
          id = _o.id
          drop(draft.batch, id)
          _s.label = 4
        case 4:
          _c = true
          return [3 /*break*/, 2]
        case 5:
          return [3 /*break*/, 12]
        case 6:
          e_3_1 = _s.sent()
          e_3 = { error: e_3_1 }
          return [3 /*break*/, 12]
        case 7:
          _s.trys.push([7, , 10, 11])
          if (!(!_c && !_l && (_m = _d.return))) return [3 /*break*/, 9]
          return [4 /*yield*/, _m.call(_d)]
        case 8:
          _s.sent()
          _s.label = 9
        case 9:
          return [3 /*break*/, 11]
        case 10:
          if (e_3) throw e_3.error
          return [7 /*endfinally*/]
        case 11:
          return [7 /*endfinally*/]
        case 12:
          known = new Map()
          _s.label = 13
        case 13:
          _s.trys.push([13, 18, 19, 24])
          ;(_f = true), (_g = __asyncValues(target.store.list(replica_records_ts_1.keys.tag(''))))
          _s.label = 14
        case 14:
          return [4 /*yield*/, _g.next()]
        case 15:
          if (!((_h = _s.sent()), (_p = _h.done), !_p)) return [3 /*break*/, 17]
          _r = _h.value
          _f = false
          ;(key = _r[0]), (settings = _r[1])
          known.set(key, JSON.stringify(settings))
          if (saysTags) draft.batch.set(key, undefined)
          _s.label = 16
        case 16:
          _f = true
          return [3 /*break*/, 14]
        case 17:
          return [3 /*break*/, 24]
        case 18:
          e_4_1 = _s.sent()
          e_4 = { error: e_4_1 }
          return [3 /*break*/, 24]
        case 19:
          _s.trys.push([19, , 22, 23])
          if (!(!_f && !_p && (_q = _g.return))) return [3 /*break*/, 21]
          return [4 /*yield*/, _q.call(_g)]
        case 20:
          _s.sent()
          _s.label = 21
        case 21:
          return [3 /*break*/, 23]
        case 22:
          if (e_4) throw e_4.error
          return [7 /*endfinally*/]
        case 23:
          return [7 /*endfinally*/]
        case 24:
          for (_i = 0, _j = answer.tags; _i < _j.length; _i++) {
            ;(_k = _j[_i]), (name_2 = _k[0]), (settings = _k[1])
            // What is the same is not told of: a screen would draw all its things anew.
            if (known.get(replica_records_ts_1.keys.tag(name_2)) === JSON.stringify(settings))
              draft.batch.delete(replica_records_ts_1.keys.tag(name_2))
            else draft.batch.set(replica_records_ts_1.keys.tag(name_2), settings)
          }
          return [
            2 /*return*/,
            draft.batch.set(replica_records_ts_1.keys.state, {
              version: 1,
              position: answer.position,
              mustListAll: false,
            }),
          ]
      }
    })
  })
exports.confirmFullListing = confirmFullListing
