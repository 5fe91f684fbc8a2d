import {
  beginSignIn,
  ClientError,
  createClient,
  createMemoryTokenStorage,
  type TokenStorage,
  type Tokens,
  type WebSignIn,
} from '../../client/src/index.ts'
import { type IndexedDbStore, openIndexedDbStore } from '../../client/src/indexeddb.ts'
import { createObservable, type Observable } from './observable.ts'

/** The location of the app, which is also the location of its server. */
export interface AppLocation {
  /** The URL of the app, with a final slash; also the redirect URI of the sign-in. */
  readonly home: string
  /** The base URL of the API. */
  readonly baseUrl: string
  /** The prefix of all names in the browser's storage: the same origin may serve another server at another path. */
  readonly storagePrefix: string
}

/** Returns the location of the app for the URL of its page. */
export const locateApp = (pageUrl: string): AppLocation => {
  const home = new URL('.', pageUrl)
  home.search = ''
  home.hash = ''
  return { home: home.href, baseUrl: new URL('v1/', home).href, storagePrefix: `thingsync ${home.pathname}` }
}

/** An account. After its deletion, another account may get the same name, but not the same creation time. */
export interface Account {
  readonly name: string
  /** The creation time of the account, in Unix seconds. */
  readonly since: number
}

/** A sign-in that has begun, and the relative URL of the view in which it began. */
interface StartedSignIn {
  readonly sent: WebSignIn
  readonly view: string
}

/** The stored session. */
interface StoredSession {
  readonly account: Account
  /** Absent after the session has ended; the local data of the account stays. */
  readonly tokens?: Tokens
}

/** The client ID of this app; every server that serves the app registers it. */
export const appId = 'thingsync-web'

const keys = { session: 'session', leaving: 'leaving', begun: (state: string) => `begun/${state}` }

/** Returns a name for the account that is unique in this browser. */
export const nameAccount = ({ name, since }: Account): string => `${since} ${name}`

/** The sign-in state of this browser, shared by all tabs. */
export interface SessionStore {
  readonly findAccount: () => Promise<Account | undefined>
  /** Returns the tokens of this account only, so that a tab never sends with the tokens of another account. */
  readonly tokensOf: (account: Account) => TokenStorage
  /**
   * Begins a sign-in and returns the URL of the sign-in page. `finish` returns `view` again.
   * @throws ClientError `network`; `not_offered` if the server has no sign-in page
   */
  readonly begin: (view: string) => Promise<string>
  /**
   * Finishes the sign-in to which this URL is the response; undefined if no such sign-in began in this browser.
   * @throws ClientError as `finishSignIn` does
   */
  readonly finish: (responseUrl: string) => Promise<{ readonly view: string } | undefined>
  /**
   * Signs in without a page, as the user who is signed in at the pages of the server in this browser. Returns false and
   * changes nothing when there is no such user, when the server must ask something, or when it cannot be reached. The
   * session of an account that was signed in before ends.
   * @throws ClientError as `finishSignIn` does
   */
  readonly signInSilently: () => Promise<boolean>
  /** Removes the account from the sign-in state; its data has stores of its own. */
  readonly forget: (account: Account) => Promise<void>
  /** Whether the browser's session with the server may outlive a sign-out; false after the next sign-in. */
  readonly isSignOutPending: () => Promise<boolean>
  readonly setSignOutPending: (isPending: boolean) => Promise<void>
  /** Whether the user signed out in this browser, and has not signed in since. */
  readonly hasSignedOut: () => Promise<boolean>
  readonly close: () => void
}

// The user must find a page, not an error of the browser or of a server that is too old.
const requireSignInPage = async (url: string): Promise<void> => {
  const response = await fetch(url, { credentials: 'omit', redirect: 'manual' }).catch((error: unknown) => {
    if (!(error instanceof TypeError)) throw error
    throw new ClientError('network', 'the server cannot be reached', { cause: error })
  })
  if (response.status === 404) throw new ClientError('not_offered', 'the server has no sign-in page')
}

// Users look at an empty page until the server has responded.
const silentSignInTimeoutMilliseconds = 5_000

/**
 * Sends an authorization request and returns the URL to which the server redirects it; undefined when the server shows a
 * page instead, or cannot be reached. Only a page of this origin can read that URL.
 */
const requestCode = async ({ address, redirectUri }: WebSignIn): Promise<string | undefined> => {
  const signal = AbortSignal.timeout(silentSignInTimeoutMilliseconds)
  try {
    const response = await fetch(address, { credentials: 'same-origin', cache: 'no-store', signal })
    await response.body?.cancel()
    return response.redirected && response.url.startsWith(`${redirectUri}?`) ? response.url : undefined
  } catch (error) {
    if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')) return undefined
    throw error
  }
}

