import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { useShared } from './desk-context.ts'
import { useObservable } from './use-observable.ts'

/** Numbers of things in the order of a list. */
export interface Found {
  readonly numbers: Uint32Array<ArrayBuffer>
  /** The query that they meet. */
  readonly query: string
  /** False while more of the same is looked for. */
  readonly isWhole: boolean
}

/** What meets the query now; until the first answer the newest things, where all are asked for, or undefined. */
export const useFound = (query: string): Found | undefined => {
  const { library, search } = useShared().desk
  const { revision } = useObservable(library.state)
  const [found, setFound] = useState<Found>()
  // Not after the next frame, as an effect would: the worker looks while this one is drawn.
  useLayoutEffect(() => {
    // Nothing was read yet.
    if (revision === 0) return
    let isLate = false
    const show = (isWhole: boolean) => (numbers: Uint32Array<ArrayBuffer>) => {
      // A part in the place of all that is shown of the same would move what is being read.
      if (!isLate) setFound((before) => (isWhole || before?.query !== query ? { numbers, query, isWhole } : before))
    }
    search.search(query, show(false)).then(({ found: numbers, isWhole }) => show(isWhole)(numbers))
    return () => {
      isLate = true
    }
  }, [search, query, revision])
  const first = useMemo((): Found | undefined => {
    const numbers = library.firstNumbers()
    return query === '' && numbers.length > 0 ? { numbers, query, isWhole: false } : undefined
  }, [library, query, revision])
  return found ?? first
}
