// The data of the web app: sign-in, tabs, the replica, undo, drafts and the view. This folder knows no DOM. Texts come
// from words/. Start reading at `startApp`. One window leads (tab-lock.ts): it has the replica and the connection
// (open-account.ts). The others follow it (shared-account.ts). account-model.ts is the interface of the screens.

import { type ClientOptions, createClient } from '../../client/src/index.ts'
import { deleteIndexedDbStore, openIndexedDbStore } from '../../client/src/indexeddb.ts'
import { createLazyStore, type DraftStorage, openWindowDrafts } from './drafts.ts'
import { createObservable, type Observable } from './observable.ts'
import { type AccountOptions, type OpenApp, openAccount } from './open-account.ts'
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
import { openSharedAccount, type SharedAccount } from './shared-account.ts'
import { runInOneTab, type TabLock } from './tab-lock.ts'
import { createActionLog } from './undo.ts'

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
  /** Another tab has the items and does not respond; `takeOver` brings them to this tab. */
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

const comesFromSignIn = (url: string): boolean => new URL(url).hash === signedInFragment

/**
 * Signs in as the user who is signed in at the pages of the server. It does so after a sign-in there, and at the first
 * visit. It does not undo a sign-out, and it is tried once, so that it cannot loop. Returns the error of a failed
 * sign-in.
 */
const signInSilently = async (session: SessionStore, options: AppOptions): Promise<unknown> => {
  if (isResponse(options.url)) return undefined
  const isSignedIn = comesFromSignIn(options.url)
  if (isSignedIn) {
    const url = new URL(options.url)
    url.hash = ''
    options.replaceUrl(url.href)
  }
  if (await session.isSignOutPending()) return undefined
  const isFirstVisit = (await session.findAccount()) === undefined && !(await session.hasSignedOut())
  if (!isSignedIn && !isFirstVisit) return undefined
  try {
    await session.signInSilently()
    return undefined
  } catch (error) {
    return error
  }
}

/** Creates a queue: each work begins after the previous one has ended or failed. */
const createQueue = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next
    return next
  }
}

/** How long the screens wait for the first request after a sign-in. */
const maxRequestMilliseconds = 300

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** How long a window waits for the window that has the items, before it says so. */
const leaderTimeoutMilliseconds = 2_000

/** The account that this window shows. */
interface ShownAccount {
  readonly name: string
  readonly shared: SharedAccount
  readonly close: (options: { readonly forgets: boolean }) => Promise<void>
}

/**
 * Starts the app: finishes a returning sign-in, then shows the account. One window leads, with the replica and the
 * connection; the others follow it.
 */
