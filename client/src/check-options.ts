import type { Send } from './create-api.ts'
import type { RetryOptions } from './retry.ts'
import type { TokenStorage } from './tokens.ts'

/** Which server, which application, and where the tokens are kept. */
export interface ClientOptions {
  /** The base address with the version segment, as `https://things.example/v1/`. */
  readonly baseUrl: string
  /** From the registration of the application (interface 1). */
  readonly clientId: string
  /** Left out for a public application, which signs people in by the web flow only. */
  readonly clientSecret?: string
  readonly tokens: TokenStorage
  /** Carries out requests; the global fetch by default. Put time-outs and proxies here, and give fetch the `init`, too. */
  readonly fetch?: Send
  /** The header value for an access token; `Bearer <token>` by default (interface 5.3 leaves it open). */
  readonly authorization?: (token: string) => string
  /** The time in milliseconds since 1970; the device's clock by default. */
  readonly now?: () => number
  /**
   * Sends what may safely be sent twice again when it failed for the moment; `{}` for the defaults. Left out, each call
   * fails at once, as a program wants that tries again by itself (`replica.live` does).
   */
  readonly retry?: RetryOptions
}

const checkFunction = (name: string, value: unknown): void => {
  if (typeof value !== 'function') throw new TypeError(`${name} must be a function, and is ${String(value)}`)
}

/** Without it each call would say that there is no network, for ever. */
const checkBaseUrl = (baseUrl: unknown): void => {
  if (typeof baseUrl === 'string') {
    if (/^https?:\/\/./i.test(baseUrl)) return
    // A page may name its own server by a path.
    if ('location' in globalThis && !/^[\w+.-]*:/.test(baseUrl)) return
  }
  const what = baseUrl instanceof URL ? 'a URL; give its href' : String(baseUrl)
  throw new TypeError(`baseUrl must be an address as https://things.example/v1/, and is ${what}`)
}

/**
 * What a program in JavaScript forgot is said at once: later it would look like a network that is away.
 * @throws TypeError that names the option
 */
export const checkOptions = (options: ClientOptions): void => {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('createClient needs an object with baseUrl, clientId and tokens')
  }
  const { baseUrl, clientId, clientSecret, tokens } = options
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
  for (const name of ['read', 'write', 'clear'] as const) checkFunction(`tokens.${name}`, tokens[name])
  for (const name of ['fetch', 'authorization', 'now'] as const) {
    if (options[name] !== undefined) checkFunction(name, options[name])
  }
}
