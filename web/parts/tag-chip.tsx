import type { TagSettings } from '../../client/src/index.ts'
import { inkOn } from '../data/ink-on.ts'
import { Link } from './link.tsx'

/** Settings of all tags, by name. */
export type AllTagSettings = ReadonlyMap<string, TagSettings>

/** A tag in its color, as a link to its things. */
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
  const style = color === false ? {} : { background: color, borderColor: color, color: inkOn(color) }
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
