// Lets one of several tabs hold the replica, by a Web Lock and a BroadcastChannel.

/** Messages between the tabs about the lock: request it, take it, or announce a sign-in or sign-out. */
type Message = 'please' | 'now' | 'changed'

/** The lock of one tab. */
export interface TabLock {
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
  /** Called each time another tab has the lock, and when that may have another account. */
  readonly onElsewhere: () => void
  /** Whether this tab is visible. */
  readonly isSeen: () => boolean
}

const requestIntervalMilliseconds = 1_000

/** Runs work in one tab at a time. The other tabs wait and take over when it is closed or releases the lock. */
export const runInOneTab = ({ name, isWanted, work, onElsewhere, isSeen }: TabLockOptions): TabLock => {
  const channel = new BroadcastChannel(name)
  let isClosed = false
  let isWaiting = false
  let holding: AbortController | undefined
  const waiting = new AbortController()
  let checkAgain = () => {}
  const post = (message: Message) => {
    if (!isClosed) channel.postMessage(message)
  }
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data !== 'please' || !isSeen()) holding?.abort()
    if (data !== 'changed') return
    checkAgain()
    if (isWaiting) onElsewhere()
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
    isWaiting = true
    onElsewhere()
    const requestAgain = () => {
      if (isSeen()) post('please')
    }
    requestAgain()
    // Hidden tabs may come first in the queue. They receive a repeated request as soon as they get the lock.
    const timer = setInterval(requestAgain, requestIntervalMilliseconds)
    const end = () => {
      isWaiting = false
      clearInterval(timer)
    }
    try {
      await navigator.locks.request(name, { signal: waiting.signal }, (lock) => {
        end()
        return runWithLock(lock)
      })
    } finally {
      end()
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
