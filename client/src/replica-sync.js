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
exports.createReplicaSync = void 0
var confirm_upload_ts_1 = require('./confirm-upload.ts')
var find_lost_things_ts_1 = require('./find-lost-things.ts')
var fold_answer_ts_1 = require('./fold-answer.ts')
var list_everything_ts_1 = require('./list-everything.ts')
var lost_edits_ts_1 = require('./lost-edits.ts')
var pending_edits_ts_1 = require('./pending-edits.ts')
var random_id_ts_1 = require('./random-id.ts')
var refused_edits_ts_1 = require('./refused-edits.ts')
var replica_records_ts_1 = require('./replica-records.ts')
var upload_batch_ts_1 = require('./upload-batch.ts')
var versions_ts_1 = require('./versions.ts')
// Percent-encoded in a form this is 2 MB at most, which servers take.
var charactersPerBatch = 256000
/** The sync of a replica; never run twice at the same time. */
var createReplicaSync = (context) => {
  var client = context.client,
    store = context.store,
    pending = context.pending,
    view = context.view,
    inTurn = context.inTurn,
    recognisesRetries = context.recognisesRetries,
    batchSize = context.batchSize,
    entriesPerWrite = context.entriesPerWrite,
    versions = context.versions
  var readState = () =>
    __awaiter(void 0, void 0, void 0, function () {
      var _a
      return __generator(this, (_b) => {
        switch (_b.label) {
          case 0:
            return [4 /*yield*/, store.get(replica_records_ts_1.keys.state)]
          case 1:
            return [2 /*return*/, (_a = _b.sent()) !== null && _a !== void 0 ? _a : replica_records_ts_1.initialState]
        }
      })
    })
  var countSending = () => pending.sending.things.size + pending.sending.tags.size
  var findKnown = (id) =>
    __awaiter(void 0, void 0, void 0, function () {
      return __generator(this, (_a) => {
        switch (_a.label) {
          case 0:
            return [4 /*yield*/, store.get(replica_records_ts_1.keys.thing(id))]
          case 1:
            return [2 /*return*/, _a.sent()]
        }
      })
    })
  var target = { store: store, pending: pending, inTurn: inTurn, entriesPerWrite: entriesPerWrite, versions: versions }
  var listAll = (options) =>
    (0, list_everything_ts_1.listEverything)(
      {
        client: client,
        target: target,
        readState: readState,
        pageSize: context.pageSize,
        raisesPositions: recognisesRetries,
      },
      options,
    )
  /** Sends what is `sending`, if anything, and lists what changed. */
  var exchange = (options) =>
    __awaiter(void 0, void 0, void 0, function () {
      var state, events, how, answer, sent
      return __generator(this, (_a) => {
        switch (_a.label) {
          case 0:
            return [4 /*yield*/, readState()]
          case 1:
            state = _a.sent()
            events = client.streamSyncParts(
              __assign({ from: state.position }, (0, upload_batch_ts_1.toUpload)(pending)),
              options,
            )
            how = {
              name: (0, random_id_ts_1.createRandomId)(),
              isBlank: (0, fold_answer_ts_1.isBlankState)(state),
              toState: () => (0, fold_answer_ts_1.isAheadOf)(state),
            }
            return [
              4 /*yield*/,
              (0, fold_answer_ts_1.foldAnswer)(events, __assign(__assign({}, target), { state: state }), how),
            ]
          case 2:
            answer = _a.sent()
            return [
              4 /*yield*/,
              inTurn(() =>
                __awaiter(void 0, void 0, void 0, function () {
                  var count, batch, _a
                  return __generator(this, (_b) => {
                    switch (_b.label) {
                      case 0:
                        count = countSending()
                        return [
                          4 /*yield*/,
                          (0, confirm_upload_ts_1.confirmAnswer)(
                            __assign(__assign({}, target), { state: state }),
                            answer,
                            recognisesRetries,
                          ),
                        ]
                      case 1:
                        batch = _b.sent()
                        _a = count
                        return [4 /*yield*/, (0, lost_edits_ts_1.writeKeepingLost)(target, batch)]
                      case 2:
                        return [2 /*return*/, _a - _b.sent()]
                    }
                  })
                }),
              ),
            ]
          case 3:
            sent = _a.sent()
            return [2 /*return*/, { listed: answer.listed, sent: sent }]
        }
      })
    })
  /** Prepares what was perhaps sent before to be sent again. */
  var prepareRetry = (options) =>
    __awaiter(void 0, void 0, void 0, function () {
      var state, session, hasNew, _a, _b, _c, _d, _e
      return __generator(this, (_f) => {
        switch (_f.label) {
          case 0:
            return [4 /*yield*/, readState()]
          case 1:
            state = _f.sent()
            return [4 /*yield*/, client.findSession()]
          case 2:
            session = _f.sent()
            if (recognisesRetries && session === state.sentIn) return [2 /*return*/]
            hasNew = __spreadArray([], pending.sending.things.values(), true).some((_a) => {
              var kind = _a.kind
              return kind === 'new'
            })
            if (!hasNew) return [3 /*break*/, 4]
            return [
              4 /*yield*/,
              (0, find_lost_things_ts_1.findLostThings)(
                client.streamSyncParts({ from: state.position }, options),
                __assign(__assign({}, target), { state: state }),
              ),
            ]
          case 3:
            _f.sent()
            _f.label = 4
          case 4:
            if (session === undefined) return [2 /*return*/]
            _b = (_a = pending).write
            _c = Map.bind
            _d = [replica_records_ts_1.keys.state]
            _e = [{}]
            return [4 /*yield*/, readState()]
          case 5:
            return [
              4 /*yield*/,
              _b.apply(_a, [
                new (_c.apply(Map, [
                  void 0,
                  [
                    _d.concat([
                      __assign.apply(void 0, [__assign.apply(void 0, _e.concat([_f.sent()])), { sentIn: session }]),
                    ]),
                  ],
                ]))(),
              ]),
            ]
          case 6:
            _f.sent()
            return [2 /*return*/]
        }
      })
    })
  var isTidied = false
  var forgetOld = () =>
    __awaiter(void 0, void 0, void 0, function () {
      var batch
      return __generator(this, (_a) => {
        switch (_a.label) {
          case 0:
            if (isTidied) return [2 /*return*/]
            return [4 /*yield*/, (0, versions_ts_1.forgetOldVersions)(store, context.now())]
          case 1:
            batch = _a.sent()
            if (!(batch.size > 0)) return [3 /*break*/, 3]
            return [4 /*yield*/, inTurn(() => pending.write(batch))]
          case 2:
            _a.sent()
            _a.label = 3
          case 3:
            isTidied = true
            return [2 /*return*/]
        }
      })
    })
  return function () {
    var args_1 = []
    for (var _i = 0; _i < arguments.length; _i++) {
      args_1[_i] = arguments[_i]
    }
    return __awaiter(void 0, __spreadArray([], args_1, true), void 0, function (_a) {
      var refused,
        edits,
        sent,
        listed,
        isListed,
        download,
        tellProgress,
        options,
        take,
        send,
        everything,
        position,
        lost
      var _b = _a === void 0 ? {} : _a,
        signal = _b.signal,
        onProgress = _b.onProgress
      return __generator(this, (_c) => {
        switch (_c.label) {
          case 0:
            refused = new Map()
            edits = batchSize
            sent = 0
            listed = 0
            isListed = false
            download = { listed: 0, thingCount: undefined, bytes: 0 }
            tellProgress = () =>
              onProgress === null || onProgress === void 0
                ? void 0
                : onProgress(
                    __assign(__assign({}, download), {
                      sent: sent,
                      toSend: sent + (0, pending_edits_ts_1.countPending)(pending),
                    }),
                  )
            options = {
              signal: signal,
              onProgress: (progress) => {
                download = progress
                tellProgress()
              },
            }
            take = () =>
              inTurn(() =>
                __awaiter(void 0, void 0, void 0, function () {
                  var limits, session, batch, _a, _b
                  return __generator(this, (_c) => {
                    switch (_c.label) {
                      case 0:
                        limits = { edits: edits, characters: charactersPerBatch, heldBack: new Set(refused.keys()) }
                        return [4 /*yield*/, client.findSession()]
                      case 1:
                        session = _c.sent()
                        _a = upload_batch_ts_1.takeBatch
                        _b = [pending]
                        return [4 /*yield*/, readState()]
                      case 2:
                        return [
                          4 /*yield*/,
                          _a.apply(
                            void 0,
                            _b.concat([_c.sent(), session, limits, { view: view, findKnown: findKnown }]),
                          ),
                        ]
                      case 3:
                        batch = _c.sent()
                        return [
                          4 /*yield*/,
                          (0, lost_edits_ts_1.writeKeepingLost)(
                            { store: store, pending: pending, versions: versions },
                            batch,
                          ),
                        ]
                      case 4:
                        _c.sent()
                        return [2 /*return*/]
                    }
                  })
                }),
              )
            send = () =>
              __awaiter(void 0, void 0, void 0, function () {
                var count, exchanged, error_1, _i, _a, one
                return __generator(this, (_b) => {
                  switch (_b.label) {
                    case 0:
                      count = countSending()
                      _b.label = 1
                    case 1:
                      _b.trys.push([1, 3, , 5])
                      return [4 /*yield*/, exchange(options)]
                    case 2:
                      exchanged = _b.sent()
                      listed += exchanged.listed
                      sent += exchanged.sent
                      tellProgress()
                      isListed = true
                      edits = Math.min(batchSize, edits * 2)
                      return [3 /*break*/, 5]
                    case 3:
                      error_1 = _b.sent()
                      if (!(0, refused_edits_ts_1.isRefusalOfEdits)(error_1) || count === 0) throw error_1
                      // A refused request was not carried out, and the first attempt of a repeated one was refused in the same way.
                      if (count === 1)
                        for (
                          _i = 0, _a = (0, refused_edits_ts_1.describeSending)(pending, error_1);
                          _i < _a.length;
                          _i++
                        ) {
                          one = _a[_i]
                          refused.set((0, replica_records_ts_1.editKey)('queued', one.kind, one.name), one)
                        }
                      edits = Math.max(1, Math.floor(count / 2))
                      return [4 /*yield*/, inTurn(() => pending.write((0, refused_edits_ts_1.putBack)(pending)))]
                    case 4:
                      _b.sent()
                      return [3 /*break*/, 5]
                    case 5:
                      return [2 /*return*/]
                  }
                })
              })
            tellProgress()
            return [4 /*yield*/, forgetOld()]
          case 1:
            _c.sent()
            if (!(countSending() > 0)) return [3 /*break*/, 4]
            return [4 /*yield*/, prepareRetry(options)]
          case 2:
            _c.sent()
            return [4 /*yield*/, send()]
          case 3:
            _c.sent()
            _c.label = 4
          case 4:
            if (!true) return [3 /*break*/, 12]
            return [4 /*yield*/, readState()]
          case 5:
            if (!_c.sent().mustListAll) return [3 /*break*/, 7]
            return [4 /*yield*/, listAll(options)]
          case 6:
            everything = _c.sent()
            listed += everything.listed
            // Pages are all of the position of the first one, which may be a while ago.
            isListed = everything.isOneAnswer
            _c.label = 7
          case 7:
            if (!(!isListed && hasChanges(pending.queued))) return [3 /*break*/, 9]
            return [4 /*yield*/, send()]
          case 8:
            _c.sent()
            _c.label = 9
          case 9:
            return [4 /*yield*/, take()]
          case 10:
            _c.sent()
            if (countSending() === 0 && isListed) return [3 /*break*/, 12]
            return [4 /*yield*/, send()]
          case 11:
            _c.sent()
            return [3 /*break*/, 4]
          case 12:
            return [4 /*yield*/, readState()]
          case 13:
            position = _c.sent().position
            return [4 /*yield*/, (0, lost_edits_ts_1.listLostEdits)(store)]
          case 14:
            lost = _c.sent()
            return [
              2 /*return*/,
              {
                position: position,
                sent: sent,
                listed: listed,
                refused: __spreadArray([], refused.values(), true),
                lost: lost,
                overwritten: versions.takeUntold(),
              },
            ]
        }
      })
    })
  }
}
exports.createReplicaSync = createReplicaSync
var hasChanges = (_a) => {
  var things = _a.things
  return __spreadArray([], things.values(), true).some((_a) => {
    var kind = _a.kind
    return kind === 'change'
  })
}
