import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import {
  beginSignIn,
  createClient,
  createMemoryTokenStorage,
  isClientError,
  type WebSignIn,
} from '../../client/src/index.ts'
import { Mark } from '../../web/parts/icon.tsx'
import { ExtensionError, toProblem } from './account.ts'
import { readServerUrl, type ServerUrl } from './capture.ts'
import { findPlatform, type Problem, readState, type Session, type StoredState, type SyncStatus } from './platform.ts'
import { chooseWords, describeProblem } from './words.ts'

const platform = findPlatform()
const words = chooseWords(navigator.languages)

/** The client ID that every thingsync server registers for this extension. */
const defaultClientId = 'thingsync-extension'

/**
 * Checks that the server has a sign-in page and knows this extension, so that the user does not find an error page.
 * @throws ExtensionError `network`, `not_offered`, `unknown_client`
 */
const checkSignInPage = async (address: string): Promise<void> => {
  const response = await fetch(address, { credentials: 'omit', redirect: 'manual' }).catch((error: unknown) => {
    if (!(error instanceof TypeError)) throw error
    throw new ExtensionError('network')
  })
  if (response.status === 400) throw new ExtensionError('unknown_client')
  if (response.type !== 'opaqueredirect' && !response.ok) throw new ExtensionError('not_offered')
}

/** Opens the sign-in page in a window, and returns the URL to which it came back. @throws ExtensionError `cancelled` */
const openSignInWindow = async ({ address }: WebSignIn): Promise<string> => {
  const arrived = await platform.identity
    .launchWebAuthFlow({ url: address, interactive: true })
    .catch((error: unknown) => {
      // Browsers have no codes for these errors, and only one of them is no decision of the user.
      const message = error instanceof Error ? error.message : String(error)
      throw new ExtensionError(/could not be loaded/iu.test(message) ? 'network' : 'cancelled')
    })
  if (arrived === undefined) throw new ExtensionError('cancelled')
  return arrived
}

/**
 * Signs a user in at a server, by the authorization code flow with PKCE, and hands the tokens to the background.
 * @throws ExtensionError, ClientError
 */
const signIn = async ({ home, baseUrl }: Extract<ServerUrl, { isValid: true }>, clientId: string): Promise<void> => {
  const begun = await beginSignIn({ baseUrl, clientId, redirectUri: platform.identity.getRedirectURL() })
  await checkSignInPage(begun.address)
  const tokens = createMemoryTokenStorage()
  const client = createClient({ baseUrl, clientId, tokens, retry: {} })
  try {
    await client.finishSignIn(begun, await openSignInWindow(begun))
  } catch (error) {
    if (isClientError(error, 'rejected') && error.error === 'access_denied') throw new ExtensionError('access_denied')
    throw error
  }
  const { data } = await client.api.GET('/user/get')
  if (data === undefined) throw new ExtensionError('unexpected_response')
  const session: Session = { home, baseUrl, clientId, account: data.username, since: data.date }
  const reply = await platform.runtime.sendMessage({ kind: 'signedIn', session, tokens: await tokens.read() })
  if (reply.isDone) return
  await client.signOut()
  throw new ExtensionError(reply.problem.code, reply.problem.reason)
}

/** The form before the sign-in. */
const SignInForm = ({ session }: { readonly session: Session | undefined }) => {
  const [server, setServer] = useState(session?.home ?? '')
  const [clientId, setClientId] = useState(session?.clientId ?? defaultClientId)
  const [problem, setProblem] = useState<Problem>()
  const [isBusy, setIsBusy] = useState(false)

  const run = async (url: Extract<ServerUrl, { isValid: true }>, granted: Promise<boolean>) => {
    setIsBusy(true)
    setProblem(undefined)
    try {
      if (!(await granted)) throw new ExtensionError('no_permission')
      await signIn(url, clientId.trim() || defaultClientId)
    } catch (error) {
      setProblem(toProblem(error))
    }
    setIsBusy(false)
  }
  const onSubmit = (event: Event) => {
    event.preventDefault()
    if (isBusy) return
    const url = readServerUrl(server)
    if (!url.isValid) return setProblem({ code: url.code })
    // Browsers ask only within the click of the user, so nothing is awaited before.
    void run(url, platform.permissions.request({ origins: url.origins }))
  }
  const isUrlWrong = problem?.code.startsWith('url_') === true
  return (
    <form class="sheet" onSubmit={onSubmit}>
      <div class="field">
        <label for="server">{words.setUp.server}</label>
        <input
          id="server"
          type="text"
          aria-describedby="server-hint"
          inputMode="url"
          autocomplete="url"
          autocapitalize="none"
          spellcheck={false}
          aria-invalid={isUrlWrong}
          value={server}
          onInput={({ currentTarget }) => setServer(currentTarget.value)}
        />
        <small id="server-hint" class="hint">
          {words.setUp.serverHint}
        </small>
      </div>
      <p class="soft">{words.setUp.permission}</p>
      {problem !== undefined && (
        <p role="alert" class="wrong">
          {describeProblem(problem, words)}
        </p>
      )}
      <button type="submit" class="main" aria-disabled={isBusy}>
        {words.setUp.signIn}
      </button>
      <p role="status">{isBusy ? words.setUp.signingIn : ''}</p>
      <details open={problem?.code === 'unknown_client'}>
        <summary>{words.setUp.more}</summary>
        <p class="soft">{words.setUp.moreHint}</p>
        <label class="field">
          <span>{words.setUp.redirectUri}</span>
          <input type="text" readOnly value={platform.identity.getRedirectURL()} />
        </label>
        <label class="field">
          <span>{words.setUp.clientId}</span>
          <input
            type="text"
            autocomplete="off"
            spellcheck={false}
            value={clientId}
            onInput={({ currentTarget }) => setClientId(currentTarget.value)}
          />
        </label>
      </details>
    </form>
  )
}

