import type { CSSProperties } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { TagSettings } from '../../client/src/index.ts'
import { Link, useShared } from './context.tsx'

/** The settings of all tags, by name. */
export type AllTagSettings = ReadonlyMap<string, TagSettings>

/**
 * Returns the style that gives an element of class `tag` its color; `style/tags.css` derives readable colors from it,
 * for light and dark.
 */
export const tagStyle = (name: string, settings: AllTagSettings): CSSProperties => {
  const color = settings.get(name)?.color ?? false
  return color === false ? {} : ({ '--tag': color } as CSSProperties)
}

/** A tag in its color, as a link to a search. */
export const TagChip = ({
  name,
  label = name,
  settings,
  isCurrent = false,
  query,
}: {
  readonly name: string
  /** The shown text; by default the name. */
  readonly label?: string
  readonly settings: AllTagSettings
  readonly isCurrent?: boolean
  readonly query: string
}) => (
  <Link
    to={{ screen: 'things', query }}
    class={isCurrent ? 'tag chip current' : 'tag chip'}
    style={tagStyle(name, settings)}
    aria-current={isCurrent ? 'true' : undefined}
  >
    <bdi>{label}</bdi>
  </Link>
)

/** Returns the current settings of all tags, and renders again after changes. */
export const useTagSettings = (): AllTagSettings => {
  const { app, load } = useShared().model
  const [settings, setSettings] = useState<AllTagSettings>(new Map())
  useEffect(() => {
    let isOver = false
    const read = () =>
      load(async () => {
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
  }, [app, load])
  return settings
}
