import { ClientError } from '../../client/src/index.ts'
import { createObservable, type Observable } from './observable.ts'
import type { SessionStore } from './session.ts'

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
