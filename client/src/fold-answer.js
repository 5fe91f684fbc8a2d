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
Object.defineProperty(exports, '__esModule', { value: true })
exports.toKnown = exports.foldAnswer = exports.isBlankState = exports.isAheadOf = void 0
var lost_edits_ts_1 = require('./lost-edits.ts')
var read_many_ts_1 = require('./read-many.ts')
var replica_records_ts_1 = require('./replica-records.ts')
var thing_fields_ts_1 = require('./thing-fields.ts')
var versions_ts_1 = require('./versions.ts')
/** Where a replica stands that has taken over a part of an answer. */
var isAheadOf = (_a) => {
  var _ = _a.listing,
    state = __rest(_a, ['listing'])
  return __assign(__assign({}, state), { isAhead: true })
}
exports.isAheadOf = isAheadOf
/** In a replica that has never synchronised nothing is to be found, and a store may take its time to say so. */
var isBlankState = (_a) => {
  var position = _a.position,
    isAhead = _a.isAhead
  return position === 0 && !isAhead
}
exports.isBlankState = isBlankState
// Few things may be long.
var charactersPerWrite = 2000000
var countCharacters = (event) => {
  var _a, _b
  return event.kind === 'deleted'
    ? event.id.length
    : event.thing.title.length +
        ((_b = (_a = event.thing.html) === null || _a === void 0 ? void 0 : _a.length) !== null && _b !== void 0
          ? _b
          : 0)
}
var idOf = (event) => (event.kind === 'changed' ? event.thing._id : event.id)
/**
 * Takes over the listing of an answer while it arrives (interface 4.3, rules 2 and 4), in memory that does not grow with
 * it. The position is not moved: an answer that breaks off is listed again, or goes on as `toState` has noted.
 */
