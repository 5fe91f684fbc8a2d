import { useEffect, useState } from 'preact/hooks'
import type { Observable } from '../data/observable.ts'

/** The value of an observable; draws anew when it changes. */
export const useObservable = <T>(observable: Observable<T>): T => {
  const [, draw] = useState({})
  useEffect(() => {
    // It may have changed between the first drawing and now.
    draw({})
    return observable.watch(() => draw({}))
  }, [observable])
  return observable.read()
}
