Object.defineProperty(exports, '__esModule', { value: true })
exports.checkOptions = void 0
var checkFunction = (name, value) => {
  if (typeof value !== 'function')
    throw new TypeError(''.concat(name, ' must be a function, and is ').concat(String(value)))
}
/** Without it each call would say that there is no network, for ever. */
var checkBaseUrl = (baseUrl) => {
  if (typeof baseUrl === 'string') {
    if (/^https?:\/\/./i.test(baseUrl)) return
    // A page may name its own server by a path.
    if ('location' in globalThis && !/^[\w+.-]*:/.test(baseUrl)) return
  }
  var what = baseUrl instanceof URL ? 'a URL; give its href' : String(baseUrl)
  throw new TypeError('baseUrl must be an address as https://things.example/v1/, and is '.concat(what))
}
/**
 * What a program in JavaScript forgot is said at once: later it would look like a network that is away.
 * @throws TypeError that names the option
 */
var checkOptions = (options) => {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('createClient needs an object with baseUrl, clientId and tokens')
  }
  var baseUrl = options.baseUrl,
    clientId = options.clientId,
    clientSecret = options.clientSecret,
    tokens = options.tokens
  checkBaseUrl(baseUrl)
  if (typeof clientId !== 'string') {
    throw new TypeError('clientId must be the text that the registration of the application gave')
  }
  if (clientSecret !== undefined && typeof clientSecret !== 'string') {
    throw new TypeError('clientSecret must be text, or left out for a public application')
  }
  if (typeof tokens !== 'object' || tokens === null) {
    throw new TypeError('tokens must be a token storage, as createMemoryTokenStorage() makes one')
  }
  for (var _i = 0, _a = ['read', 'write', 'clear']; _i < _a.length; _i++) {
    var name_1 = _a[_i]
    checkFunction('tokens.'.concat(name_1), tokens[name_1])
  }
  for (var _b = 0, _c = ['fetch', 'authorization', 'now']; _b < _c.length; _b++) {
    var name_2 = _c[_b]
    if (options[name_2] !== undefined) checkFunction(name_2, options[name_2])
  }
}
exports.checkOptions = checkOptions
