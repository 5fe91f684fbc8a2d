import { useEffect, useState } from 'preact/hooks'
import type { TagSettings } from '../../client/src/index.ts'
import { Link, useShared } from './context.tsx'

/** Returns black or white, whichever is more readable on this color (`#rgb` or `#rrggbb`). */
export const findTextColor = (color: string): '#000' | '#fff' => {
  const digits = color.length === 4 ? [...color.slice(1)].map((digit) => digit + digit).join('') : color.slice(1)
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((start) => {
    const part = Number.parseInt(digits.slice(start, start + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  // At this relative luminance (WCAG 2), the contrast to black and to white is equal.
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff'
}

/** The settings of all tags, by name. */
export type AllTagSettings = ReadonlyMap<string, TagSettings>

/** A tag in its color, as a link to a search. */
export const TagChip = ({
  name,
  settings,
  isCurrent = false,
  query,
}: {
  readonly name: string
  readonly settings: AllTagSettings
  readonly isCurrent?: boolean
  readonly query: string
}) => {
  const color = settings.get(name)?.color ?? false
  const style = color === false ? {} : { background: color, borderColor: color, color: findTextColor(color) }
  return (
    <Link
      to={{ screen: 'things', query }}
      class={isCurrent ? 'tag chip current' : 'tag chip'}
      style={style}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <bdi>{name}</bdi>
    </Link>
  )
}

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
