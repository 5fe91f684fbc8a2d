import { type ClientOptions, createClient } from '../../client/src/index.ts'
import { deleteIndexedDbStore, openIndexedDbStore } from '../../client/src/indexeddb.ts'
import { type DraftStorage, openDrafts } from './drafts.ts'
import { createObservable, type Observable } from './observable.ts'
import { type AccountOptions, type OpenApp, openAccount, openLater } from './open-account.ts'
import {
  type Account,
  type AppLocation,
  appId,
  type Leaving,
  nameAccount,
  openLeaving,
  openSessionStore,
  type SessionStore,
} from './session.ts'
import { createActionLog } from './undo.ts'
import { readViewState } from './view-state.ts'

/** What tabs of the same app tell each other of who holds the replica. */
type Message = 'please' | 'now' | 'changed'

/** Where there are several tabs of the app, one holds the replica. */
interface TabLock {
  /** Wants to hold it: of another tab that nobody looks at it is taken, with `now` of any. */
  readonly ask: (how: 'please' | 'now') => void
  /** Tells the other tabs that somebody has signed in or out: each looks anew. */
  readonly tellChanged: () => void
  /** Lets go of what this tab holds, if it holds it, and looks anew. */
  readonly letGo: () => void
  /** Ends it for this tab: what it holds is let go. */
  readonly close: () => void
}

/** What a tab does while it has the hold, and beside it. */
interface TabLockOptions {
  /** Shared by all tabs that want the same. */
  readonly name: string
  /** Whether there is anything to hold; asked again when another tab tells of a change. */
  readonly isWanted: () => Promise<boolean>
  /** Has the hold until its promise is settled, which should be soon after the signal. It is called again with each hold. */
  readonly work: (signal: AbortSignal) => Promise<void>
  /** Called whenever another tab has it. */
  readonly onElsewhere: () => void
  /** Whether a person can see this tab. */
  readonly isSeen: () => boolean
}

const askAgainMilliseconds = 1_000

/** Works in one tab at a time; the others wait, and take over when it is closed or gives way. */
const runInOneTab = ({ name, isWanted, work, onElsewhere, isSeen }: TabLockOptions): TabLock => {
  const channel = new BroadcastChannel(name)
  let isClosed = false
  let holding: AbortController | undefined
  const waiting = new AbortController()
  let lookAgain = () => {}
  const post = (message: Message) => {
    if (!isClosed) channel.postMessage(message)
  }
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data !== 'please' || !isSeen()) holding?.abort()
    if (data === 'changed') lookAgain()
  }

  const hold = async (lock: Lock | null): Promise<boolean> => {
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
    const askAgain = () => {
      if (isSeen()) post('please')
    }
    askAgain()
    // Tabs that nobody looks at may come first in the queue: they hear it, too, as soon as it is their turn.
    const timer = setInterval(askAgain, askAgainMilliseconds)
    try {
      await navigator.locks.request(name, { signal: waiting.signal }, (lock) => {
        clearInterval(timer)
        return hold(lock)
      })
    } finally {
      clearInterval(timer)
    }
  }
  const run = async (): Promise<void> => {
    while (!isClosed) {
      // Before the question: what changes meanwhile is heard, too.
      const changed = new Promise<void>((resolve) => {
        lookAgain = resolve
      })
      if (!(await isWanted())) {
        await changed
        continue
      }
      const hasHeld = await navigator.locks.request(name, { ifAvailable: true }, hold)
      if (!hasHeld && !isClosed) await wait()
    }
  }
  run().catch((error: unknown) => {
    if (!isClosed) throw error
  })
  return {
    ask: post,
    tellChanged: () => post('changed'),
    letGo: () => {
      holding?.abort()
      lookAgain()
    },
    close: () => {
      isClosed = true
      lookAgain()
      waiting.abort()
      holding?.abort()
      channel.close()
    },
  }
}

type Send = NonNullable<ClientOptions['fetch']>

/** A way of sending that learns from the answers how far the clock of this device is off. */
interface ClockWatch {
  readonly send: Send
  /** Milliseconds that this device is ahead of the server; 0 where they are near enough to each other. */
  readonly ahead: Observable<number>
}

