// The titles of links that were added as a bare URL: the server reads them from the pages, one after the other.

import { type Client, type ClientError, isClientError, type Replica } from '../../client/src/index.ts'
import type { SharedText } from './drafts.ts'
import { createObservable, type Observable } from './observable.ts'

/** The items whose title is still to be read, for all windows of an account on this device. */
export interface MissingTitles {
  /** The IDs of the items, the first added first. */
  readonly all: Observable<readonly string[]>
  readonly add: (ids: readonly string[]) => void
  readonly remove: (id: string) => void
  /** Gives up all of them; the items keep their URL as the title. */
  readonly clear: () => void
  /** Stops following the other windows. */
  readonly close: () => void
}

/** The name of the shared text that holds the waiting items. */
export const missingTitlesName = 'missing titles'

/** The maximum number of waiting items; an hourly limit of the server would make more of them wait for weeks. */
export const maxMissingTitles = 5_000

const readIds = (text: string): readonly string[] => text.split('\n').filter((id) => id !== '')

/** Opens the waiting items of this text. */
export const openMissingTitles = (text: SharedText): MissingTitles => {
  const all = createObservable(readIds(text.read()))
  const unwatch = text.watch(() => all.set(readIds(text.read())))
  const set = (ids: readonly string[]): void => {
    all.set(ids)
    // With full storage the list lasts until the page is closed, and the items keep their URL as the title.
    text.write(ids.join('\n'))
  }
  return {
    all,
    add: (ids) => {
      const added = [...new Set([...all.read(), ...ids])].slice(0, maxMissingTitles)
      if (added.length > all.read().length) set(added)
    },
    remove: (id) => set(all.read().filter((other) => other !== id)),
    clear: () => set([]),
    close: unwatch,
  }
}

/** Whether a link has no title of its own yet: the user has not touched it. */
export const isUntitled = ({ title, url }: { readonly title?: string; readonly url?: string | null }): boolean =>
  url !== undefined && url !== null && url !== '' && (title === undefined || title.trim() === '' || title === url)

/** Resolves after this time, or without a time when the signal aborts. An abort always ends the pause. */
type Pause = (milliseconds: number | undefined, signal: AbortSignal) => Promise<void>

const pauseByTimer: Pause = (milliseconds, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', end, { once: true })
  })

/** Options of `fillTitles`. */
interface FillOptions {
  readonly previewLink: Client['previewLink']
  readonly replica: Pick<Replica, 'findThing' | 'change'>
  readonly missing: MissingTitles
  /** By a timer unless given. */
  readonly pause?: Pause
}

/** Fills titles until it is closed. */
export interface TitleFiller {
  /** Tries at once, for example when the network is back. */
  readonly wake: () => void
  /** Resolves when nothing is under way. */
  readonly close: () => Promise<void>
}

/** The pause after a failure that says nothing about the next attempt. */
const pauseMilliseconds = 60_000

/** Whether the same request may succeed later: without the network, signed out, at a limit or a failure of the server. */
const mayTryAgain = (error: ClientError): boolean =>
  error.code !== 'rejected' || error.status === 429 || (error.status ?? 0) >= 500

/**
 * Reads the titles of the waiting items, the last added first, and sets those that the user has not touched meanwhile. A
 * page that cannot be read leaves its URL as the title. Without the network, or at a limit of the server, the items wait.
 */
export const fillTitles = ({ previewLink, replica, missing, pause = pauseByTimer }: FillOptions): TitleFiller => {
  const ending = new AbortController()
  let waking = new AbortController()

  const fill = async (id: string): Promise<void> => {
    const thing = await replica.findThing(id)
    if (thing?.url !== undefined && isUntitled(thing)) {
      const { title = '' } = await previewLink(thing.url, { signal: ending.signal })
      const now = await replica.findThing(id)
      if (title.trim() !== '' && now !== undefined && isUntitled(now) && now.url === thing.url)
        await replica.change(id, { title: title.trim() })
    }
    missing.remove(id)
  }
  /** Fills the title of an item. Returns the pause before the next attempt, in milliseconds. */
  const attempt = async (id: string): Promise<number> => {
    try {
      await fill(id)
      return 0
    } catch (error) {
      if (ending.signal.aborted) return 0
      if (!isClientError(error)) throw error
      if (error.code === 'not_offered') missing.clear()
      else if (mayTryAgain(error)) return Math.max(pauseMilliseconds, (error.retryAfterSeconds ?? 0) * 1000)
      else missing.remove(id)
      return 0
    }
  }
  const work = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      if (waking.signal.aborted) waking = new AbortController()
      const id = missing.all.read().at(-1)
      const milliseconds = id === undefined ? undefined : await attempt(id)
      if (milliseconds !== 0) await pause(milliseconds, AbortSignal.any([ending.signal, waking.signal]))
    }
  }
  const wake = () => waking.abort()
  const unwatch = missing.all.watch(wake)
  const working = work()
  return {
    wake,
    close: async () => {
      unwatch()
      ending.abort()
      await working
    },
  }
}