var foldAnswer = (parts_1, _a, _b) =>
  __awaiter(void 0, [parts_1, _a, _b], void 0, function (parts, _c, _d) {
    var position,
      thingCount,
      listed,
      unknown,
      tags,
      assigned,
      unknownDeleted,
      waiting,
      waitingCharacters,
      batch,
      flushing,
      flush,
      takeOver,
      isUnwanted,
      note,
      part,
      _i,
      part_1,
      event_1,
      e_1_1
    var _e, parts_2, parts_2_1
    var _f, e_1, _g, _h
    var store = _c.store,
      pending = _c.pending,
      inTurn = _c.inTurn,
      state = _c.state,
      entriesPerWrite = _c.entriesPerWrite,
      versions = _c.versions
    var name = _d.name,
      isBlank = _d.isBlank,
      _j = _d.isWanted,
      isWanted = _j === void 0 ? () => true : _j,
      toState = _d.toState
    return __generator(this, (_k) => {
      switch (_k.label) {
        case 0:
          thingCount = 0
          listed = 0
          unknown = 0
          tags = new Map()
          assigned = new Map()
          unknownDeleted = new Set()
          waiting = []
          waitingCharacters = 0
          batch = new Map()
          flushing = Promise.resolve()
          flush = () => {
            var full = batch.set(replica_records_ts_1.keys.state, toState(listed, position))
            batch = new Map()
            flushing = inTurn(() =>
              (0, lost_edits_ts_1.writeKeepingLost)({ store: store, pending: pending, versions: versions }, full),
            )
            // Whoever waits for it is told.
            flushing.catch(() => undefined)
          }
          takeOver = () =>
            __awaiter(void 0, void 0, void 0, function () {
              var taken, found, _a, _i, _b, _c, place, event_2, id, key, known, thing
              return __generator(this, (_d) => {
                switch (_d.label) {
                  case 0:
                    // What it writes is looked up here.
                    return [4 /*yield*/, flushing]
                  case 1:
                    // What it writes is looked up here.
                    _d.sent()
                    taken = waiting
                    waiting = []
                    waitingCharacters = 0
                    if (!isBlank) return [3 /*break*/, 2]
                    _a = []
                    return [3 /*break*/, 4]
                  case 2:
                    return [
                      4 /*yield*/,
                      (0, read_many_ts_1.readMany)(
                        store,
                        taken.map((event) => replica_records_ts_1.keys.thing(idOf(event))),
                      ),
                    ]
                  case 3:
                    _a = _d.sent()
                    _d.label = 4
                  case 4:
                    found = _a
                    ;(_i = 0), (_b = taken.entries())
                    _d.label = 5
                  case 5:
                    if (!(_i < _b.length)) return [3 /*break*/, 11]
                    ;(_c = _b[_i]), (place = _c[0]), (event_2 = _c[1])
                    id = idOf(event_2)
                    key = replica_records_ts_1.keys.thing(id)
                    known = batch.has(key) ? batch.get(key) : found[place]
                    if (!(event_2.kind === 'changed')) return [3 /*break*/, 9]
                    thing = (0, exports.toKnown)(event_2.thing, name, state.position, known)
                    if (!(known === undefined)) return [3 /*break*/, 6]
                    unknown++
                    return [3 /*break*/, 8]
                  case 6:
                    return [
                      4 /*yield*/,
                      keepReplaced({ versions: versions, pending: pending, batch: batch }, id, known, thing),
                    ]
                  case 7:
                    _d.sent()
                    _d.label = 8
                  case 8:
                    batch.set(key, thing)
                    return [3 /*break*/, 10]
                  case 9:
                    if (known === undefined) unknownDeleted.add(id)
                    // Deletion wins (contract, sync 8).
                    batch.set(key, undefined).set((0, replica_records_ts_1.editKey)('queued', 'thing', id), undefined)
                    _d.label = 10
                  case 10:
                    _i++
                    return [3 /*break*/, 5]
                  case 11:
                    listed += taken.length
                    return [2 /*return*/]
                }
              })
            })
          isUnwanted = () => position !== undefined && !isWanted(position)
          note = (event) => {
            if (event.kind === 'position') position = event.position
            else if (event.kind === 'count') thingCount = event.thingCount
            else if (event.kind === 'tag') tags.set(event.name, event.settings)
            else if (event.kind === 'new') assigned.set(event.localId, event.id)
            else {
              waiting.push(event)
              waitingCharacters += countCharacters(event)
            }
          }
          _k.label = 1
        case 1:
          _k.trys.push([1, , 19, 21])
          _k.label = 2
        case 2:
          _k.trys.push([2, 11, 12, 17])
          ;(_e = true), (parts_2 = __asyncValues(parts))
          _k.label = 3
        case 3:
          return [4 /*yield*/, parts_2.next()]
        case 4:
          if (!((parts_2_1 = _k.sent()), (_f = parts_2_1.done), !_f)) return [3 /*break*/, 10]
          _h = parts_2_1.value
          _e = false
          part = _h
          ;(_i = 0), (part_1 = part)
          _k.label = 5
        case 5:
          if (!(_i < part_1.length)) return [3 /*break*/, 8]
          event_1 = part_1[_i]
          note(event_1)
          if (isUnwanted()) return [3 /*break*/, 8]
          if (!(waiting.length >= entriesPerWrite || waitingCharacters >= charactersPerWrite)) return [3 /*break*/, 7]
          return [4 /*yield*/, takeOver()]
        case 6:
          _k.sent()
          flush()
          _k.label = 7
        case 7:
          _i++
          return [3 /*break*/, 5]
        case 8:
          if (isUnwanted()) return [3 /*break*/, 10]
          _k.label = 9
        case 9:
          _e = true
          return [3 /*break*/, 3]
        case 10:
          return [3 /*break*/, 17]
        case 11:
          e_1_1 = _k.sent()
          e_1 = { error: e_1_1 }
          return [3 /*break*/, 17]
        case 12:
          _k.trys.push([12, , 15, 16])
          if (!(!_e && !_f && (_g = parts_2.return))) return [3 /*break*/, 14]
          return [4 /*yield*/, _g.call(parts_2)]
        case 13:
          _k.sent()
          _k.label = 14
        case 14:
          return [3 /*break*/, 16]
        case 15:
          if (e_1) throw e_1.error
          return [7 /*endfinally*/]
        case 16:
          return [7 /*endfinally*/]
        case 17:
          return [4 /*yield*/, takeOver()]
        case 18:
          _k.sent()
          return [3 /*break*/, 21]
        case 19:
          // Nothing is written any more when this ends, whatever ended it.
          return [4 /*yield*/, flushing.catch(() => undefined)]
        case 20:
          // Nothing is written any more when this ends, whatever ended it.
          _k.sent()
          return [7 /*endfinally*/]
        case 21:
          return [
            2 /*return*/,
            {
              name: name,
              isWanted: isWanted(position !== null && position !== void 0 ? position : 0),
              position: position !== null && position !== void 0 ? position : 0,
              listed: listed,
              unknown: unknown,
              thingCount: thingCount,
              tags: tags,
              assigned: assigned,
              unknownDeleted: unknownDeleted,
              batch: batch,
            },
          ]
      }
    })
  })
