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
Object.defineProperty(exports, '__esModule', { value: true })
exports.createReplicaEdits = void 0
var check_fields_ts_1 = require('./check-fields.ts')
var client_error_ts_1 = require('./client-error.ts')
var random_id_ts_1 = require('./random-id.ts')
var replica_records_ts_1 = require('./replica-records.ts')
var versions_ts_1 = require('./versions.ts')
/** What a replica is told to do with things and tags; it waits in the store until a sync sends it. */
var createReplicaEdits = (_a) => {
  var store = _a.store,
    pending = _a.pending,
    view = _a.view,
    inTurn = _a.inTurn,
    versions = _a.versions,
    now = _a.now
  var toBatch = (id, edit) =>
    new Map([
      [
        (0, replica_records_ts_1.editKey)('queued', 'thing', id),
        (0, replica_records_ts_1.joinEdits)(pending.queued.things.get(id), edit),
      ],
    ])
  var editAll = (edits) =>
    inTurn(() =>
      __awaiter(void 0, void 0, void 0, function () {
        var batch, ids, things, join, find, _i, edits_1, edit, id, date, _a, _b, key, before, thing
        var _c, _d
        return __generator(this, (_e) => {
          switch (_e.label) {
            case 0:
              batch = new Map()
              ids = []
              return [4 /*yield*/, view.findThings(edits.flatMap((edit) => ('id' in edit ? [edit.id] : [])))]
            case 1:
              things = _e.sent()
              join = (id, next) => {
                var key = (0, replica_records_ts_1.editKey)('queued', 'thing', id)
                var before = batch.has(key) ? batch.get(key) : pending.queued.things.get(id)
                batch.set(key, (0, replica_records_ts_1.joinEdits)(before, next))
              }
              find = (id) => {
                var _a
                var thing = things.get(id)
                var key = (0, replica_records_ts_1.editKey)(
                  'queued',
                  'thing',
                  (_a = thing === null || thing === void 0 ? void 0 : thing.id) !== null && _a !== void 0 ? _a : id,
                )
                var edit = batch.get(key)
                return batch.has(key) && (edit === undefined || edit.kind === 'delete') ? undefined : thing
              }
              ;(_i = 0), (edits_1 = edits)
              _e.label = 2
            case 2:
              if (!(_i < edits_1.length)) return [3 /*break*/, 7]
              edit = edits_1[_i]
              if (!(edit.kind === 'create')) return [3 /*break*/, 3]
              ;(0, check_fields_ts_1.checkNewFields)(edit.fields)
              id = (_c = edit.localId) !== null && _c !== void 0 ? _c : (0, random_id_ts_1.createRandomId)()
              date = Math.floor(now() / 1000)
              join(id, { kind: 'new', fields: __assign({ date: date }, withoutUndefined(edit.fields)) })
              ids.push(id)
              return [3 /*break*/, 6]
            case 3:
              if (!(edit.kind === 'tag')) return [3 /*break*/, 5]
              _a = check_fields_ts_1.checkTag
              _b = [edit.name, edit.change]
              return [4 /*yield*/, store.get(replica_records_ts_1.keys.tag(edit.name))]
            case 4:
              _a.apply(void 0, _b.concat([_e.sent() !== undefined]))
              key = (0, replica_records_ts_1.editKey)('queued', 'tag', edit.name)
              before = (_d = batch.get(key)) !== null && _d !== void 0 ? _d : pending.queued.tags.get(edit.name)
              batch.set(key, __assign(__assign({}, before), withLowerCase(withoutUndefined(edit.change))))
              return [3 /*break*/, 6]
            case 5:
              thing = find(edit.id)
              if (edit.kind === 'remove') {
                if (thing !== undefined) join(thing.id, { kind: 'delete' })
                return [3 /*break*/, 6]
              }
              if (thing === undefined)
                throw new client_error_ts_1.ClientError('unknown_thing', 'there is no thing '.concat(edit.id))
              ;(0, check_fields_ts_1.checkFields)(edit.fields)
              join(thing.id, { kind: 'change', fields: withoutUndefined(edit.fields) })
              _e.label = 6
            case 6:
              _i++
              return [3 /*break*/, 2]
            case 7:
              if (!(batch.size > 0)) return [3 /*break*/, 9]
              return [4 /*yield*/, pending.write(batch)]
            case 8:
              _e.sent()
              _e.label = 9
            case 9:
              return [2 /*return*/, ids]
          }
        })
      }),
    )
  var create = (fields) =>
    __awaiter(void 0, void 0, void 0, function () {
      var _a, id
      return __generator(this, (_b) => {
        switch (_b.label) {
          case 0:
            return [4 /*yield*/, editAll([{ kind: 'create', fields: fields }])]
          case 1:
            ;(_a = _b.sent()[0]), (id = _a === void 0 ? '' : _a)
            return [2 /*return*/, id]
        }
      })
    })
  return {
    create: create,
    editAll: editAll,
    change: (id, fields) =>
      __awaiter(void 0, void 0, void 0, function () {
        return __generator(this, (_a) => {
          switch (_a.label) {
            case 0:
              return [4 /*yield*/, editAll([{ kind: 'change', id: id, fields: fields }])]
            case 1:
              return [2 /*return*/, void _a.sent()]
          }
        })
      }),
    remove: (id) =>
      __awaiter(void 0, void 0, void 0, function () {
        return __generator(this, (_a) => {
          switch (_a.label) {
            case 0:
              return [4 /*yield*/, editAll([{ kind: 'remove', id: id }])]
            case 1:
              return [2 /*return*/, void _a.sent()]
          }
        })
      }),
    setTag: (name, change) =>
      __awaiter(void 0, void 0, void 0, function () {
        return __generator(this, (_a) => {
          switch (_a.label) {
            case 0:
              return [4 /*yield*/, editAll([{ kind: 'tag', name: name, change: change }])]
            case 1:
              return [2 /*return*/, void _a.sent()]
          }
        })
      }),
    listVersions: (id) =>
      __awaiter(void 0, void 0, void 0, function () {
        var _a, _b
        return __generator(this, (_c) => {
          switch (_c.label) {
            case 0:
              _a = versions_ts_1.listVersions
              _b = [store]
              return [4 /*yield*/, view.resolveId(id)]
            case 1:
              return [4 /*yield*/, _a.apply(void 0, _b.concat([_c.sent()]))]
            case 2:
              return [2 /*return*/, _c.sent()]
          }
        })
      }),
    restoreVersion: (id, name) =>
      __awaiter(void 0, void 0, void 0, function () {
        var known, _a, _b, version, restored, _c
        return __generator(this, (_d) => {
          switch (_d.label) {
            case 0:
              _a = versions_ts_1.listVersions
              _b = [store]
              return [4 /*yield*/, view.resolveId(id)]
            case 1:
              return [4 /*yield*/, _a.apply(void 0, _b.concat([_d.sent()]))]
            case 2:
              known = _d.sent()
              version = known.find((one) => one.name === name)
              if (version === undefined)
                throw new client_error_ts_1.ClientError(
                  'unknown_thing',
                  'there is no version '.concat(name, ' of ').concat(id),
                )
              return [
                4 /*yield*/,
                inTurn(() =>
                  __awaiter(void 0, void 0, void 0, function () {
                    var thing, batch, shown
                    return __generator(this, (_a) => {
                      switch (_a.label) {
                        case 0:
                          return [4 /*yield*/, view.findThing(id)]
                        case 1:
                          thing = _a.sent()
                          if (thing === undefined) return [2 /*return*/, undefined]
                          batch = toBatch(thing.id, { kind: 'change', fields: (0, versions_ts_1.toFields)(version) })
                          shown = (0, replica_records_ts_1.applyFields)(replica_records_ts_1.blankThing, thing)
                          return [
                            4 /*yield*/,
                            versions.keep(batch, thing.id, { why: 'restored', fields: version.fields }, shown),
                          ]
                        case 2:
                          _a.sent()
                          return [4 /*yield*/, pending.write(batch)]
                        case 3:
                          _a.sent()
                          return [2 /*return*/, thing.id]
                      }
                    })
                  }),
                ),
              ]
            case 3:
              restored = _d.sent()
              if (!(restored !== null && restored !== void 0)) return [3 /*break*/, 4]
              _c = restored
              return [3 /*break*/, 6]
            case 4:
              return [4 /*yield*/, create(version.content)]
            case 5:
              _c = _d.sent()
              _d.label = 6
            case 6:
              return [2 /*return*/, _c]
          }
        })
      }),
  }
}
exports.createReplicaEdits = createReplicaEdits
var withoutUndefined = (fields) =>
  Object.fromEntries(
    Object.entries(fields).filter((_a) => {
      var value = _a[1]
      return value !== undefined
    }),
  )
/** As servers of this project return a color (contract, sync 12); to any other server it says the same. */
var withLowerCase = (change) =>
  typeof change.color === 'string' ? __assign(__assign({}, change), { color: change.color.toLowerCase() }) : change
