// The data of the web app: sign-in, tabs, the replica, undo, drafts and the view. This folder knows no DOM. Texts come
// from words/. Start reading at `startApp`, which opens an account in one tab at a time.
// Then read open-account.ts (replica and sync) and account-model.ts (the interface of the screens).

import { type ClientOptions, createClient } from '../../client/src/index.ts'
import { deleteIndexedDbStore, openIndexedDbStore } from '../../client/src/indexeddb.ts'
import { type DraftStorage, openDrafts } from './drafts.ts'
import { createObservable, type Observable } from './observable.ts'
import { type AccountOptions, createLazyStore, type OpenApp, openAccount } from './open-account.ts'
import {
  type Account,
  type AppLocation,
  appId,
  type BrowserSignOut,
  nameAccount,
  openBrowserSignOut,
  openSessionStore,
  type SessionStore,
} from './session.ts'
import { createActionLog } from './undo.ts'
import { readViewState } from './view-state.ts'

/** Messages between the tabs of the app about the lock: request it, take it, or announce a sign-in or sign-out. */
type Message = 'please' | 'now' | 'changed'

/** Lets one of several tabs hold the replica. */
interface TabLock {
  /** Asks for the lock: a hidden tab releases it, with `now` any tab. */
  readonly request: (how: 'please' | 'now') => void
  /** Notifies the other tabs of a sign-in or sign-out; each checks the sign-in state again. */
  readonly notifyChanged: () => void
  /** Releases the lock, if this tab holds it, and checks the sign-in state again. */
  readonly release: () => void
  /** Releases the lock and stops waiting for it. */
  readonly close: () => void
}

/** Options of `runInOneTab`. */
interface TabLockOptions {
  /** The name of the lock; the same for all competing tabs. */
  readonly name: string
  /** Whether this tab needs the lock; checked again after a notification of another tab. */
  readonly isWanted: () => Promise<boolean>
  /** Runs each time the tab gets the lock, and holds it until the promise settles, soon after the signal aborts. */
  readonly work: (signal: AbortSignal) => Promise<void>
  /** Called each time another tab has the lock. */
  readonly onElsewhere: () => void
  /** Whether this tab is visible. */
  readonly isSeen: () => boolean
}

const requestIntervalMilliseconds = 1_000

/** Runs work in one tab at a time. The other tabs wait and take over when it is closed or releases the lock. */
const runInOneTab = ({ name, isWanted, work, onElsewhere, isSeen }: TabLockOptions): TabLock => {
  const channel = new BroadcastChannel(name)
  let isClosed = false
  let holding: AbortController | undefined
  const waiting = new AbortController()
  let checkAgain = () => {}
  const post = (message: Message) => {
    if (!isClosed) channel.postMessage(message)
  }
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data !== 'please' || !isSeen()) holding?.abort()
    if (data === 'changed') checkAgain()
  }

  const runWithLock = async (lock: Lock | null): Promise<boolean> => {
    if (lock === null) return false
    holding = new AbortController()
    try {
      if (!isClosed) await work(holding.signal)
    } finally {
      holding = undefined
    }
    return true
  }
  const wait = async (): Promise<void> => {
    onElsewhere()
    const requestAgain = () => {
      if (isSeen()) post('please')
    }
    requestAgain()
    // Hidden tabs may come first in the queue. They receive a repeated request as soon as they get the lock.
    const timer = setInterval(requestAgain, requestIntervalMilliseconds)
    try {
      await navigator.locks.request(name, { signal: waiting.signal }, (lock) => {
        clearInterval(timer)
        return runWithLock(lock)
      })
    } finally {
      clearInterval(timer)
    }
  }
  const run = async (): Promise<void> => {
    while (!isClosed) {
      // Created before the check, so that no notification is lost meanwhile.
      const changed = new Promise<void>((resolve) => {
        checkAgain = resolve
      })
      if (!(await isWanted())) {
        await changed
        continue
      }
      const hasHeld = await navigator.locks.request(name, { ifAvailable: true }, runWithLock)
      if (!hasHeld && !isClosed) await wait()
    }
  }
  run().catch((error: unknown) => {
    if (!isClosed) throw error
  })
  return {
    request: post,
    notifyChanged: () => post('changed'),
    release: () => {
      holding?.abort()
      checkAgain()
    },
    close: () => {
      isClosed = true
      checkAgain()
      waiting.abort()
      holding?.abort()
      channel.close()
    },
  }
}

type Send = NonNullable<ClientOptions['fetch']>

/** A fetch function that measures the clock difference between this device and the server. */
interface ClockWatch {
  readonly send: Send
  /** Milliseconds that the clock of this device is ahead of the server's clock; 0 for a tolerable difference. */
  readonly ahead: Observable<number>
}

// Responses may arrive late, so smaller differences mean nothing.
const maxClockDifferenceMilliseconds = 300_000