export const startApp = (options: AppOptions): StartedApp => {
  const { location } = options
  const stage = createObservable<AppStage>({ kind: 'opening' })
  const runInOrder = createQueue()
  let session: SessionStore | undefined
  let browserSignOut: BrowserSignOut | undefined
  let tabs: TabLock | undefined
  let shown: ShownAccount | undefined
  let mustForget = false
  let isClosed = false
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

  const storesOf = (name: string) => ({
    things: `${location.storagePrefix} things of ${name}`,
    actions: `${location.storagePrefix} actions of ${name}`,
  })
  const closeShown = async (how: { readonly forgets: boolean }): Promise<void> => {
    const last = shown
    shown = undefined
    if (last === undefined) return
    // The screens must not edit an account that is being closed.
    stage.set({ kind: 'opening' })
    await last.close(how)
  }
  /**
   * Shows this account, which is closed before if it is another one. With `syncs`, the leader tries to sync at once.
   */
  const show = async (opened: SessionStore, account: Account, syncs: boolean): Promise<ShownAccount> => {
    const name = nameAccount(account)
    if (shown?.name === name) return shown
    await closeShown({ forgets: false })
    const { storage } = options
    const { storagePrefix } = location
    const own = await openWindowDrafts({ storage, storagePrefix, account: account.name, accountName: name })
    const shared = openSharedAccount({
      channel: `${storagePrefix} account ${name}`,
      store: storesOf(name).things,
      window: own.window,
      account: account.name,
      drafts: own.drafts,
      sharedTexts: own.sharedTexts,
      signIn: signInTo(opened),
    })
    const next: ShownAccount = {
      name,
      shared,
      close: async ({ forgets }) => {
        await shared.close()
        await (forgets ? own.forgetAll() : own.close())
      },
    }
    shown = next
    shared.ready.then(() => {
      if (shown !== next) return
      stage.set({ kind: 'open', app: shared.app })
      // The leader may wait for the sign-in that this window has finished.
      if (syncs) shared.app.syncNow()
    })
    return next
  }
  /** Opens the replica and leads until the signal aborts. */
  const lead = async (opened: SessionStore, account: Account, signal: AbortSignal, isBack: boolean): Promise<void> => {
    let onRequest = () => {}
    const firstRequest = new Promise<void>((resolve) => {
      onRequest = resolve
    })
    const clock = watchClock((request, init) => {
      onRequest()
      return fetch(request, init)
    }, Date.now)
    const tokens = opened.tokensOf(account)
    const client = createClient({ baseUrl: location.baseUrl, clientId: appId, tokens, fetch: clock.send })
    const names = storesOf(nameAccount(account))
    const actionStore = createLazyStore(names.actions)
    const [{ shared }, store] = await Promise.all([
      runInOrder(() => show(opened, account, false)),
      openIndexedDbStore(names.things),
    ])
    mustForget = false
    const handle = await openAccount({
      client,
      store,
      account: account.name,
      actionLog: createActionLog(actionStore, Date.now),
      drafts: shared.app.drafts,
      sharedTexts: shared.app.sharedTexts,
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
        if (forget) tabs?.release()
      },
      ...(options.live === undefined ? {} : { live: options.live }),
    })
    // After a sign-in, the server sends the items while the browser renders the empty screens.
    if (isBack) await Promise.race([firstRequest, wait(maxRequestMilliseconds)])
    shared.lead(handle)
    await untilAborted(signal)
    const next = await opened.findAccount()
    const staysOpen = !mustForget && !isClosed && next !== undefined && nameAccount(next) === nameAccount(account)
    if (!staysOpen) await shared.settle()
    await shared.pause()
    await handle.close()
    await actionStore.close()
    shared.announceEnd()
    if (!mustForget) return
    await opened.forget(account)
    await runInOrder(() => closeShown({ forgets: true }))
    await deleteIndexedDbStore(names.things)
    await deleteIndexedDbStore(names.actions)
    tabs?.notifyChanged()
  }
  /** Follows the window that leads, or closes an account that has ended. */
  const follow = async (opened: SessionStore, isBack: boolean): Promise<void> => {
    const account = await opened.findAccount()
    if (account === undefined) return await closeShown({ forgets: true })
    const { shared } = await show(opened, account, isBack)
    shared.follow()
    setTimeout(() => {
      if (stage.read().kind !== 'opening' || shown?.shared !== shared) return
      stage.set({ kind: 'elsewhere', takeOver: () => tabs?.request('now') })
    }, leaderTimeoutMilliseconds)
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
    // The leader may be another window, which waits for this sign-in.
    const isBack = isResponse(options.url) || comesFromSignIn(options.url)
    let problem = (await finishSignIn(opened, options)) ?? (await signInSilently(opened, options))
    const after = await opened.findAccount()
    // The other tabs show another account, or none.
    let mustNotify = after !== undefined && (before === undefined || nameAccount(before) !== nameAccount(after))
    const notify = () => {
      if (mustNotify) tabs?.notifyChanged()
      mustNotify = false
    }
    tabs = runInOneTab({
      name: `${location.storagePrefix} hold`,
      isSeen: options.isSeen,
      onElsewhere: () => {
        notify()
        void runInOrder(() => follow(opened, isBack)).catch(showProblem)
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
          notify()
          if (account !== undefined) await lead(opened, account, signal, isBack)
          else await runInOrder(() => closeShown({ forgets: true }))
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
    if (!options.isSeen()) return
    retrySignOut()
    // A hidden window has the connection, whose timers the browser slows down.
    tabs?.request('please')
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
      await runInOrder(() => closeShown({ forgets: false }))
      session?.close()
    },
  }
}