// Answers may be old when they come; nobody is told of less.
const toleratedMilliseconds = 300_000

/** Compares this device's clock with the `Date` of each answer. */
export const watchClock = (send: Send, now: () => number): ClockWatch => {
  const ahead = createObservable(0)
  return {
    ahead,
    send: async (request, init) => {
      const answer = await send(request, init)
      const told = Date.parse(answer.headers.get('date') ?? '')
      if (!Number.isNaN(told)) {
        const difference = now() - told
        const isOff = Math.abs(difference) > toleratedMilliseconds
        // In whole minutes, so that nothing changes with each answer.
        ahead.set(isOff ? Math.round(difference / 60_000) * 60_000 : 0)
      }
      return answer
    },
  }
}

/** What the app is about to show. */
export type AppStage =
  | { readonly kind: 'opening' }
  /** Nobody has signed in with this browser. `problem` is what the last try ended with; `isLeaving` as in `AppState`. */
  | { readonly kind: 'stranger'; readonly problem?: unknown; readonly isLeaving: boolean; readonly signIn: () => void }
  /** Another tab has the things; `takeOver` brings them here. */
  | { readonly kind: 'elsewhere'; readonly takeOver: () => void }
  /** This browser keeps nothing, or something else keeps the app from its things. */
  | { readonly kind: 'problem'; readonly problem: unknown; readonly tryAgain: () => void }
  | { readonly kind: 'open'; readonly app: OpenApp }

/** What the front needs of the page. */
interface AppOptions {
  readonly place: AppLocation
  /** The address of the page, as it was loaded. */
  readonly address: string
  /** Sends the browser to another page. */
  readonly goTo: (address: string) => void
  /** Puts an address of the app in the place of the one in the address bar. */
  readonly showAddress: (address: string) => void
  /** The address of the page, as it is now. */
  readonly readAddress: () => string
  /** Whether a person can see this tab, and when that changes. */
  readonly isSeen: () => boolean
  readonly watchSeen: (listener: () => void) => () => void
  /** Calls back when there is a network again. */
  readonly watchOnline: (listener: () => void) => () => void
  /** Where drafts are at once; undefined where the browser forbids one. */
  readonly storage: DraftStorage | undefined
  readonly live?: AccountOptions['live']
}

/** The app, whoever is signed in. */
interface StartedApp {
  readonly stage: Observable<AppStage>
  readonly close: () => Promise<void>
}

const responseParameters = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri']

/** The address without what the sign-in has appended. */
const withoutResponse = (address: string): string => {
  const { origin, pathname, searchParams } = new URL(address)
  for (const name of responseParameters) searchParams.delete(name)
  return `${origin}${pathname}${searchParams.size === 0 ? '' : `?${searchParams}`}`
}

/** Finishes the sign-in that the address answers, if any, and tells what went wrong with it. */
const finishSignIn = async (session: SessionStore, options: AppOptions): Promise<unknown> => {
  const { searchParams } = new URL(options.address)
  const isAnswer = searchParams.has('state') && (searchParams.has('code') || searchParams.has('error'))
  if (!isAnswer) return undefined
  options.showAddress(withoutResponse(options.address))
  try {
    const finished = await session.finish(options.address)
    if (finished !== undefined) options.showAddress(new URL(finished.view, options.place.home).href)
    return undefined
  } catch (error) {
    return error
  }
}