/** Wraps `send`, and compares the clock of this device (`now`, in milliseconds) with the `Date` of each response. */
export const watchClock = (send: Send, now: () => number): ClockWatch => {
  const ahead = createObservable(0)
  return {
    ahead,
    send: async (request, init) => {
      const response = await send(request, init)
      const serverTime = Date.parse(response.headers.get('date') ?? '')
      if (!Number.isNaN(serverTime)) {
        const difference = now() - serverTime
        const isOff = Math.abs(difference) > maxClockDifferenceMilliseconds
        // In whole minutes, so that the value does not change with each response.
        ahead.set(isOff ? Math.round(difference / 60_000) * 60_000 : 0)
      }
      return response
    },
  }
}

/** What the app shows at this moment. */
export type AppStage =
  | { readonly kind: 'opening' }
  /** No user has signed in. `problem` is the error of the last attempt; `isSignOutPending` is as in `AppState`. */
  | {
      readonly kind: 'signedOut'
      readonly problem?: unknown
      readonly isSignOutPending: boolean
      readonly signIn: () => void
    }
  /** Another tab has the items; `takeOver` brings them to this tab. */
  | { readonly kind: 'elsewhere'; readonly takeOver: () => void }
  /** The app cannot open, for example because the browser's storage is forbidden. */
  | { readonly kind: 'problem'; readonly problem: unknown; readonly tryAgain: () => void }
  | { readonly kind: 'open'; readonly app: OpenApp }

/** Options of `startApp`: the interface to the page. */
interface AppOptions {
  readonly location: AppLocation
  /** The URL of the page when it was loaded. */
  readonly url: string
  /** Navigates the browser to another page. */
  readonly goTo: (url: string) => void
  /** Replaces the URL in the address bar by another URL of the app. */
  readonly replaceUrl: (url: string) => void
  /** Returns the current URL of the page. */
  readonly readUrl: () => string
  /** Whether this tab is visible. */
  readonly isSeen: () => boolean
  /** Calls back when the visibility changes. Returns a function that removes the listener. */
  readonly watchSeen: (listener: () => void) => () => void
  /** Calls back when the network is available again. Returns a function that removes the listener. */
  readonly watchOnline: (listener: () => void) => () => void
  /** The synchronous storage of drafts; undefined if the browser forbids it. */
  readonly storage: DraftStorage | undefined
  readonly live?: AccountOptions['live']
}

/** The running app. */
interface StartedApp {
  readonly stage: Observable<AppStage>
  /** Ends the app in this page; resolves when all stores are closed. */
  readonly close: () => Promise<void>
}

const responseParameters = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri']

/** Removes the parameters of an authorization response (RFC 6749, RFC 9207) from a URL. */
const removeResponse = (url: string): string => {
  const { origin, pathname, searchParams } = new URL(url)
  for (const name of responseParameters) searchParams.delete(name)
  return `${origin}${pathname}${searchParams.size === 0 ? '' : `?${searchParams}`}`
}

const isResponse = (url: string): boolean => {
  const { searchParams } = new URL(url)
  return searchParams.has('state') && (searchParams.has('code') || searchParams.has('error'))
}

/** Finishes the sign-in to which the page's URL is the response, if any. Returns the error of a failed sign-in. */
const finishSignIn = async (session: SessionStore, options: AppOptions): Promise<unknown> => {
  if (!isResponse(options.url)) return undefined
  options.replaceUrl(removeResponse(options.url))
  try {
    const finished = await session.finish(options.url)
    if (finished !== undefined) options.replaceUrl(new URL(finished.view, options.location.home).href)
    return undefined
  } catch (error) {
    return error
  }
}

/** The fragment with which the pages of the server send a user who has just signed in to the app. */
const signedInFragment = '#signed-in'

/**
 * Signs in as the user who is signed in at the pages of the server. It does so after a sign-in there, and at the first
 * visit. It does not undo a sign-out, and it is tried once, so that it cannot loop. Returns the error of a failed
 * sign-in.
 */
const signInSilently = async (session: SessionStore, options: AppOptions): Promise<unknown> => {
  if (isResponse(options.url)) return undefined
  const url = new URL(options.url)
  const comesFromSignIn = url.hash === signedInFragment
  if (comesFromSignIn) {
    url.hash = ''
    options.replaceUrl(url.href)
  }
  if (await session.isSignOutPending()) return undefined
  const isFirstVisit = (await session.findAccount()) === undefined && !(await session.hasSignedOut())
  if (!comesFromSignIn && !isFirstVisit) return undefined
  try {
    await session.signInSilently()
    return undefined
  } catch (error) {
    return error
  }
}

