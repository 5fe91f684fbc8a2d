import {
  beginWebSignIn,
  ClientError,
  createClient,
  createMemoryTokenStorage,
  type TokenStorage,
  type Tokens,
  type WebSignIn,
} from '../../client/src/index.ts'
import { type IndexedDbStore, openIndexedDbStore } from '../../client/src/indexeddb.ts'
import { createObservable, type Observable } from './observable.ts'

/** Where the app was loaded from, which is where its server is. */
export interface AppLocation {
  /** The address of the app; ends in a slash. People come back to it from the sign-in. */
  readonly home: string
  /** The base address of the API. */
  readonly baseUrl: string
  /** Begins the names of all that this browser keeps: another server may stand at the same origin, at another path. */
  readonly family: string
}

/** The place of the app whose page has this address. */
export const locateApp = (address: string): AppLocation => {
  const home = new URL('.', address)
  home.search = ''
  home.hash = ''
  return { home: home.href, baseUrl: new URL('v1/', home).href, family: `thingsync ${home.pathname}` }
}

/** Whose things these are. A name may be given to somebody else once its account is gone, but not of the same second. */
export interface Account {
  readonly name: string
  /** Unix time in seconds. */
  readonly since: number
}

/** A sign-in under way, and what the address bar said before. */
interface Begun {
  readonly sent: WebSignIn
  readonly view: string
}

interface Kept {
  readonly account: Account
  /** Absent once the session has ended; what is kept of the account stays. */
  readonly tokens?: Tokens
}

/** The client id of this app, which every server that serves it knows. */
export const appId = 'thingsync-web'

const keys = { session: 'session', leaving: 'leaving', begun: (state: string) => `begun/${state}` }

/** Names an account among those that this browser keeps. */
export const nameAccount = ({ name, since }: Account): string => `${since} ${name}`

/** What this browser keeps of who is signed in, shared by all tabs. */
export interface SessionStore {
  readonly findAccount: () => Promise<Account | undefined>
  /** The tokens of this account alone: a tab that shows one account never sends with the tokens of another. */
  readonly tokensOf: (account: Account) => TokenStorage
  /**
   * Notes a sign-in, and gives the address to go to. `view` is what `finish` gives back.
   * @throws ClientError `network`, `not_offered` where the server has no page for it
   */
  readonly begin: (view: string) => Promise<string>
  /**
   * Takes up the sign-in that this address answers: undefined when it answers none that was begun here.
   * @throws ClientError as `finishWebSignIn` does
   */
  readonly finish: (address: string) => Promise<{ readonly view: string } | undefined>
  readonly forget: (account: Account) => Promise<void>
  /** Whether somebody signed out whom the pages of the server may still let in; ends with the next sign-in. */
  readonly isLeaving: () => Promise<boolean>
  readonly noteLeaving: (isDue: boolean) => Promise<void>
  readonly close: () => void
}

/** Whoever is sent away finds a page, and not an error of the browser or of a server that is too old. */
const requireSignInPage = async (address: string): Promise<void> => {
  const answer = await fetch(address, { credentials: 'omit', redirect: 'manual' }).catch((error: unknown) => {
    if (!(error instanceof TypeError)) throw error
    throw new ClientError('network', 'the server is not reached', { cause: error })
  })
  if (answer.status === 404) throw new ClientError('not_offered', 'the server has no page to sign in')
}

