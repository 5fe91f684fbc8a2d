import { useEffect, useState } from 'preact/hooks'
import { useShared } from './desk-context.ts'
import { useObservable } from './use-observable.ts'

/** Numbers of things in the order of a list. */
export interface Found {
  readonly numbers: Uint32Array<ArrayBuffer>
  /** The query that they meet. */
  readonly query: string
}

/** What meets the query now; undefined until the first answer. */
export const useFound = (query: string): Found | undefined => {
  const { library, search } = useShared().desk
  const { revision } = useObservable(library.state)
  const [found, setFound] = useState<Found>()
  useEffect(() => {
    let isLate = false
    search.search(query).then((numbers) => {
      if (!isLate) setFound({ numbers, query })
    })
    return () => {
      isLate = true
    }
  }, [search, query, revision])
  return found
}
