import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useShared } from './desk-context.ts'

/** A part of the app that is loaded when it is first drawn. `load` has to be the same function each time. */
export const Loaded = ({ load }: { readonly load: () => Promise<ComponentType> }) => {
  const say = useShared().desk.words.transferScreen
  const [part, setPart] = useState<{ readonly Part?: ComponentType; readonly failed?: true }>({})
  useEffect(() => {
    let isOver = false
    const set = (next: typeof part) => {
      if (!isOver) setPart(next)
    }
    load().then(
      (Part) => set({ Part }),
      // The file is gone with an older build, or there is no connection: a person can do the same about both.
      (fault: unknown) => {
        console.info('a part of the app could not be loaded', fault)
        set({ failed: true })
      },
    )
    return () => {
      isOver = true
    }
  }, [load])
  if (part.failed) {
    return (
      <p class="note bad" role="alert">
        {say.notLoaded}
      </p>
    )
  }
  if (part.Part === undefined) return <p aria-busy="true">{say.loading}</p>
  return <part.Part />
}
