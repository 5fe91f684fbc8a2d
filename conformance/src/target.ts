/** A user of the server under test. */
export interface Credentials {
  readonly username: string
  readonly password: string
}

/** A registered application. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** The server under test and what is needed to use it. */
export interface Target {
  /** Base address with the version segment, `https://host/v1/`; the last slash is optional. */
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** At least one; the second, when given, is the stranger of the isolation rules. */
  readonly users: readonly Credentials[]
  /** A second application, for rules that keep applications apart. */
  readonly otherClient?: ClientCredentials
  /**
   * Values of the `Authorization` header to try, with `{token}`; absent or empty: the usual ones (interface 5.3 leaves
   * it open).
   */
  readonly authHeaders?: readonly string[]
  /** Longest silence of the server within one exchange, in milliseconds; default 10,000. */
  readonly timeoutMs?: number
  /** Most connections at the same time, for servers that answer one after the other; default: no limit. */
  readonly connections?: number
  /** Longest waiting for one exchange that is throttled (429, or 503 with Retry-After), in milliseconds; default 120,000. */
  readonly throttleMs?: number
}