exports.foldAnswer = foldAnswer
/** Keeps the text from here that a listing replaces, and the listed text that an edit which waits here will replace. */
var keepReplaced = (_a, id_1, known_1, listed_1) =>
  __awaiter(void 0, [_a, id_1, known_1, listed_1], void 0, function (_b, id, known, listed) {
    var overwritten, queued, isNew, fields
    var versions = _b.versions,
      pending = _b.pending,
      batch = _b.batch
    return __generator(this, (_c) => {
      switch (_c.label) {
        case 0:
          overwritten = (0, versions_ts_1.divideOwn)(known, listed).overwritten
          if (!(overwritten.length > 0)) return [3 /*break*/, 2]
          return [4 /*yield*/, versions.keep(batch, id, { why: 'overwritten', fields: overwritten }, known)]
        case 1:
          _c.sent()
          _c.label = 2
        case 2:
          queued = pending.queued.things.get(id)
          if ((queued === null || queued === void 0 ? void 0 : queued.kind) !== 'change') return [2 /*return*/]
          isNew = (0, versions_ts_1.findDifferences)(known, listed)
          fields = (0, versions_ts_1.findDifferences)(
            listed,
            (0, replica_records_ts_1.applyFields)(listed, queued.fields),
          ).filter((field) => isNew.includes(field))
          if (!(fields.length > 0)) return [3 /*break*/, 4]
          return [4 /*yield*/, versions.keep(batch, id, { why: 'replaced', fields: fields }, listed)]
        case 3:
          _c.sent()
          _c.label = 4
        case 4:
          return [2 /*return*/]
      }
    })
  })
/** A listed thing as the replica keeps it; a todoStatus that is not shown is what was known of it. */
var toKnown = (thing, seenIn, knownAfter, known) => {
  var _a, _b
  var title = thing.title,
    tags = thing.tags,
    date = thing.date,
    archived = thing.archived,
    todoStatus = thing.todoStatus
  var content = __assign(
    __assign({ title: title, tags: tags, date: date }, (0, thing_fields_ts_1.mergeOptionalFields)(thing)),
    {
      archived: archived === true,
      todoStatus:
        (_a =
          todoStatus !== null && todoStatus !== void 0
            ? todoStatus
            : known === null || known === void 0
              ? void 0
              : known.todoStatus) !== null && _a !== void 0
          ? _a
          : false,
    },
  )
  var own = (0, versions_ts_1.divideOwn)(known, content).kept
  return __assign(
    __assign(__assign({}, content), {
      seenIn: seenIn,
      knownAfter:
        (_b = known === null || known === void 0 ? void 0 : known.knownAfter) !== null && _b !== void 0
          ? _b
          : knownAfter,
    }),
    own.length > 0 ? { own: own } : {},
  )
}
exports.toKnown = toKnown
