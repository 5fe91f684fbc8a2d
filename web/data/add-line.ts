/** What one typed line says of a new thing. */
export interface AddedLine {
  readonly title: string
  /** Space-separated, each once (interface 2.1). */
  readonly tags: string
  readonly url?: string
}

const addressPattern = /^(?:https?:\/\/[^\s/]\S*|www\.[^\s.]+\.\S+)$/iu
const tagPattern = /^#[^\s#]\S*$/u

/**
 * Reads a line that a person typed or pasted: its first address, `#tag`s, and what is left as the title; a backslash
 * before `#` is taken away, and the word stays in the title. The address is the title of a thing without one. Undefined
 * when only tags, or nothing, were typed.
 */
export const readAddLine = (line: string): AddedLine | undefined => {
  const words: string[] = []
  const tags = new Set<string>()
  let url: string | undefined
  for (const word of line.split(/\s+/u)) {
    if (word === '') continue
    if (tagPattern.test(word)) tags.add(word.slice(1))
    else if (url === undefined && addressPattern.test(word)) url = /^www\./iu.test(word) ? `https://${word}` : word
    else words.push(/^\\+#/u.test(word) ? word.slice(1) : word)
  }
  const title = words.join(' ') || url
  if (title === undefined) return undefined
  return { title, tags: [...tags].join(' '), ...(url === undefined ? {} : { url }) }
}

/** Writes what another program says of a page so that `readAddLine` makes no tags of it: tags are what a person types. */
export const escapeTags = (text: string): string =>
  text
    .trim()
    .split(/\s+/u)
    .map((word) => (/^\\*#/u.test(word) ? `\\${word}` : word))
    .join(' ')

/** No host that a resolver takes has more, with each of its characters in percent signs. */
const maxHostCharacters = 1_000

/** The part with the host, credentials included. An address of mail or of a telephone has none. */
const hostPattern = /^[^:/\\?#]*:[/\\\s]*([^/\\?#]*)/u
const withoutHost = /^\s*(?:mailto|tel):/iu

/** A long host of letters beyond ASCII is written in others, in a time that grows with the square of its length. */
const hasLongHost = (address: string): boolean =>
  address.length > maxHostCharacters &&
  !withoutHost.test(address) &&
  (hostPattern.exec(address)?.[1]?.length ?? 0) > maxHostCharacters

/** The address as one that may be opened by a click; undefined for `javascript:` and all else that is no page. */
export const readSafeAddress = (address: string | undefined): URL | undefined => {
  if (address === undefined || hasLongHost(address) || !URL.canParse(address)) return undefined
  const url = new URL(address)
  return ['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol) ? url : undefined
}
