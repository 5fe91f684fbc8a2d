import type { ClientOptions } from './create-client.ts'

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
