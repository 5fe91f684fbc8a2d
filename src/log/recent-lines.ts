/** A line of the log that somebody should look at. */
export interface RecentLine {
  /** Unix time in seconds. */
  readonly at: number
  readonly level: 'warn' | 'error' | 'fatal'
  readonly message: string
}

/** The last warnings and the last errors of a run. */
export interface RecentLines {
  /** To be told of each line; `level` is pino's number. */
  readonly note: (level: number, message: string) => void
  /** The oldest first. */
  readonly list: () => readonly RecentLine[]
}

const mostOfKind = 20
const mostCharacters = 300
const warn = 40
const error = 50
const fatal = 60

/** Nothing went wrong yet; `now` is Unix time in milliseconds. Warnings, which strangers can cause, push out no errors. */
export const createRecentLines = (now: () => number): RecentLines => {
  const warnings: RecentLine[] = []
  const errors: RecentLine[] = []
  return {
    note: (level, message) => {
      if (level < warn) return
      const name = level >= fatal ? 'fatal' : level >= error ? 'error' : 'warn'
      const lines = name === 'warn' ? warnings : errors
      lines.push({ at: Math.floor(now() / 1000), level: name, message: message.slice(0, mostCharacters) })
      if (lines.length > mostOfKind) lines.shift()
    },
    list: () => [...warnings, ...errors].sort((a, b) => a.at - b.at),
  }
}
