/** Calls back once, after so many milliseconds; ends when the result is called. Tests give one that they drive. */
export type SetTimer = (afterMs: number, onTime: () => void) => () => void

/** setTimeout takes no longer times: it calls back at once. */
const mostMs = 2 ** 31 - 1

/** The timer of the system. It keeps no process alive. */
export const systemTimer: SetTimer = (afterMs, onTime) => {
  const timer = setTimeout(onTime, Math.min(afterMs, mostMs))
  timer.unref()
  return () => clearTimeout(timer)
}