/** Opens it. @throws ClientError `store_forbidden` and others of `openIndexedDbStore` */
export const openSessionStore = async ({ family, baseUrl, home }: AppLocation): Promise<SessionStore> => {
  const store: IndexedDbStore = await openIndexedDbStore(`${family} session`)
  const read = async () => (await store.get(keys.session)) as Kept | undefined
  const put = (key: string, value: unknown) => store.write(new Map([[key, value]]))
  const lock: NonNullable<TokenStorage['lock']> = async (work) =>
    await navigator.locks.request(`${family} tokens`, work)

  const readOf = async (account: Account): Promise<Kept | undefined> => {
    const kept = await read()
    return kept !== undefined && nameAccount(kept.account) === nameAccount(account) ? kept : undefined
  }
  const tokensOf = (account: Account): TokenStorage => ({
    lock,
    read: async () => (await readOf(account))?.tokens,
    write: async (tokens) => {
      // Somebody else may have signed in while these were on their way.
      if ((await readOf(account)) !== undefined) await put(keys.session, { account, tokens })
    },
    clear: async () => {
      if ((await readOf(account)) !== undefined) await put(keys.session, { account })
    },
  })
  /** Nothing is kept before it is known whose tokens these are. */
  const signIn = async (begun: WebSignIn, address: string): Promise<Kept> => {
    const tokens = createMemoryTokenStorage()
    const client = createClient({ baseUrl, clientId: appId, tokens, retry: {} })
    await client.finishWebSignIn(begun, address)
    const { data } = await client.api.GET('/user/get')
    const pair = await tokens.read()
    if (data === undefined || pair === undefined) throw new Error('the server does not say who has signed in')
    return { account: { name: data.username, since: data.date }, tokens: pair }
  }

  return {
    findAccount: async () => (await read())?.account,
    tokensOf,
    begin: async (view) => {
      const sent = await beginWebSignIn({ baseUrl, clientId: appId, redirectUri: home })
      await requireSignInPage(sent.address)
      const older = []
      for await (const [key] of store.list(keys.begun(''))) older.push(key)
      // Of those that nobody came back from the last few are enough.
      const begun: Begun = { sent, view }
      const forgotten = older.slice(0, -5).map((key) => [key, undefined] as const)
      await store.write(new Map<string, unknown>([...forgotten, [keys.begun(sent.state), begun]]))
      return sent.address
    },
    finish: async (address) => {
      const state = new URL(address).searchParams.get('state')
      const begun = state === null ? undefined : ((await store.get(keys.begun(state))) as Begun | undefined)
      if (begun === undefined) return undefined
      // A code works once, whatever becomes of it.
      await put(keys.begun(begun.sent.state), undefined)
      const kept = await signIn(begun.sent, address)
      await store.write(
        new Map<string, unknown>([
          [keys.session, kept],
          [keys.leaving, undefined],
        ]),
      )
      return { view: begun.view }
    },
    forget: async (account) => {
      if ((await readOf(account)) !== undefined) await put(keys.session, undefined)
    },
    isLeaving: async () => (await store.get(keys.leaving)) === true,
    noteLeaving: (isDue) => put(keys.leaving, isDue ? true : undefined),
    close: store.close,
  }
}

/** Ends the session that this browser has at the pages of the server, which lets in again without a password. */
export interface Leaving {
  /** Whether that is still to be done: the server was not reached. */
  readonly isDue: Observable<boolean>
  /** Notes that it is to be done, so that it is also after this page was closed. */
  readonly note: () => Promise<void>
  /** Does it, if it is due. */
  readonly tryNow: () => Promise<void>
  /** Before anybody is sent to sign in. @throws ClientError `network` when the one before is still signed in */
  readonly require: () => Promise<void>
}

// Nobody waits longer for a sign-out.
const patienceMilliseconds = 10_000

type Outcome = 'ended' | 'unreached' | 'refused'

/** The browser says to the server that a page of its own asks, which no other site can make it say. */
const endBrowserSession = async (home: string): Promise<Outcome> => {
  const signal = AbortSignal.timeout(patienceMilliseconds)
  const init: RequestInit = { method: 'POST', body: new URLSearchParams(), redirect: 'manual', signal }
  try {
    const answer = await fetch(new URL('sign-out', home), init)
    if (answer.status >= 500) return 'unreached'
    return answer.type === 'opaqueredirect' || answer.status === 303 ? 'ended' : 'refused'
  } catch (error) {
    if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError'))
      return 'unreached'
    throw error
  }
}

/** Takes up what is still to be done at the server of this app. */
export const openLeaving = async (session: SessionStore, home: string): Promise<Leaving> => {
  const isDue = createObservable(await session.isLeaving())
  const end = async (): Promise<Outcome> => {
    // Another tab may have done it.
    const outcome = (await session.isLeaving()) ? await endBrowserSession(home) : 'ended'
    if (outcome === 'ended') {
      await session.noteLeaving(false)
      isDue.set(false)
    }
    return outcome
  }
  return {
    isDue,
    note: async () => {
      await session.noteLeaving(true)
      isDue.set(true)
    },
    tryNow: async () => void (await end()),
    require: async () => {
      if ((await end()) === 'unreached') throw new ClientError('network', 'the server is not reached')
    },
  }
}
