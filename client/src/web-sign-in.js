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
exports.readWebSignInCode = exports.beginWebSignIn = void 0
var client_error_ts_1 = require('./client-error.ts')
var toBase64Url = (bytes) =>
  btoa(String.fromCharCode.apply(String, bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
var makeSecret = () => toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
/** The server of a base address: without the version segment. */
var serverOf = (baseUrl) => baseUrl.replace(/\/v1\/?$/, '')
/**
 * Begins a sign-in on the server's own page (interface 5, the web flow), so that the application sees no password: send the
 * person to `address`, and give what comes back to `finishWebSignIn` of a client. Needs Web Crypto, which browsers offer
 * over https and on `localhost` only.
 */
var beginWebSignIn = (_a) =>
  __awaiter(void 0, [_a], void 0, function (_b) {
    var _c, state, verifier, hash, query
    var baseUrl = _b.baseUrl,
      clientId = _b.clientId,
      redirectUri = _b.redirectUri
    return __generator(this, (_d) => {
      switch (_d.label) {
        case 0:
          ;(_c = [makeSecret(), makeSecret()]), (state = _c[0]), (verifier = _c[1])
          return [4 /*yield*/, crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))]
        case 1:
          hash = _d.sent()
          query = new URLSearchParams({
            response_type: 'code',
            client_id: clientId,
            redirect_uri: redirectUri,
            state: state,
            code_challenge: toBase64Url(new Uint8Array(hash)),
            code_challenge_method: 'S256',
          })
          return [
            2 /*return*/,
            {
              address: ''.concat(serverOf(baseUrl), '/authorize?').concat(query),
              redirectUri: redirectUri,
              state: state,
              verifier: verifier,
            },
          ]
      }
    })
  })
exports.beginWebSignIn = beginWebSignIn
/**
 * The code in the address that the browser came back to.
 * @throws ClientError `refused` with the server's `error` (`access_denied` when the person said no), `unexpected_answer` for
 * an address that is no answer to this sign-in
 */
var readWebSignInCode = (baseUrl, _a, arrivedAt) => {
  var _b
  var state = _a.state
  var searchParams = new URL(arrivedAt).searchParams
  var issuer = searchParams.get('iss')
  if (searchParams.get('state') !== state || (issuer !== null && issuer !== serverOf(baseUrl))) {
    throw new client_error_ts_1.ClientError('unexpected_answer', 'this is no answer to the sign-in that was begun')
  }
  var error = searchParams.get('error')
  if (error !== null) {
    var description = (_b = searchParams.get('error_description')) !== null && _b !== void 0 ? _b : ''
    throw new client_error_ts_1.ClientError('refused', ''.concat(error, ': ').concat(description), {
      error: error,
      description: description,
    })
  }
  var code = searchParams.get('code')
  if (code === null)
    throw new client_error_ts_1.ClientError('unexpected_answer', 'the answer to the sign-in has no code')
  return code
}
exports.readWebSignInCode = readWebSignInCode