const describeStatus = ({ pending, problem, listed, syncedAt }: SyncStatus): string => {
  if (problem !== undefined && problem.code !== 'network') return describeProblem(problem, words)
  if (problem !== undefined && pending > 0) return words.status.waiting(pending)
  if (problem !== undefined) return words.problems.network
  if (syncedAt === undefined) return listed === undefined ? words.status.connecting : words.status.listing(listed)
  return pending > 0 ? words.status.sending(pending) : words.status.upToDate
}

/** The page after the sign-in: the account, the state of the sync, and the sign-out. */
const SignedIn = ({ session, status }: { readonly session: Session; readonly status: SyncStatus }) => {
  const [isAsking, setIsAsking] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const signOut = async () => {
    const reply = await platform.runtime.sendMessage({ kind: 'signOut' })
    if (!reply.isDone) return setProblem(reply.problem)
    await platform.permissions.remove({ origins: originsOf(session) })
  }
  const { pending } = status
  return (
    <section class="sheet" aria-label={words.setUp.signedInAs(session.account)}>
      <p>
        <strong>
          <bdi>{words.setUp.signedInAs(session.account)}</bdi>
        </strong>
        <br />
        <a href={session.home} target="_blank" rel="noreferrer">
          <bdi>{session.home}</bdi>
        </a>
      </p>
      <p role="status">{describeStatus(status)}</p>
      <p>{words.setUp.howTo}</p>
      <p>{words.setUp.howToMenu}</p>
      {problem !== undefined && (
        <p role="alert" class="wrong">
          {describeProblem(problem, words)}
        </p>
      )}
      {isAsking ? (
        <>
          <p class="wrong">{words.setUp.signOutPending(pending)}</p>
          <div class="buttons">
            <button type="button" onClick={() => void signOut()}>
              {words.setUp.signOutAnyway}
            </button>
            <button type="button" class="plain" onClick={() => setIsAsking(false)}>
              {words.setUp.cancel}
            </button>
          </div>
        </>
      ) : (
        <div class="buttons">
          <button type="button" onClick={() => (pending > 0 ? setIsAsking(true) : void signOut())}>
            {words.setUp.signOut}
          </button>
          <button type="button" class="plain" onClick={() => void platform.runtime.sendMessage({ kind: 'sync' })}>
            {words.status.tryNow}
          </button>
        </div>
      )}
      <small class="soft">{words.setUp.signOutHint}</small>
    </section>
  )
}

/** Returns the host permission of the server, to give it back after the sign-out. */
const originsOf = ({ home }: Session): readonly string[] => {
  const url = readServerUrl(home)
  return url.isValid ? url.origins : []
}

const SetUpPage = ({ first }: { readonly first: StoredState }) => {
  const [{ session, status }, setState] = useState(first)
  useEffect(() => {
    const onChanged = () => void readState(platform.storage.local).then(setState)
    platform.storage.onChanged.addListener(onChanged)
    // Messages keep the background running during a long first sync.
    const timer = setInterval(onChanged, 1_000)
    void platform.runtime.sendMessage({ kind: 'sync' })
    return () => {
      clearInterval(timer)
      platform.storage.onChanged.removeListener(onChanged)
    }
  }, [])
  const isSignedOut = status?.isSignedOut === true
  return (
    <main class="page narrow">
      <div class="head">
        <Mark />
        <h1>{words.setUp.heading}</h1>
        <p>{words.setUp.intro}</p>
      </div>
      {isSignedOut && <p class="notice">{words.status.signedOut}</p>}
      {(session === undefined || isSignedOut) && <SignInForm session={session} />}
      {session !== undefined && <SignedIn session={session} status={status ?? { pending: 0 }} />}
    </main>
  )
}

const start = async (): Promise<void> => {
  document.documentElement.lang = words.code
  document.title = words.setUp.heading
  render(<SetUpPage first={await readState(platform.storage.local)} />, document.body)
}

void start()
