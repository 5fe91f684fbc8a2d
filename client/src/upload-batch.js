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
exports.toUpload = exports.takeBatch = void 0
var replica_records_ts_1 = require('./replica-records.ts')
/**
 * A change says title and archived every time, because the interface demands the one and takes a missing other for
 * false (interface 2.1). It says todoStatus when the change makes the thing a todo: the server may hold one that it has
 * never shown.
 */
var complete = (fields_1, thing_1, _a) =>
  __awaiter(void 0, [fields_1, thing_1, _a], void 0, function (fields, thing, _b) {
    var title, archived, todoStatus, wasTodo, _c, _d, _e, typed
    var _f, _g
    var view = _b.view,
      findKnown = _b.findKnown
    return __generator(this, (_h) => {
      switch (_h.label) {
        case 0:
          ;(title = thing.title), (archived = thing.archived), (todoStatus = thing.todoStatus)
          _c = todoStatus === undefined
          if (_c) return [3 /*break*/, 3]
          _e = (_d = view).isTodo
          return [4 /*yield*/, findKnown(thing.id)]
        case 1:
          return [
            4 /*yield*/,
            _e.apply(_d, [
              (_g = (_f = _h.sent()) === null || _f === void 0 ? void 0 : _f.tags) !== null && _g !== void 0 ? _g : '',
            ]),
          ]
        case 2:
          _c = _h.sent()
          _h.label = 3
        case 3:
          wasTodo = _c
          typed = (0, replica_records_ts_1.typedIn)({ kind: 'change', fields: fields })
          return [
            2 /*return*/,
            {
              kind: 'change',
              fields: __assign(
                __assign(__assign({}, fields), { title: title, archived: archived }),
                wasTodo ? {} : { todoStatus: todoStatus },
              ),
              typed: typed,
            },
          ]
      }
    })
  })
/**
 * What to write in order to move edits from `queued` to `sending`, as they will be sent however often; a change of a
 * thing that is gone is dropped. Empty when nothing is to be sent.
 */
var takeBatch = (_a, state_1, session_1, limits_1, sources_1) =>
  __awaiter(
    void 0,
    [_a, state_1, session_1, limits_1, sources_1],
    void 0,
    function (_b, state, session, limits, sources) {
      var batch,
        edits,
        characters,
        hasRoom,
        _i,
        _c,
        _d,
        id,
        edit,
        key,
        shown,
        _e,
        sent,
        _f,
        isGone,
        _g,
        _h,
        _j,
        name_1,
        change,
        key
      var _k
      var queued = _b.queued
      return __generator(this, (_l) => {
        switch (_l.label) {
          case 0:
            batch = new Map()
            edits = 0
            characters = 0
            hasRoom = (edit) => {
              var size = JSON.stringify(edit).length
              if (edits === limits.edits || (edits > 0 && characters + size > limits.characters)) return false
              edits++
              characters += size
              return true
            }
            ;(_i = 0), (_c = queued.things)
            _l.label = 1
          case 1:
            if (!(_i < _c.length)) return [3 /*break*/, 9]
            ;(_d = _c[_i]), (id = _d[0]), (edit = _d[1])
            key = (0, replica_records_ts_1.editKey)('queued', 'thing', id)
            if (limits.heldBack.has(key)) return [3 /*break*/, 8]
            if (!(edit.kind === 'change')) return [3 /*break*/, 3]
            return [4 /*yield*/, sources.view.findThing(id)]
          case 2:
            _e = _l.sent()
            return [3 /*break*/, 4]
          case 3:
            _e = undefined
            _l.label = 4
          case 4:
            shown = _e
            if (!(shown && edit.kind === 'change')) return [3 /*break*/, 6]
            return [4 /*yield*/, complete(edit.fields, shown, sources)]
          case 5:
            _f = _l.sent()
            return [3 /*break*/, 7]
          case 6:
            _f = edit
            _l.label = 7
          case 7:
            sent = _f
            isGone = edit.kind === 'change' && shown === undefined
            if (!isGone && !hasRoom(sent)) return [3 /*break*/, 9]
            if (isGone) batch.set(replica_records_ts_1.keys.thing(id), undefined)
            else batch.set((0, replica_records_ts_1.editKey)('sending', 'thing', id), sent)
            batch.set(key, undefined)
            _l.label = 8
          case 8:
            _i++
            return [3 /*break*/, 1]
          case 9:
            for (_g = 0, _h = queued.tags; _g < _h.length; _g++) {
              ;(_j = _h[_g]), (name_1 = _j[0]), (change = _j[1])
              key = (0, replica_records_ts_1.editKey)('queued', 'tag', name_1)
              if (limits.heldBack.has(key)) continue
              if (!hasRoom(((_k = {}), (_k[name_1] = change), _k))) break
              batch.set((0, replica_records_ts_1.editKey)('sending', 'tag', name_1), change).set(key, undefined)
            }
            if (edits > 0)
              batch.set(
                replica_records_ts_1.keys.state,
                __assign(__assign({}, state), session === undefined ? {} : { sentIn: session }),
              )
            return [2 /*return*/, batch]
        }
      })
    },
  )
exports.takeBatch = takeBatch
/** The upload parameters for what is `sending` (interface 4.3). */
var toUpload = (_a) => {
  var sending = _a.sending
  var edits = __spreadArray([], sending.things, true)
  return {
    new_thing: edits.flatMap((_a) => {
      var local_id = _a[0],
        edit = _a[1]
      return edit.kind === 'new'
        ? [__assign(__assign({ local_id: local_id }, withoutEmpty(edit.fields)), { title: edit.fields.title })]
        : []
    }),
    changed_thing: edits.flatMap((_a) => {
      var _b
      var _id = _a[0],
        edit = _a[1]
      return edit.kind === 'change'
        ? [
            __assign(__assign({ _id: _id }, withoutNull(edit.fields)), {
              title: (_b = edit.fields.title) !== null && _b !== void 0 ? _b : '',
            }),
          ]
        : []
    }),
    deleted_thing: edits.flatMap((_a) => {
      var id = _a[0],
        kind = _a[1].kind
      return kind === 'delete' ? [id] : []
    }),
    tag: Object.fromEntries(sending.tags),
  }
}
exports.toUpload = toUpload
var withoutEmpty = (fields) =>
  Object.fromEntries(
    Object.entries(fields).filter((_a) => {
      var value = _a[1]
      return value !== null && value !== ''
    }),
  )
var withoutNull = (fields) =>
  Object.fromEntries(
    Object.entries(fields).map((_a) => {
      var name = _a[0],
        value = _a[1]
      return [name, value !== null && value !== void 0 ? value : '']
    }),
  )