/** Starts the app: finishes a returning sign-in, then opens the account as soon as no other tab holds it. */
export const startApp = (options: AppOptions): StartedApp => {
  const { location } = options
  const stage = createObservable<AppStage>({ kind: 'opening' })
  let session: SessionStore | undefined
  let browserSignOut: BrowserSignOut | undefined
  let tabs: TabLock | undefined
  let isClosed = false
  let mustShow = readViewState(new URL(options.url).search).added !== undefined
  let released = Promise.resolve()

  const signInTo = (opened: SessionStore) => async (): Promise<void> => {
    await browserSignOut?.requireDone()
    options.goTo(await opened.begin(options.readUrl().slice(location.home.length)))
  }
  const showSignIn = (opened: SessionStore, problem: unknown): void => {
    const signIn = () => void signInTo(opened)().catch((next: unknown) => showSignIn(opened, next))
    const isSignOutPending = browserSignOut?.isPending.read() === true
    stage.set({ kind: 'signedOut', ...(problem === undefined ? {} : { problem }), isSignOutPending, signIn })
  }
  const showProblem = (problem: unknown): void => {
    stage.set({ kind: 'problem', problem, tryAgain: () => options.goTo(options.readUrl()) })
  }
  const untilAborted = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve(), { once: true })
    })

  const showAccount = async (opened: SessionStore, account: Account, signal: AbortSignal): Promise<void> => {
    const name = nameAccount(account)
    const storeName = `${location.storagePrefix} things of ${name}`
    const actionsName = `${location.storagePrefix} actions of ${name}`
    const draftsName = `${location.storagePrefix} drafts of ${name}`
    const clock = watchClock((request, init) => fetch(request, init), Date.now)
    const tokens = opened.tokensOf(account)
    const client = createClient({ baseUrl: location.baseUrl, clientId: appId, tokens, fetch: clock.send })
    const actionStore = createLazyStore(actionsName)
    const draftStore = createLazyStore(draftsName)
    const [store, drafts] = await Promise.all([
      openIndexedDbStore(storeName),
      openDrafts({ storage: options.storage, store: draftStore, account: account.name, now: Date.now }),
    ])
    let mustForget = false
    const handle = await openAccount({
      client,
      store,
      account: account.name,
      actionLog: createActionLog(actionStore, Date.now),
      drafts,
      clockAhead: clock.ahead,
      ...(browserSignOut === undefined ? {} : { isSignOutPending: browserSignOut.isPending }),
      signIn: signInTo(opened),
      signOut: async ({ forget = false } = {}) => {
        // This goes first: the server must not sign in the next user of this browser.
        await browserSignOut?.markPending()
        await browserSignOut?.attempt()
        await client.signOut()
        // An open connection may outlive the session, but the screen must show at once that the session has ended.
        handle.app.syncNow()
        mustForget = forget
        if (!forget) return
        tabs?.notifyChanged()
        tabs?.release()
      },
      ...(options.live === undefined ? {} : { live: options.live }),
    })
    stage.set({ kind: 'open', app: handle.app })
    await untilAborted(signal)
    // The screens must not edit an account that is being closed.
    stage.set({ kind: 'opening' })
    await handle.close()
    await drafts.close()
    await Promise.all([actionStore.close(), draftStore.close()])
    if (!mustForget) return
    await opened.forget(account)
    await deleteIndexedDbStore(storeName)
    await deleteIndexedDbStore(actionsName)
    await deleteIndexedDbStore(draftsName)
  }
  const start = async (): Promise<void> => {
    const opened = await openSessionStore(location)
    session = opened
    if (isClosed) return opened.close()
    browserSignOut = await openBrowserSignOut(opened, location.home)
    browserSignOut.isPending.watch(() => {
      if (stage.read().kind === 'signedOut') showSignIn(opened, undefined)
    })
    const before = await opened.findAccount()
    let problem = (await finishSignIn(opened, options)) ?? (await signInSilently(opened, options))
    const after = await opened.findAccount()
    // After a sign-in, this tab opens the account first and notifies the other tabs then.
    const hasChanged = after !== undefined && (before === undefined || nameAccount(before) !== nameAccount(after))
    let mustNotify = hasChanged
    if (hasChanged) mustShow = true
    tabs = runInOneTab({
      name: `${location.storagePrefix} hold`,
      isSeen: options.isSeen,
      onElsewhere: () => {
        stage.set({ kind: 'elsewhere', takeOver: () => tabs?.request('now') })
        // A shared line must be shown here, even if another tab has the items. It takes the lock once, not repeatedly.
        if (mustShow) tabs?.request('now')
        mustShow = false
      },
      isWanted: async () => {
        try {
          const isKnown = (await opened.findAccount()) !== undefined
          if (!isKnown) showSignIn(opened, problem)
          problem = undefined
          return isKnown
        } catch (error) {
          showProblem(error)
          return false
        }
      },
      work: (signal) => {
        const work = async () => {
          const account = await opened.findAccount()
          if (mustNotify) tabs?.notifyChanged()
          mustNotify = false
          // A later request of another tab has priority over this one.
          mustShow = false
          if (account !== undefined) await showAccount(opened, account, signal)
        }
        released = work().catch(async (error: unknown) => {
          showProblem(error)
          await untilAborted(signal)
        })
        return released
      },
    })
    await browserSignOut.attempt()
  }
  const starting = start().catch(showProblem)
  const retrySignOut = () => void browserSignOut?.attempt().catch(showProblem)
  const unwatchOnline = options.watchOnline(retrySignOut)
  const unwatch = options.watchSeen(() => {
    if (options.isSeen()) retrySignOut()
    if (stage.read().kind === 'elsewhere' && options.isSeen()) tabs?.request('please')
  })
  return {
    stage,
    close: async () => {
      isClosed = true
      unwatch()
      unwatchOnline()
      await starting
      tabs?.close()
      await released
      session?.close()
    },
  }
}
