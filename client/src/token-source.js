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
exports.createTokenSource = void 0
var client_error_ts_1 = require('./client-error.ts')
var random_id_ts_1 = require('./random-id.ts')
// An access token that ends while its request is on the way costs one more request.
var spareMilliseconds = 10000
// All calls wait for one refresh; on a connection that has died unnoticed they would do so for many minutes.
var timeoutMilliseconds = 60000
/** A token source that takes up the session that the storage knows. */
var createTokenSource = (_a) => {
  var _b
  var api = _a.api,
    clientId = _a.clientId,
    clientSecret = _a.clientSecret,
    tokens = _a.tokens,
    now = _a.now
  var lock = (_b = tokens.lock) !== null && _b !== void 0 ? _b : (work) => work()
  var application = __assign({ client_id: clientId }, clientSecret === undefined ? {} : { client_secret: clientSecret })
  var refreshing
  var grant = (form, session) =>
    __awaiter(void 0, void 0, void 0, function () {
      var askedAt, body, signal, _a, data, error, response, pair, expiresAt
      return __generator(this, (_b) => {
        switch (_b.label) {
          case 0:
            askedAt = now()
            body = __assign(__assign({}, form), application)
            signal = AbortSignal.timeout(timeoutMilliseconds)
            return [
              4 /*yield*/,
              api
                .POST('/token', { body: body, parseAs: 'text', signal: signal })
                .catch(client_error_ts_1.throwAsNetwork),
            ]
          case 1:
            ;(_a = _b.sent()), (data = _a.data), (error = _a.error), (response = _a.response)
            if (!response.ok) throw (0, client_error_ts_1.refusalOf)(response, error)
            pair = readPair(data !== null && data !== void 0 ? data : '')
            expiresAt = askedAt + pair.expires_in * 1000
            // Before its first use, so that a crash never leaves us with a pair that the server has retired.
            return [
              4 /*yield*/,
              tokens.write({
                accessToken: pair.access_token,
                requestToken: pair.request_token,
                session: session,
                expiresAt: expiresAt,
              }),
            ]
          case 2:
            // Before its first use, so that a crash never leaves us with a pair that the server has retired.
            _b.sent()
            return [2 /*return*/, pair.access_token]
        }
      })
    })
  var isUsable = (_a, refused) => {
    var accessToken = _a.accessToken,
      expiresAt = _a.expiresAt
    return accessToken !== refused && now() < expiresAt - spareMilliseconds
  }
  var refresh = (refused) =>
    lock(() =>
      __awaiter(void 0, void 0, void 0, function () {
        var known, error_1
        var _a
        return __generator(this, (_b) => {
          switch (_b.label) {
            case 0:
              return [4 /*yield*/, readTokens()]
            case 1:
              known = _b.sent()
              if (isUsable(known, refused)) return [2 /*return*/, known.accessToken]
              _b.label = 2
            case 2:
              _b.trys.push([2, 4, , 8])
              return [
                4 /*yield*/,
                grant({ grant_type: 'refresh_token', refresh_token: known.requestToken }, known.session),
              ]
            case 3:
              return [2 /*return*/, _b.sent()]
            case 4:
              error_1 = _b.sent()
              if (!(0, client_error_ts_1.isClientError)(error_1, 'refused') || error_1.error !== 'invalid_grant')
                throw error_1
              return [4 /*yield*/, tokens.read()]
            case 5:
              if (!(((_a = _b.sent()) === null || _a === void 0 ? void 0 : _a.requestToken) === known.requestToken))
                return [3 /*break*/, 7]
              return [4 /*yield*/, tokens.clear()]
            case 6:
              _b.sent()
              _b.label = 7
            case 7:
              throw new client_error_ts_1.ClientError('signed_out', 'the session has ended; sign in again', {
                cause: error_1,
              })
            case 8:
              return [2 /*return*/]
          }
        })
      }),
    )
  var readTokens = () =>
    __awaiter(void 0, void 0, void 0, function () {
      var known
      return __generator(this, (_a) => {
        switch (_a.label) {
          case 0:
            return [4 /*yield*/, tokens.read()]
          case 1:
            known = _a.sent()
            if (known === undefined)
              throw new client_error_ts_1.ClientError('signed_out', 'there are no tokens; sign in first')
            return [2 /*return*/, known]
        }
      })
    })
  var revoke = (token) =>
    __awaiter(void 0, void 0, void 0, function () {
      var body, error_2
      return __generator(this, (_a) => {
        switch (_a.label) {
          case 0:
            body = __assign({ token: token }, application)
            _a.label = 1
          case 1:
            _a.trys.push([1, 3, , 4])
            return [
              4 /*yield*/,
              api.POST('/revoke', { body: body, parseAs: 'text' }).catch(client_error_ts_1.throwAsNetwork),
            ]
          case 2:
            return [2 /*return*/, _a.sent().response.ok]
          case 3:
            error_2 = _a.sent()
            if ((0, client_error_ts_1.isClientError)(error_2, 'network')) return [2 /*return*/, false]
            throw error_2
          case 4:
            return [2 /*return*/]
        }
      })
    })
  return {
    signIn: (username, password) =>
      __awaiter(void 0, void 0, void 0, function () {
        return __generator(this, (_a) => {
          switch (_a.label) {
            case 0:
              return [
                4 /*yield*/,
                lock(() =>
                  grant(
                    { grant_type: 'password', username: username, password: password },
                    (0, random_id_ts_1.createRandomId)(),
                  ),
                ),
              ]
            case 1:
              _a.sent()
              return [2 /*return*/]
          }
        })
      }),
    signInByCode: (_a) =>
      __awaiter(void 0, [_a], void 0, function (_b) {
        var form
        var code = _b.code,
          redirectUri = _b.redirectUri,
          verifier = _b.verifier
        return __generator(this, (_c) => {
          switch (_c.label) {
            case 0:
              form = {
                grant_type: 'authorization_code',
                code: code,
                redirect_uri: redirectUri,
                code_verifier: verifier,
              }
              return [4 /*yield*/, lock(() => grant(form, (0, random_id_ts_1.createRandomId)()))]
            case 1:
              _c.sent()
              return [2 /*return*/]
          }
        })
      }),
    signOut: () =>
      __awaiter(void 0, void 0, void 0, function () {
        var known, _a
        return __generator(this, (_b) => {
          switch (_b.label) {
            case 0:
              return [4 /*yield*/, tokens.read()]
            case 1:
              known = _b.sent()
              return [4 /*yield*/, tokens.clear()]
            case 2:
              _b.sent()
              if (!(known === undefined)) return [3 /*break*/, 3]
              _a = false
              return [3 /*break*/, 5]
            case 3:
              return [4 /*yield*/, revoke(known.requestToken)]
            case 4:
              _a = _b.sent()
              _b.label = 5
            case 5:
              return [2 /*return*/, _a]
          }
        })
      }),
    findSession: () =>
      __awaiter(void 0, void 0, void 0, function () {
        var _a
        return __generator(this, (_b) => {
          switch (_b.label) {
            case 0:
              return [4 /*yield*/, tokens.read()]
            case 1:
              return [2 /*return*/, (_a = _b.sent()) === null || _a === void 0 ? void 0 : _a.session]
          }
        })
      }),
    getAccessToken: (refused) =>
      __awaiter(void 0, void 0, void 0, function () {
        var known
        return __generator(this, (_a) => {
          switch (_a.label) {
            case 0:
              return [4 /*yield*/, readTokens()]
            case 1:
              known = _a.sent()
              if (isUsable(known, refused)) return [2 /*return*/, known.accessToken]
              refreshing !== null && refreshing !== void 0
                ? refreshing
                : (refreshing = refresh(refused).finally(() => {
                    refreshing = undefined
                  }))
              return [2 /*return*/, refreshing]
          }
        })
      }),
  }
}
exports.createTokenSource = createTokenSource
var readPair = (text) => {
  var pair = parse(text)
  if (
    !(typeof pair === 'object' && pair !== null) ||
    !('access_token' in pair && typeof pair.access_token === 'string') ||
    !('request_token' in pair && typeof pair.request_token === 'string') ||
    !('expires_in' in pair && typeof pair.expires_in === 'number')
  ) {
    throw new client_error_ts_1.ClientError('unexpected_answer', 'the token endpoint answered no pair of tokens')
  }
  var access_token = pair.access_token,
    request_token = pair.request_token,
    expires_in = pair.expires_in
  return { access_token: access_token, request_token: request_token, expires_in: expires_in }
}
var parse = (text) => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
