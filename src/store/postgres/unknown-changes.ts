/** Positions after one and up to another. */
export interface Span {
  readonly after: number
  readonly upTo: number
}

/** Changes of one account of which it is known here that they were made, and not by whom. */
export interface UnknownChanges {
  /** `onEnd` is called with the last of them when nobody has said in time who made them all. */
  readonly add: (span: Span, onEnd: (position: number) => void) => void
  /** Who made these is known now; gives whether it was not before. */
  readonly settle: (span: Span) => boolean
  readonly forgetAll: () => void
}

/** So long a notice may be behind the change itself, or behind a later one. Milliseconds. */
const patienceMilliseconds = 2000

const without = (spans: readonly Span[], { after, upTo }: Span): readonly Span[] =>
  spans
    .flatMap((span) => [
      { after: span.after, upTo: Math.min(span.upTo, after) },
      { after: Math.max(span.after, upTo), upTo: span.upTo },
    ])
    .filter((span) => span.after < span.upTo)

/** All is known. */
export const createUnknownChanges = (): UnknownChanges => {
  const found = new Map<NodeJS.Timeout, readonly Span[]>()

  return {
    add: (span, onEnd) => {
      if (span.after >= span.upTo) return
      const timer = setTimeout(() => {
        const last = found.get(timer)?.at(-1)
        found.delete(timer)
        if (last !== undefined) onEnd(last.upTo)
      }, patienceMilliseconds).unref()
      found.set(timer, [span])
    },
    settle: (span) => {
      let isNew = false
      for (const [timer, spans] of found) {
        const left = without(spans, span)
        const size = (all: readonly Span[]): number => all.reduce((sum, { after, upTo }) => sum + upTo - after, 0)
        if (size(left) === size(spans)) continue
        isNew = true
        found.set(timer, left)
      }
      return isNew
    },
    forgetAll: () => {
      for (const timer of found.keys()) clearTimeout(timer)
      found.clear()
    },
  }
}
