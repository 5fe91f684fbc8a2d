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
exports.createReplica = void 0
var live_ts_1 = require('./live.ts')
var lost_edits_ts_1 = require('./lost-edits.ts')
var pending_edits_ts_1 = require('./pending-edits.ts')
var random_id_ts_1 = require('./random-id.ts')
var remember_writes_ts_1 = require('./remember-writes.ts')
var replica_changes_ts_1 = require('./replica-changes.ts')
var replica_edits_ts_1 = require('./replica-edits.ts')
var replica_newest_ts_1 = require('./replica-newest.ts')
var replica_records_ts_1 = require('./replica-records.ts')
var replica_sync_ts_1 = require('./replica-sync.ts')
var replica_view_ts_1 = require('./replica-view.ts')
var turns_ts_1 = require('./turns.ts')
var versions_ts_1 = require('./versions.ts')
/**
 * Takes up the replica that the store keeps; an empty store is one that has never synchronised.
 * @throws TypeError without a client or a store
 */
var createReplica = (options) =>
  __awaiter(void 0, void 0, void 0, function () {
    var _a,
      now,
      store,
      pending,
      view,
      inTurn,
      teller,
      versions,
      newest,
      writeAs,
      write,
      sync,
      syncInTurn,
      edits,
      syncNow
    return __generator(this, (_b) => {
      switch (_b.label) {
        case 0:
          if (!(options === null || options === void 0 ? void 0 : options.client) || !options.store)
            throw new TypeError('createReplica needs an object with client and store')
          ;(_a = options.now), (now = _a === void 0 ? Date.now : _a)
          store = (0, remember_writes_ts_1.rememberWrites)(options.store)
          return [4 /*yield*/, (0, pending_edits_ts_1.readPendingEdits)(store)]
        case 1:
          pending = _b.sent()
          view = (0, replica_view_ts_1.createReplicaView)(store, pending)
          inTurn = (0, turns_ts_1.createTurns)()
          teller = (0, replica_changes_ts_1.createChangeTeller)()
          versions = (0, versions_ts_1.createVersionKeeper)(store, now, random_id_ts_1.createRandomId)
          return [4 /*yield*/, (0, replica_newest_ts_1.openNewest)(store, inTurn)]
        case 2:
          newest = _b.sent()
          writeAs = (by) => (batch) =>
            __awaiter(void 0, void 0, void 0, function () {
              var confirmNewest
              return __generator(this, (_a) => {
                switch (_a.label) {
                  case 0:
                    confirmNewest = newest.follow(batch)
                    return [4 /*yield*/, pending.write(batch)]
                  case 1:
                    _a.sent()
                    confirmNewest()
                    versions.confirm(batch)
                    teller.tell(batch, by)
                    return [2 /*return*/]
                }
              })
            })
          write = writeAs('edit')
          sync = (0, replica_sync_ts_1.createReplicaSync)(
            __assign(
              __assign({ recognisesRetries: true, batchSize: 200, entriesPerWrite: 400, pageSize: 5000 }, options),
              {
                store: store,
                now: now,
                pending: __assign(__assign({}, pending), { write: writeAs('sync') }),
                view: view,
                inTurn: inTurn,
                versions: versions,
              },
            ),
          )
          syncInTurn = (0, turns_ts_1.createTurns)()
          edits = (0, replica_edits_ts_1.createReplicaEdits)({
            store: store,
            pending: __assign(__assign({}, pending), { write: write }),
            view: view,
            inTurn: inTurn,
            versions: versions,
            now: now,
          })
          syncNow = (syncOptions) => syncInTurn(() => sync(syncOptions))
          return [
            2 /*return*/,
            __assign(
              __assign(
                {
                  findThing: view.findThing,
                  findThings: view.findThings,
                  listNewest: (count) =>
                    (0, replica_newest_ts_1.listNewest)({ view: view, pending: pending, newest: newest }, count),
                  listThings: view.listThings,
                  listThingParts: view.listThingParts,
                  listTags: view.listTags,
                  resolveId: view.resolveId,
                },
                edits,
              ),
              {
                listOverwritten: () => (0, versions_ts_1.listOverwritten)(store),
                listLostEdits: () => (0, lost_edits_ts_1.listLostEdits)(store),
                forgetLostEdit: (id) =>
                  inTurn(() => store.write(new Map([[replica_records_ts_1.keys.lost(id), undefined]]))),
                countPending: () => (0, pending_edits_ts_1.countPending)(pending),
                sync: syncNow,
                watch: teller.watch,
                live: (liveOptions) =>
                  (0, live_ts_1.startLive)(
                    {
                      client: options.client,
                      sync: syncNow,
                      countPending: () => (0, pending_edits_ts_1.countPending)(pending),
                      watch: teller.watch,
                      settle: () =>
                        syncInTurn(() =>
                          __awaiter(void 0, void 0, void 0, function () {
                            return __generator(this, (_a) => [2 /*return*/, undefined])
                          }),
                        ),
                    },
                    liveOptions,
                  ),
              },
            ),
          ]
      }
    })
  })
exports.createReplica = createReplica
