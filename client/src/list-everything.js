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
exports.listEverything = void 0
var confirm_upload_ts_1 = require('./confirm-upload.ts')
var fold_answer_ts_1 = require('./fold-answer.ts')
var gone_back_ts_1 = require('./gone-back.ts')
var lost_edits_ts_1 = require('./lost-edits.ts')
var random_id_ts_1 = require('./random-id.ts')
var replica_records_ts_1 = require('./replica-records.ts')
/** How often pages that do not fit together are begun again, before everything is asked for in one answer. */
var mostBegun = 3
/**
 * Takes over all things of the account (interface 4.3, rule 1), in pages, and notes with what it writes how far it has
 * come: a listing that was cut off goes on there. All pages have the position of the first one (contract, sync 6); where
 * the server cannot go on, everything is listed from the beginning. What waits to be sent is never touched.
 */
var listEverything = (_a, options_1) =>
  __awaiter(void 0, [_a, options_1], void 0, function (_b, options) {
    var told, bytes, bytesOfPage, addUp, confirm, write, listPages, tries, isNew, _c, _d, _e, state, how, answer
    var client = _b.client,
      target = _b.target,
      readState = _b.readState,
      pageSize = _b.pageSize,
      raisesPositions = _b.raisesPositions
    return __generator(this, (_f) => {
      switch (_f.label) {
        case 0:
          told = 0
          bytes = 0
          bytesOfPage = 0
          addUp = (before) =>
            __assign(__assign({}, options), {
              onProgress: (page) => {
                var _a
                bytesOfPage = page.bytes
                ;(_a = options.onProgress) === null || _a === void 0
                  ? void 0
                  : _a.call(
                      options,
                      __assign(__assign({}, page), { listed: before + page.listed, bytes: bytes + page.bytes }),
                    )
              },
            })
          confirm = (answer, state, how) =>
            target.inTurn(() =>
              __awaiter(void 0, void 0, void 0, function () {
                var batch, areLastCopies
                return __generator(this, (_a) => {
                  switch (_a.label) {
                    case 0:
                      return [
                        4 /*yield*/,
                        (0, confirm_upload_ts_1.confirmFullListing)(
                          __assign(__assign({}, target), { state: state }),
                          answer,
                          how,
                        ),
                      ]
                    case 1:
                      batch = _a.sent()
                      areLastCopies =
                        state.hasLastCopies === true || (0, gone_back_ts_1.hasGoneBack)(state, answer, raisesPositions)
                      return [4 /*yield*/, (0, lost_edits_ts_1.writeKeepingLost)(target, batch, areLastCopies)]
                    case 2:
                      _a.sent()
                      return [2 /*return*/]
                  }
                })
              }),
            )
          write = (batch, state) =>
            target.inTurn(() =>
              (0, lost_edits_ts_1.writeKeepingLost)(target, batch.set(replica_records_ts_1.keys.state, state)),
            )
          listPages = () =>
            __awaiter(void 0, void 0, void 0, function () {
              var begun, tags, listing, _a, _b, _loop_1, state_1
              var _c
              return __generator(this, (_d) => {
                switch (_d.label) {
                  case 0:
                    return [4 /*yield*/, readState()]
                  case 1:
                    begun = _d.sent().listing
                    tags = new Map()
                    if (!(begun !== null && begun !== void 0)) return [3 /*break*/, 2]
                    _a = begun
                    return [3 /*break*/, 4]
                  case 2:
                    _c = {
                      name: (0, random_id_ts_1.createRandomId)(),
                      position: undefined,
                      listed: 0,
                    }
                    _b = fold_answer_ts_1.isBlankState
                    return [4 /*yield*/, readState()]
                  case 3:
                    _a = ((_c.isBlank = _b.apply(void 0, [_d.sent()])), _c)
                    _d.label = 4
                  case 4:
                    listing = _a
                    _loop_1 = function () {
                      var state_2,
                        name_1,
                        isBlank,
                        skip,
                        toState,
                        query,
                        events,
                        isWanted,
                        page,
                        _i,
                        _e,
                        _f,
                        tag,
                        settings,
                        saysTags
                      return __generator(this, (_g) => {
                        switch (_g.label) {
                          case 0:
                            return [4 /*yield*/, readState()]
                          case 1:
                            state_2 = _g.sent()
                            ;(name_1 = listing.name), (isBlank = listing.isBlank), (skip = listing.listed)
                            toState = (listed, position) => {
                              if (position === void 0) {
                                position = listing.position
                              }
                              var ahead = (0, fold_answer_ts_1.isAheadOf)(state_2)
                              return position === undefined
                                ? ahead
                                : __assign(__assign({}, ahead), {
                                    listing: {
                                      name: name_1,
                                      isBlank: isBlank,
                                      position: position,
                                      listed: skip + listed,
                                    },
                                  })
                            }
                            query = skip === 0 ? { limit: pageSize } : { skip: skip, limit: pageSize }
                            events = client.streamSyncParts(query, addUp(skip))
                            isWanted = (position) => listing.position === undefined || position === listing.position
                            return [
                              4 /*yield*/,
                              (0, fold_answer_ts_1.foldAnswer)(
                                events,
                                __assign(__assign({}, target), { state: state_2 }),
                                { name: name_1, isBlank: isBlank, isWanted: isWanted, toState: toState },
                              ),
                            ]
                          case 2:
                            page = _g.sent()
                            if (!page.isWanted) return [2 /*return*/, { value: false }]
                            told += page.listed
                            bytes += bytesOfPage
                            for (_i = 0, _e = page.tags; _i < _e.length; _i++) {
                              ;(_f = _e[_i]), (tag = _f[0]), (settings = _f[1])
                              tags.set(tag, settings)
                            }
                            listing = __assign(__assign({}, listing), {
                              position: page.position,
                              listed: skip + page.listed,
                            })
                            if (!(listing.listed >= page.thingCount)) return [3 /*break*/, 4]
                            saysTags = begun === undefined || tags.size > 0
                            return [
                              4 /*yield*/,
                              confirm(__assign(__assign({}, page), { tags: tags }), state_2, {
                                isBlank: isBlank,
                                saysTags: saysTags,
                              }),
                            ]
                          case 3:
                            _g.sent()
                            return [2 /*return*/, { value: true }]
                          case 4:
                            if (page.listed === 0) return [2 /*return*/, { value: false }]
                            return [
                              4 /*yield*/,
                              write(
                                skip === 0 ? withTags(page.batch, page.tags) : page.batch,
                                toState(page.listed, page.position),
                              ),
                            ]
                          case 5:
                            _g.sent()
                            return [2 /*return*/]
                        }
                      })
                    }
                    _d.label = 5
                  case 5:
                    if (!true) return [3 /*break*/, 7]
                    return [5 /*yield**/, _loop_1()]
                  case 6:
                    state_1 = _d.sent()
                    if (typeof state_1 === 'object') return [2 /*return*/, state_1.value]
                    return [3 /*break*/, 5]
                  case 7:
                    return [2 /*return*/]
                }
              })
            })
          tries = 0
          _f.label = 1
        case 1:
          if (!(tries < mostBegun)) return [3 /*break*/, 7]
          return [4 /*yield*/, readState()]
        case 2:
          isNew = _f.sent().listing === undefined
          return [4 /*yield*/, listPages()]
        case 3:
          if (_f.sent())
            return [
              2 /*return*/,
              { listed: told, isOneAnswer: isNew && told <= pageSize },
              // It begins anew, on top of what it has already.
            ]
          _c = write
          _d = [new Map()]
          _e = fold_answer_ts_1.isAheadOf
          return [4 /*yield*/, readState()]
        case 4:
          // It begins anew, on top of what it has already.
          return [4 /*yield*/, _c.apply(void 0, _d.concat([_e.apply(void 0, [_f.sent()])]))]
        case 5:
          // It begins anew, on top of what it has already.
          _f.sent()
          _f.label = 6
        case 6:
          tries++
          return [3 /*break*/, 1]
        case 7:
          return [4 /*yield*/, readState()]
        case 8:
          state = _f.sent()
          how = {
            name: (0, random_id_ts_1.createRandomId)(),
            isBlank: false,
            toState: () => (0, fold_answer_ts_1.isAheadOf)(state),
          }
          return [
            4 /*yield*/,
            (0, fold_answer_ts_1.foldAnswer)(
              client.streamSyncParts({}, options),
              __assign(__assign({}, target), { state: state }),
              how,
            ),
          ]
        case 9:
          answer = _f.sent()
          return [4 /*yield*/, confirm(answer, state, { isBlank: false, saysTags: true })]
        case 10:
          _f.sent()
          return [2 /*return*/, { listed: told + answer.listed, isOneAnswer: true }]
      }
    })
  })
exports.listEverything = listEverything
/** Settings of tags are shown as soon as the first things are. */
var withTags = (batch, tags) => {
  for (var _i = 0, tags_1 = tags; _i < tags_1.length; _i++) {
    var _a = tags_1[_i],
      name_2 = _a[0],
      settings = _a[1]
    batch.set(replica_records_ts_1.keys.tag(name_2), settings)
  }
  return batch
}
