/** The pair of tokens of one session (interface 5.2). Whoever has it acts as the user: keep it as you keep a password. */
export interface Tokens {
  readonly accessToken: string
  readonly requestToken: string
  /** Names the session on this device: another one after each sign-in, the same after a refresh. */
  readonly session: string
  /** When the access token ends by this device's clock, in milliseconds since 1970. */
  readonly expiresAt: number
}

/** Where the tokens are kept; username and password never are. One storage belongs to one session. */
export interface TokenStorage {
  /** The tokens that were written last; undefined when there are none. Asked before every request. */
  readonly read: () => Promise<Tokens | undefined>
  /** Resolves when both tokens are safe; only then is the new access token used. */
  readonly write: (tokens: Tokens) => Promise<void>
  readonly clear: () => Promise<void>
  /**
   * Runs the work while nobody else who shares this storage runs theirs. Needed only where several clients share one
   * storage, as tabs of a browser do: `async (work) => await navigator.locks.request('thingsync tokens', work)`.
   */
  readonly lock?: <T>(work: () => Promise<T>) => Promise<T>
}

/** A storage that forgets the tokens when the program ends. */
export const createMemoryTokenStorage = (): TokenStorage => {
  let kept: Tokens | undefined
  return {
    read: async () => kept,
    write: async (tokens) => {
      kept = tokens
    },
    clear: async () => {
      kept = undefined
    },
  }
}
