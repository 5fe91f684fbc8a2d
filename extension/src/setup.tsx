import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import {
  beginSignIn,
  createClient,
  createMemoryTokenStorage,
  isClientError,
  type WebSignIn,
} from '../../client/src/index.ts'
import { Mark } from '../../web/parts/icon.tsx'
import { ExtensionError, toProblem } from './account.ts'
import { readServerUrl, type ValidServerUrl } from './capture.ts'
import { findPlatform, type Problem, readState, type Session, type StoredState, type SyncStatus } from './platform.ts'
import { chooseWords, describeProblem } from './words.ts'

const platform = findPlatform()
const words = chooseWords(navigator.languages)

/** The client ID that every thingsync server registers for this extension. */
const defaultClientId = 'thingsync-extension'

const maxCheckMilliseconds = 15_000

/** What the sign-in waits for; words.ts has a text for each. */
type SignInStep = 'permission' | 'server' | 'window'

/** One attempt to sign in; the signal ends it. */
interface SignInAttempt {
  readonly url: ValidServerUrl
  readonly clientId: string
  readonly signal: AbortSignal
  readonly onStep: (step: SignInStep) => void
}

/**
 * Checks that the server has a sign-in page and knows this extension, so that the user does not find an error page.
 * @throws ExtensionError `unreachable`, `not_offered`, `unknown_client`
 */
