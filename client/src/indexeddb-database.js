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
exports.deleteDatabase =
  exports.openDatabase =
  exports.packKeysTable =
  exports.packsTable =
  exports.entriesTable =
    void 0
var idb_1 = require('idb')
var client_error_ts_1 = require('./client-error.ts')
var indexeddb_errors_ts_1 = require('./indexeddb-errors.ts')
/** Entries that stand alone, by their keys. */
exports.entriesTable = 'entries'
/** The values of packs, as one JSON text each, by the number of the pack. */
exports.packsTable = 'packs'
/** The keys of packs, in the same way. */
exports.packKeysTable = 'packKeys'
var tables = [exports.entriesTable, exports.packsTable, exports.packKeysTable]
var requireIndexedDb = () => {
  try {
    if (globalThis.indexedDB) return
  } catch (error) {
    // Frames without an origin may not even ask.
    ;(0, indexeddb_errors_ts_1.throwWhileOpening)(error)
  }
  throw new client_error_ts_1.ClientError('store_forbidden', 'there is no IndexedDB here')
}
/** Does not wait for a tab that does not give way, and lets go of what comes too late. */
var settleUnlessBlocked = function (beginNow_1) {
  var args_1 = []
  for (var _i = 1; _i < arguments.length; _i++) {
    args_1[_i - 1] = arguments[_i]
  }
  return __awaiter(void 0, __spreadArray([beginNow_1], args_1, true), void 0, function (beginNow, letGo) {
    var block, blocked, work, first
    if (letGo === void 0) {
      letGo = () => undefined
    }
    return __generator(this, (_a) => {
      switch (_a.label) {
        case 0:
          block = () => {}
          blocked = new Promise((resolve) => {
            block = () => resolve('blocked')
          })
          work = (() =>
            __awaiter(void 0, void 0, void 0, function () {
              return __generator(this, (_a) => {
                switch (_a.label) {
                  case 0:
                    return [4 /*yield*/, beginNow(block)]
                  case 1:
                    return [2 /*return*/, _a.sent()]
                }
              })
            }))()
          return [
            4 /*yield*/,
            Promise.race([work.then((value) => ({ value: value })), blocked]).catch(
              indexeddb_errors_ts_1.throwWhileOpening,
            ),
          ]
        case 1:
          first = _a.sent()
          if (first !== 'blocked')
            return [
              2 /*return*/,
              first.value,
              // Nobody waits for it any more, whatever becomes of it.
            ]
          // Nobody waits for it any more, whatever becomes of it.
          work.then(letGo, () => undefined)
          throw (0, indexeddb_errors_ts_1.storeBlocked)()
      }
    })
  })
}
/** Opens a database in this version; `onLost` is called when another tab or the browser takes it away. */
var openDatabase = (name, version, onLost) =>
  __awaiter(void 0, void 0, void 0, function () {
    var begin
    return __generator(this, (_a) => {
      switch (_a.label) {
        case 0:
          requireIndexedDb()
          begin = (blocked) =>
            (0, idb_1.openDB)(name, version, {
              upgrade: (database) => {
                for (var _i = 0, tables_1 = tables; _i < tables_1.length; _i++) {
                  var name_1 = tables_1[_i]
                  database.createObjectStore(name_1)
                }
              },
              blocked: blocked,
              blocking: (_current, _blocked, event) => {
                onLost()
                if (event.target instanceof IDBDatabase) event.target.close()
              },
              terminated: onLost,
            })
          return [4 /*yield*/, settleUnlessBlocked(begin, (late) => late.close())]
        case 1:
          return [2 /*return*/, _a.sent()]
      }
    })
  })
exports.openDatabase = openDatabase
/** Deletes a database; one that is not there is fine. */
var deleteDatabase = (name) =>
  __awaiter(void 0, void 0, void 0, function () {
    return __generator(this, (_a) => {
      switch (_a.label) {
        case 0:
          requireIndexedDb()
          return [4 /*yield*/, settleUnlessBlocked((blocked) => (0, idb_1.deleteDB)(name, { blocked: blocked }))]
        case 1:
          _a.sent()
          return [2 /*return*/]
      }
    })
  })
exports.deleteDatabase = deleteDatabase
