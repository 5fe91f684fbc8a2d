import { createHash } from 'node:crypto'

/** Names that stand in a key as they are: for people who look, and shorter than what an index takes. */
const plain = /^[ -~]{0,120}$/

/**
 * The key of a name that somebody else chose: any text, of any length. The name itself stands in the row, as JSON, which
 * can hold what a text of the database cannot (NUL, half a surrogate pair).
 */
export const keyOfName = (name: string): string =>
  plain.test(name) ? `=${name}` : `#${createHash('sha256').update(JSON.stringify(name)).digest('base64url')}`

/** The key of a thing, living or deleted. */
export const keyOfThing = (id: string): string => `thing${keyOfName(id)}`

/** The key of a tag's settings. */
export const keyOfTag = (name: string): string => `tag${keyOfName(name)}`

/** The key of a kind and group of records; the length keeps any two pairs different. */
export const scopeOf = (kind: string, group: string): string => keyOfName(`${kind.length} ${kind}${group}`)