/** Opens the sign-in state of this browser. @throws ClientError `store_forbidden` and others of `openIndexedDbStore` */
export const openSessionStore = async ({ storagePrefix, baseUrl, home }: AppLocation): Promise<SessionStore> => {
  const store: IndexedDbStore = await openIndexedDbStore(`${storagePrefix} session`)
  const read = async () => (await store.get(keys.session)) as StoredSession | undefined
  const put = (key: string, value: unknown) => store.write(new Map([[key, value]]))
  const lock: NonNullable<TokenStorage['lock']> = async (work) =>
    await navigator.locks.request(`${storagePrefix} tokens`, work)

  const readAccount = async (account: Account): Promise<StoredSession | undefined> => {
    const stored = await read()
    return stored !== undefined && nameAccount(stored.account) === nameAccount(account) ? stored : undefined
  }
  const tokensOf = (account: Account): TokenStorage => ({
    lock,
    read: async () => (await readAccount(account))?.tokens,
    write: async (tokens) => {
      // Another user may have signed in while the request for these tokens was running.
      if ((await readAccount(account)) !== undefined) await put(keys.session, { account, tokens })
    },
    clear: async () => {
      if ((await readAccount(account)) !== undefined) await put(keys.session, { account })
    },
  })
  // The tokens are stored only after the server has named their account.
  const signIn = async (sent: WebSignIn, responseUrl: string): Promise<StoredSession> => {
    const tokens = createMemoryTokenStorage()
    const client = createClient({ baseUrl, clientId: appId, tokens, retry: {} })
    await client.finishSignIn(sent, responseUrl)
    const { data } = await client.api.GET('/user/get')
    const pair = await tokens.read()
    if (data === undefined || pair === undefined) throw new Error('the server does not name the signed-in user')
    return { account: { name: data.username, since: data.date }, tokens: pair }
  }
  const endSession = async ({ tokens: pair }: StoredSession): Promise<void> => {
    const tokens = createMemoryTokenStorage()
    if (pair === undefined) return
    await tokens.write(pair)
    await createClient({ baseUrl, clientId: appId, tokens, retry: {} }).signOut()
  }
  const putSignedIn = (stored: StoredSession): Promise<void> =>
    store.write(
      new Map<string, unknown>([
        [keys.session, stored],
        [keys.leaving, undefined],
      ]),
    )

  return {
    findAccount: async () => (await read())?.account,
    tokensOf,
    begin: async (view) => {
      const sent = await beginSignIn({ baseUrl, clientId: appId, redirectUri: home })
      await requireSignInPage(sent.address)
      const older = []
      for await (const [key] of store.list(keys.begun(''))) older.push(key)
      // Of the abandoned sign-ins, the last few are enough.
      const begun: StartedSignIn = { sent, view }
      const forgotten = older.slice(0, -5).map((key) => [key, undefined] as const)
      await store.write(new Map<string, unknown>([...forgotten, [keys.begun(sent.state), begun]]))
      return sent.address
    },
    finish: async (responseUrl) => {
      const state = new URL(responseUrl).searchParams.get('state')
      const begun = state === null ? undefined : ((await store.get(keys.begun(state))) as StartedSignIn | undefined)
      if (begun === undefined) return undefined
      // An authorization code works once, even if this attempt fails.
      await put(keys.begun(begun.sent.state), undefined)
      await putSignedIn(await signIn(begun.sent, responseUrl))
      return { view: begun.view }
    },
    signInSilently: async () => {
      const sent = await beginSignIn({ baseUrl, clientId: appId, redirectUri: home })
      const responseUrl = await requestCode(sent)
      if (responseUrl === undefined) return false
      const stored = await signIn(sent, responseUrl)
      const before = await read()
      await putSignedIn(stored)
      if (before !== undefined) await endSession(before)
      return true
    },
    forget: async (account) => {
      if ((await readAccount(account)) !== undefined) await put(keys.session, undefined)
    },
    isSignOutPending: async () => (await store.get(keys.leaving)) === true,
    setSignOutPending: (isPending) => put(keys.leaving, isPending),
    hasSignedOut: async () => (await store.get(keys.leaving)) !== undefined,
    close: store.close,
  }
}

/** Ends the browser's session with the pages of the server, which would otherwise sign in without a password. */
export interface BrowserSignOut {
  /** Whether the sign-out is pending because the server was unreachable. */
  readonly isPending: Observable<boolean>
  /** Stores that the sign-out is pending, so that it survives closing this page. */
  readonly markPending: () => Promise<void>
  /** Signs out at the server if that is pending. */
  readonly attempt: () => Promise<void>
  /** Signs out before another sign-in. @throws ClientError `network` if the previous user may still be signed in */
  readonly requireDone: () => Promise<void>
}

// Users do not wait longer for a sign-out.
const signOutTimeoutMilliseconds = 10_000

type Outcome = 'ended' | 'unreachable' | 'rejected'

// The browser marks the request as same-origin (`Sec-Fetch-Site`), which no other site can forge.
const endBrowserSession = async (home: string): Promise<Outcome> => {
  const signal = AbortSignal.timeout(signOutTimeoutMilliseconds)
  const init: RequestInit = { method: 'POST', body: new URLSearchParams(), redirect: 'manual', signal }
  try {
    const response = await fetch(new URL('sign-out', home), init)
    if (response.status >= 500) return 'unreachable'
    return response.type === 'opaqueredirect' || response.status === 303 ? 'ended' : 'rejected'
  } catch (error) {
    if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError'))
      return 'unreachable'
    throw error
  }
}

/** Opens the sign-out at the server, with its stored state. */
export const openBrowserSignOut = async (session: SessionStore, home: string): Promise<BrowserSignOut> => {
  const isPending = createObservable(await session.isSignOutPending())
  const end = async (): Promise<Outcome> => {
    // Another tab may have signed out already.
    const outcome = (await session.isSignOutPending()) ? await endBrowserSession(home) : 'ended'
    if (outcome === 'ended') {
      await session.setSignOutPending(false)
      isPending.set(false)
    }
    return outcome
  }
  return {
    isPending,
    markPending: async () => {
      await session.setSignOutPending(true)
      isPending.set(true)
    },
    attempt: async () => void (await end()),
    requireDone: async () => {
      if ((await end()) === 'unreachable') throw new ClientError('network', 'the server cannot be reached')
    },
  }
}
