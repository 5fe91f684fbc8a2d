import { createObservable, type Observable } from './data/observable.ts'

/** A newer build of the app that is ready to be used; undefined while there is none. */
export type Update = { readonly use: () => void } | undefined

/** A page that stays open for days looks this often whether there is a newer build. */
const lookAgainMilliseconds = 3_600_000

/**
 * Registers the service worker, by which the app starts without the network. A newer build waits until it is asked for, or
 * until no page of this one is open: what a person does is never broken off.
 */
export const watchUpdates = (home: string): Observable<Update> => {
  const update = createObservable<Update>(undefined)
  const { serviceWorker } = navigator
  if (serviceWorker === undefined) return update
  const offer = (worker: ServiceWorker): void => {
    const use = () => {
      serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
      worker.postMessage('take over')
    }
    if (worker.state === 'installed' && serviceWorker.controller !== null) update.set({ use })
  }
  const follow = (worker: ServiceWorker | null): void => {
    if (worker === null) return
    worker.addEventListener('statechange', () => offer(worker))
    offer(worker)
  }
  const register = async (): Promise<void> => {
    const registration = await serviceWorker.register(`${home}service-worker.js`, {
      scope: home,
      updateViaCache: 'none',
    })
    follow(registration.waiting)
    registration.addEventListener('updatefound', () => follow(registration.installing))
    // Without the network there is nothing newer.
    setInterval(() => registration.update().catch(() => undefined), lookAgainMilliseconds)
  }
  register().catch((error: unknown) => console.warn('the app will not start without the network', error))
  return update
}
