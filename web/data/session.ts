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
import type { Place } from './place.ts'

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
export const openSessionStore = async ({ family, baseUrl, home }: Place): Promise<SessionStore> => {
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
