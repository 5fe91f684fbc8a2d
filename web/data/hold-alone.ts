/** What tabs of the same app tell each other of who holds the replica. */
type Message = 'please' | 'now' | 'changed'

/** Where there are several tabs of the app, one holds the replica. */
export interface Tabs {
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
export interface TabsOptions {
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
export const holdAlone = ({ name, isWanted, work, onElsewhere, isSeen }: TabsOptions): Tabs => {
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