const checkSignInPage = async (address: string, { url, signal }: SignInAttempt): Promise<void> => {
  const response = await fetch(address, {
    credentials: 'omit',
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(maxCheckMilliseconds)]),
  }).catch((error: unknown) => {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
    if (!(error instanceof TypeError) && !isTimeout) throw error
    throw new ExtensionError('unreachable', url.home)
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
 * @throws ExtensionError, ClientError, DOMException `AbortError` when the signal ends the attempt
 */
const signIn = async (attempt: SignInAttempt): Promise<void> => {
  const { url, clientId, signal, onStep } = attempt
  const { home, baseUrl } = url
  onStep('server')
  const begun = await beginSignIn({ baseUrl, clientId, redirectUri: platform.identity.getRedirectURL() })
  await checkSignInPage(begun.address, attempt)
  onStep('window')
  const arrived = await openSignInWindow(begun)
  signal.throwIfAborted()
  const tokens = createMemoryTokenStorage()
  const client = createClient({ baseUrl, clientId, tokens, retry: {} })
  try {
    await client.finishSignIn(begun, arrived)
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

/** The form of the sign-in: the first one, or again after the session has ended. */
const SignInForm = ({ session }: { readonly session: Session | undefined }) => {
  const field = useRef<HTMLInputElement>(null)
  const running = useRef<AbortController>(undefined)
  const [server, setServer] = useState(session?.home ?? '')
  const [clientId, setClientId] = useState(session?.clientId ?? defaultClientId)
  const [problem, setProblem] = useState<Problem>()
  const [step, setStep] = useState<SignInStep>()
  useEffect(() => field.current?.focus(), [])

  const run = async (url: ValidServerUrl, granted: Promise<boolean>) => {
    const attempt = new AbortController()
    running.current = attempt
    setStep('permission')
    setProblem(undefined)
    const { signal } = attempt
    try {
      if (!(await granted)) throw new ExtensionError('no_permission')
      signal.throwIfAborted()
      await signIn({ url, clientId: clientId.trim() || defaultClientId, signal, onStep: setStep })
    } catch (error) {
      if (signal.aborted) return
      setProblem(toProblem(error))
    }
    setStep(undefined)
  }
  // A prompt that the user has closed may never respond, and a window may be behind others: this ends the wait.
  const cancel = () => {
    running.current?.abort()
    setStep(undefined)
  }
  const onSubmit = (event: Event) => {
    event.preventDefault()
    if (step !== undefined) return
    const url = readServerUrl(server)
    if (!url.isValid) {
      field.current?.focus()
      return setProblem({ code: url.code })
    }
    // Browsers ask only within the click of the user, so nothing is awaited before.
    void run(url, platform.permissions.request({ origins: url.origins }))
  }
  const isUrlWrong = problem?.code.startsWith('url_') === true
  const message = problem !== undefined && (
    <p id="problem" role="alert" class="wrong">
      {describeProblem(problem, words)}
    </p>
  )
  return (
    <form class="sheet" onSubmit={onSubmit}>
      <div class="field">
        <label for="server">{words.setUp.server}</label>
        <input
          id="server"
          ref={field}
          type="text"
          aria-describedby={isUrlWrong ? 'problem' : 'server-hint'}
          inputMode="url"
          autocomplete="url"
          autocapitalize="none"
          spellcheck={false}
          aria-invalid={isUrlWrong}
          value={server}
          onInput={({ currentTarget }) => setServer(currentTarget.value)}
        />
        {isUrlWrong ? (
          message
        ) : (
          <small id="server-hint" class="hint">
            {words.setUp.serverHint}
          </small>
        )}
      </div>
      {!isUrlWrong && message}
      <div class="actions">
        <button type="submit" class="main" aria-disabled={step !== undefined}>
          {session === undefined ? words.setUp.signIn : words.status.signIn}
        </button>
        {step === undefined ? (
          <small class="soft">{words.setUp.permission}</small>
        ) : (
          <p class="waiting">
            <span role="status">{words.setUp.steps[step]}</span>
            <button type="button" class="plain" onClick={cancel}>
              {words.setUp.cancel}
            </button>
          </p>
        )}
      </div>
      <details class="more" open={problem?.code === 'unknown_client'}>
        <summary>{words.setUp.more}</summary>
        <div class="fields">
          <p class="soft">{words.setUp.moreHint}</p>
          <label class="field">
            <span>{words.setUp.redirectUri}</span>
            <input
              type="text"
              readOnly
              value={platform.identity.getRedirectURL()}
              onFocus={({ currentTarget }) => currentTarget.select()}
            />
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
        </div>
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

/** The button that signs out. It asks first when edits would be lost. */
const SignOut = ({ session, pending }: { readonly session: Session; readonly pending: number }) => {
  const [isAsking, setIsAsking] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const signOut = async () => {
    const reply = await platform.runtime.sendMessage({ kind: 'signOut' })
    if (!reply.isDone) return setProblem(reply.problem)
    await platform.permissions.remove({ origins: originsOf(session) })
  }
  return (
    <div class="actions">
      {problem !== undefined && (
        <p role="alert" class="wrong">
          {describeProblem(problem, words)}
        </p>
      )}
      {isAsking ? (
        <>
          <p role="alert" class="wrong">
            {words.setUp.signOutPending(pending)}
          </p>
          <div class="buttons">
            <button type="button" class="grave" onClick={() => void signOut()}>
              {words.setUp.signOutAnyway}
            </button>
            <button type="button" onClick={() => setIsAsking(false)}>
              {words.setUp.cancel}
            </button>
          </div>
        </>
      ) : (
        <div class="buttons">
          <button type="button" onClick={() => (pending > 0 ? setIsAsking(true) : void signOut())}>
            {words.setUp.signOut}
          </button>
        </div>
      )}
      <small class="soft">{words.setUp.signOutHint}</small>
    </div>
  )
}

/** The account, the state of the sync, how to save, and the sign-out. */
const SignedIn = ({ session, status }: { readonly session: Session; readonly status: SyncStatus }) => {
  const { pending, problem, syncedAt } = status
  const isWaiting = problem !== undefined || pending > 0
  return (
    <>
      <section class="sheet" aria-labelledby="account">
        <div class="account">
          <h2 id="account">
            <bdi>{words.setUp.signedInAs(session.account)}</bdi>
          </h2>
          <a href={session.home} target="_blank" rel="noreferrer">
            <bdi>{session.home}</bdi>
          </a>
        </div>
        <div class={isWaiting ? 'notice' : syncedAt === undefined ? 'soft' : 'good'}>
          <span role="status">{describeStatus(status)}</span>
          {isWaiting && (
            <button type="button" class="plain" onClick={() => void platform.runtime.sendMessage({ kind: 'sync' })}>
              {words.status.tryNow}
            </button>
          )}
        </div>
        <ul class="how-to">
          {words.setUp.howTo.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </section>
      <section class="sheet" aria-label={words.setUp.signOut}>
        <SignOut session={session} pending={pending} />
      </section>
    </>
  )
}

/** After the session has ended: sign in again, which sends what waits, or sign out. */
const SessionEnded = ({ session, pending }: { readonly session: Session; readonly pending: number }) => (
  <>
    <p class="notice" role="status">
      {words.setUp.sessionEnded(session.account)}
      {pending > 0 && ` ${words.setUp.sentAfterSignIn(pending)}`}
    </p>
    <SignInForm session={session} />
    <section class="sheet" aria-label={words.setUp.signOut}>
      <SignOut session={session} pending={pending} />
    </section>
  </>
)

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
  const { pending = 0, isSignedOut } = status ?? {}
  return (
    <main class="page narrow">
      <div class="head">
        <Mark />
        <h1>{words.setUp.heading}</h1>
        <p>{words.setUp.intro}</p>
      </div>
      {session === undefined ? (
        <SignInForm session={undefined} />
      ) : isSignedOut === true ? (
        <SessionEnded session={session} pending={pending} />
      ) : (
        <SignedIn session={session} status={status ?? { pending }} />
      )}
    </main>
  )
}

const start = async (): Promise<void> => {
  document.documentElement.lang = words.code
  document.title = words.setUp.heading
  render(<SetUpPage first={await readState(platform.storage.local)} />, document.body)
}

void start()
