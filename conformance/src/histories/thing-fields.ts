import type { Json, JsonObject } from '../json.ts'
import type { TagVersion, Version } from './plan.ts'

/** What a replica holds of a thing, as far as histories compare it. `todoStatus` depends on tag settings and is left out. */
export interface Fields {
  readonly title: string
  readonly tags: string
  readonly archived: boolean
  readonly url: string | undefined
  readonly html: string | undefined
  /** Unknown to the replica that created a thing without one. */
  readonly date: number | undefined
}

/** Title of one version, by which it is recognised wherever it turns up. */
export const titleOf = (version: Version, mark: string): string =>
  version.number === 1 ? `${mark} ${version.thing}` : `${mark} ${version.thing} ${version.number}`

/** The fields of one version; every field that the thing ever had is given again, because leaving one out is not settled. */
export const fieldsOf = (version: Version, mark: string): Fields => {
  const word = `${version.thing}-${version.number}`
  return {
    title: titleOf(version, mark),
    tags: version.number % 2 === 1 ? mark : `${mark} ${mark}-again`,
    archived: version.archived,
    url: version.rich ? `https://example.org/${word}` : undefined,
    html: version.rich ? `note ${word}` : undefined,
    date: version.rich ? 1_600_000_000 : undefined,
  }
}

/** The fields as an upload submits them (interface 2.1). */
export const submittedFields = (version: Version, mark: string): JsonObject => {
  const { title, tags, archived, url, html, date } = fieldsOf(version, mark)
  const rich = url === undefined || html === undefined || date === undefined ? {} : { date, url, html }
  return archived || version.number > 1 ? { title, tags, ...rich, archived } : { title, tags, ...rich }
}

const textOr = <T>(value: Json | undefined, otherwise: T): string | T => (typeof value === 'string' ? value : otherwise)

/** The fields of a listed thing (interface 2.1, returned form); a field of a wrong type is the business of other rules. */
export const readFields = (thing: JsonObject): Fields => ({
  title: textOr(thing.title, ''),
  tags: textOr(thing.tags, '').split(/\s+/).sort().join(' '),
  archived: thing.archived === true,
  url: textOr(thing.url, undefined),
  html: textOr(thing.html, undefined),
  date: typeof thing.date === 'number' ? thing.date : undefined,
})

/** Names of the fields in which two replicas differ; a date that one of them does not know is no difference. */
export const differingFields = (one: Fields, other: Fields): (keyof Fields)[] => {
  const names: (keyof Fields)[] = ['title', 'tags', 'archived', 'url', 'html']
  const differing = names.filter((name) => one[name] !== other[name])
  const bothDated = one.date !== undefined && other.date !== undefined
  return bothDated && one.date !== other.date ? [...differing, 'date'] : differing
}

/** Color of one version of a tag's settings, by which it is recognised. */
export const colorOf = (version: TagVersion): string => `#${(0x100000 + version.number * 0x1f3).toString(16)}`

/** A listed tag's color in a form that can be compared: letter case and the number sign don't count. */
export const readColor = (settings: JsonObject): string => {
  const color = typeof settings.color === 'string' ? settings.color : 'none'
  return `#${color.toLowerCase().replace(/^#/, '')}`
}
