/** A line of a list that is a link as Markdown has it. */
export interface MarkdownLink {
  readonly title: string
  readonly url: string
  readonly tags: readonly string[]
}

const bullet = /^[-*+]\s+/u
const address = /(?:https?|ftp):\/\/\S/iuy
const tagsBegin = /<!-- TAGS: /giu
const tagsEnd = ' -->'

/** The link that a line is, with the tags that buku writes behind it; undefined when it is none. */
export const readMarkdownLink = (line: string): MarkdownLink | undefined => {
  const text = line.replace(bullet, '').trimEnd()
  if (!text.startsWith('[') && !text.startsWith('<')) return undefined
  for (const { end, tags } of listEnds(text)) {
    const link = text.startsWith('[') ? readTitled(text, end) : readBare(text, end)
    if (link !== undefined) return { ...link, tags: tags?.split(',') ?? [] }
  }
  return undefined
}

/** Where the link may end: at the end of the text, or before one of what looks like tags, the last one first. */
const listEnds = (text: string): readonly { readonly end: number; readonly tags?: string }[] => {
  if (!text.endsWith(tagsEnd)) return [{ end: text.length }]
  const last = text.length - tagsEnd.length
  const ends = [...text.matchAll(tagsBegin)].flatMap(({ index, 0: mark }) => {
    const begin = index + mark.length
    return begin > last ? [] : [{ end: skipSpaceBack(text, index), tags: text.slice(begin, last) }]
  })
  return [{ end: text.length }, ...ends.reverse()]
}

const skipSpaceBack = (text: string, from: number): number => {
  let end = from
  while (end > 0 && /\s/u.test(text[end - 1] ?? '')) end--
  return end
}

const findSpaceBefore = (text: string, from: number): number => {
  let at = from - 1
  while (at >= 0 && !/\s/u.test(text[at] ?? '')) at--
  return at
}

// Titles and addresses may hold brackets: the last "](https://" parts them, and the address goes to the last ")".
const readTitled = (text: string, end: number): Omit<MarkdownLink, 'tags'> | undefined => {
  if (text[end - 1] !== ')') return undefined
  const begin = findSpaceBefore(text, end)
  for (let at = text.lastIndexOf('](', end); at > begin; at = at === 0 ? -1 : text.lastIndexOf('](', at - 1))
    if (at > 0 && isAddress(text, at + 2, end - 1))
      return { title: text.slice(1, at), url: text.slice(at + 2, end - 1) }
  return undefined
}

const readBare = (text: string, end: number): Omit<MarkdownLink, 'tags'> | undefined =>
  text[end - 1] === '>' && isAddress(text, 1, end - 1) && findSpaceBefore(text, end) < 0
    ? { title: '', url: text.slice(1, end - 1) }
    : undefined

const isAddress = (text: string, begin: number, end: number): boolean => {
  address.lastIndex = begin
  return address.test(text) && address.lastIndex <= end
}
