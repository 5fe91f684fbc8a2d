import { createClient } from '../../client/src/index.ts'
import { deleteIndexedDbStore, openIndexedDbStore } from '../../client/src/indexeddb.ts'
import { type DraftStorage, openDrafts } from './drafts.ts'
import { holdAlone, type Tabs } from './hold-alone.ts'
import { createDeedKeeper } from './keep-deeds.ts'
import { type Leaving, openLeaving } from './leave-server.ts'
import { createObservable, type Observable } from './observable.ts'
import { type AccountOptions, openAccount } from './open-account.ts'
import type { OpenApp } from './open-app.ts'
import { openLater } from './open-later.ts'
import type { Place } from './place.ts'
import { type Account, appId, nameAccount, openSessionStore, type SessionStore } from './session.ts'
import { readViewState } from './view-state.ts'
import { watchClock } from './watch-clock.ts'

/** What the app is about to show. */
export type Front =
  | { readonly kind: 'opening' }
  /** Nobody has signed in with this browser. `problem` is what the last try ended with; `isLeaving` as in `AppState`. */
  | { readonly kind: 'stranger'; readonly problem?: unknown; readonly isLeaving: boolean; readonly signIn: () => void }
  /** Another tab has the things; `takeOver` brings them here. */
  | { readonly kind: 'elsewhere'; readonly takeOver: () => void }
  /** This browser keeps nothing, or something else keeps the app from its things. */
  | { readonly kind: 'problem'; readonly problem: unknown; readonly tryAgain: () => void }
  | { readonly kind: 'open'; readonly app: OpenApp }

/** What the front needs of the page. */
export interface FrontOptions {
  readonly place: Place
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
export interface OpenFront {
  readonly front: Observable<Front>
  readonly close: () => Promise<void>
}

const answerNames = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri']

/** The address without what the sign-in has appended. */
const withoutAnswer = (address: string): string => {
  const { origin, pathname, searchParams } = new URL(address)
  for (const name of answerNames) searchParams.delete(name)
  return `${origin}${pathname}${searchParams.size === 0 ? '' : `?${searchParams}`}`
}

/** Finishes the sign-in that the address answers, if any, and tells what went wrong with it. */
const finishSignIn = async (session: SessionStore, options: FrontOptions): Promise<unknown> => {
  const { searchParams } = new URL(options.address)
  const isAnswer = searchParams.has('state') && (searchParams.has('code') || searchParams.has('error'))
  if (!isAnswer) return undefined
  options.showAddress(withoutAnswer(options.address))
  try {
    const finished = await session.finish(options.address)
    if (finished !== undefined) options.showAddress(new URL(finished.view, options.place.home).href)
    return undefined
  } catch (error) {
    return error
  }
}

/** Opens the app: takes up a sign-in that comes back, and then the things, as soon as no other tab has them. */
export const openFront = (options: FrontOptions): OpenFront => {
  const { place } = options
  const front = createObservable<Front>({ kind: 'opening' })
  let session: SessionStore | undefined
  let leaving: Leaving | undefined
  let tabs: Tabs | undefined
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
      deeds: createDeedKeeper(deeds, Date.now),
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
    tabs = holdAlone({
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
    front,
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
