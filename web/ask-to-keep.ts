import type { Observable } from './data/observable.ts'
import type { Front } from './data/open-front.ts'

/**
 * Once there are things, asks the browser not to clear them when it wants room. Some ask the person, others decide by
 * themselves; a no changes nothing that can be seen, so nobody is told.
 */
export const askToKeep = (front: Observable<Front>): void => {
  const ask = async () => {
    if (!(await navigator.storage.persisted())) await navigator.storage.persist()
  }
  const unwatch = front.watch(() => {
    if (front.read().kind !== 'open') return
    unwatch()
    ask().catch((error: unknown) => console.info('the browser does not say whether it keeps what is here', error))
  })
}
