import { useEffect, useState } from 'preact/hooks'
import { useShared } from './desk-context.ts'
import type { AllTagSettings } from './tag-chip.tsx'

/** The settings of all tags, as they are now. */
export const useTagSettings = (): AllTagSettings => {
  const { app, look } = useShared().desk
  const [settings, setSettings] = useState<AllTagSettings>(new Map())
  useEffect(() => {
    let isOver = false
    const read = () =>
      look(async () => {
        const next = await app.replica.listTags()
        if (!isOver) setSettings(next)
      })
    read()
    const unwatch = app.replica.watch(({ tags }) => {
      if (tags.size > 0) read()
    })
    return () => {
      isOver = true
      unwatch()
    }
  }, [app, look])
  return settings
}