/** Opens the app: takes up a sign-in that comes back, and then the things, as soon as no other tab has them. */
export const startApp = (options: AppOptions): StartedApp => {
  const { place } = options
  const front = createObservable<AppStage>({ kind: 'opening' })
  let session: SessionStore | undefined
  let leaving: Leaving | undefined
  let tabs: TabLock | undefined
  let isClosed = false
  let mustShow = readViewState(new URL(options.address).search).added !== undefined
  let released = Promise.resolve()

  const signInTo = (opened: SessionStore) => async (): Promise<void> => {
    await leaving?.require()
    options.goTo(await opened.begin(options.readAddress().slice(place.home.length)))
  }
  const showStranger = (opened: SessionStore, problem: unknown): void => {
    const signIn = () => void signInTo(opened)().catch((next: unknown) => showStranger(opened, next))
    const isLeaving = leaving?.isDue.read() === true
    front.set({ kind: 'stranger', ...(problem === undefined ? {} : { problem }), isLeaving, signIn })
  }
  const showProblem = (problem: unknown): void => {
    front.set({ kind: 'problem', problem, tryAgain: () => options.goTo(options.readAddress()) })
  }
  const untilAborted = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve(), { once: true })
    })

  const showAccount = async (opened: SessionStore, account: Account, signal: AbortSignal): Promise<void> => {
    const name = nameAccount(account)
    const storeName = `${place.family} things of ${name}`
    const deedsName = `${place.family} deeds of ${name}`
    const draftsName = `${place.family} drafts of ${name}`
    const clock = watchClock((request, init) => fetch(request, init), Date.now)
    const tokens = opened.tokensOf(account)
    const client = createClient({ baseUrl: place.baseUrl, clientId: appId, tokens, fetch: clock.send })
    const deeds = openLater(deedsName)
    const draftStore = openLater(draftsName)
    const [store, drafts] = await Promise.all([
      openIndexedDbStore(storeName),
      openDrafts({ storage: options.storage, store: draftStore, account: account.name, now: Date.now }),
    ])
    let mustForget = false
    const held = await openAccount({
      client,
      store,
      account: account.name,
      deeds: createActionLog(deeds, Date.now),
      drafts,
      clockAhead: clock.ahead,
      ...(leaving === undefined ? {} : { isLeaving: leaving.isDue }),
      signIn: signInTo(opened),
      signOut: async ({ forget = false } = {}) => {
        // First of all: whoever uses the browser next must not be let in by the server.
        await leaving?.note()
        await leaving?.tryNow()
        await client.signOut()
        // The connection to the server may outlive the session a while, and a person wants to see that it is over.
        held.app.wake()
        mustForget = forget
        if (!forget) return
        tabs?.tellChanged()
        tabs?.letGo()
      },
      ...(options.live === undefined ? {} : { live: options.live }),
    })
    front.set({ kind: 'open', app: held.app })
    await untilAborted(signal)
    // What it shows may not be edited any more.
    front.set({ kind: 'opening' })
    await held.close()
    await drafts.close()
    await Promise.all([deeds.close(), draftStore.close()])
    if (!mustForget) return
    await opened.forget(account)
    await deleteIndexedDbStore(storeName)
    await deleteIndexedDbStore(deedsName)
    await deleteIndexedDbStore(draftsName)
  }
  const start = async (): Promise<void> => {
    const opened = await openSessionStore(place)
    session = opened
    if (isClosed) return opened.close()
    leaving = await openLeaving(opened, place.home)
    leaving.isDue.watch(() => {
      if (front.read().kind === 'stranger') showStranger(opened, undefined)
    })
    const before = await opened.findAccount()
    let problem = await finishSignIn(opened, options)
    const after = await opened.findAccount()
    // Where somebody has signed in the things are shown, and the other tabs hear of it only then.
    const hasChanged = after !== undefined && (before === undefined || nameAccount(before) !== nameAccount(after))
    let mustTell = hasChanged
    if (hasChanged) mustShow = true
    tabs = runInOneTab({
      name: `${place.family} hold`,
      isSeen: options.isSeen,
      onElsewhere: () => {
        front.set({ kind: 'elsewhere', takeOver: () => tabs?.ask('now') })
        // Who shares something wants to see it added, also when another window shows the things: once, not again and again.
        if (mustShow) tabs?.ask('now')
        mustShow = false
      },
      isWanted: async () => {
        try {
          const isKnown = (await opened.findAccount()) !== undefined
          if (!isKnown) showStranger(opened, problem)
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
          if (mustTell) tabs?.tellChanged()
          mustTell = false
          // What is taken from here later was asked for later, too.
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
    await leaving.tryNow()
  }
  const starting = start().catch(showProblem)
  const tryToLeave = () => void leaving?.tryNow().catch(showProblem)
  const unwatchOnline = options.watchOnline(tryToLeave)
  const unwatch = options.watchSeen(() => {
    if (options.isSeen()) tryToLeave()
    if (front.read().kind === 'elsewhere' && options.isSeen()) tabs?.ask('please')
  })
  return {
    stage: front,
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
