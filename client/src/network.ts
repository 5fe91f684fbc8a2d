/**
 * What happened around the program: the device found or lost a network (`network`), or the page is looked at again
 * (`shown`), perhaps after a long sleep.
 */
export type NetworkChange = 'network' | 'shown'

/** Where a program hears of its network; `() => () => undefined` where there is nothing to hear. */
export type WatchNetwork = (listener: (change: NetworkChange) => void) => () => void

type Target = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

const isTarget = (value: unknown): value is Target =>
  typeof value === 'object' && value !== null && 'addEventListener' in value

/** What pages and workers are told by their browser; Node is told nothing. */
export const watchBrowserNetwork: WatchNetwork = (listener) => {
  const { document } = globalThis as { document?: Document }
  const onNetwork = () => listener('network')
  const onShown = () => {
    if (document?.visibilityState === 'visible') listener('shown')
  }
  const pairs: (readonly [target: unknown, name: string, listener: () => void])[] = [
    [globalThis, 'online', onNetwork],
    [globalThis, 'offline', onNetwork],
    [document, 'visibilitychange', onShown],
  ]
  for (const [target, name, one] of pairs) if (isTarget(target)) target.addEventListener(name, one)
  return () => {
    for (const [target, name, one] of pairs) if (isTarget(target)) target.removeEventListener(name, one)
  }
}
