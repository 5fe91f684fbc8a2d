import { joinWholeLines } from './text-lines.ts'
import { createTransferThing, joinTags, type ReadFormat, type ReadItem, type TextChunks } from './transfer.ts'

const urlPattern = /(?:https?|ftp):\/\/\S+/iu

/** Reads lists: each line has a URL and perhaps a title, also as a Markdown link. Skips lines that begin with #. */
export const readList: ReadFormat = {
  name: 'list',
  extensions: ['txt'],
  allowsDuplicates: false,
  guess: (head) => urlPattern.test(head.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#')) ?? ''),
  read,
}

async function* read(chunks: TextChunks): AsyncGenerator<ReadItem, void, undefined> {
  for await (const { text, line } of joinWholeLines(chunks)) {
    const trimmed = text.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    const link = readMarkdownLink(trimmed)
    const url = link?.url ?? urlPattern.exec(trimmed)?.[0]
    if (url === undefined) yield { kind: 'problem', line, reason: 'there is no URL (http or https) in this line' }
    else {
      const title = link?.title ?? trimTitle(trimmed.replace(url, () => ' '))
      yield {
        kind: 'thing',
        line,
        thing: createTransferThing({ title: title || url, url, tags: joinTags(link?.tags ?? []) }),
      }
    }
  }
}

// Removes the separators between a URL and its title. A star at the end may be part of the title.
const trimTitle = (text: string): string => {
  let begin = 0
  while (begin < text.length && /[\s|,;*-]/u.test(text[begin] ?? '')) begin++
  let end = text.length
  while (end > begin && /[\s|,;-]/u.test(text[end - 1] ?? '')) end--
  return text.slice(begin, end)
}

/** A line of a list that is a Markdown link. */
interface MarkdownLink {
  readonly title: string
  readonly url: string
  readonly tags: readonly string[]
}

const bullet = /^[-*+]\s+/u
const urlStart = /(?:https?|ftp):\/\/\S/iuy
const tagsBegin = /<!-- TAGS: /giu
const tagsEnd = ' -->'

/** Reads a line that is a Markdown link, with the tags that buku writes after it. Undefined if the line is no link. */
const readMarkdownLink = (line: string): MarkdownLink | undefined => {
  const text = line.replace(bullet, '').trimEnd()
  if (!text.startsWith('[') && !text.startsWith('<')) return undefined
  for (const { end, tags } of listEnds(text)) {
    const link = text.startsWith('[') ? readTitled(text, end) : readBare(text, end)
    if (link !== undefined) return { ...link, tags: tags?.split(',') ?? [] }
  }
  return undefined
}

/**
 * Lists the possible ends of the link: the end of the text, and before each comment that looks like tags, last first.
 */
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

// Titles and URLs may contain brackets: the last "](https://" separates them, and the URL ends before the last ")".
const readTitled = (text: string, end: number): Omit<MarkdownLink, 'tags'> | undefined => {
  if (text[end - 1] !== ')') return undefined
  const begin = findSpaceBefore(text, end)
  for (let at = text.lastIndexOf('](', end); at > begin; at = at === 0 ? -1 : text.lastIndexOf('](', at - 1))
    if (at > 0 && isUrl(text, at + 2, end - 1)) return { title: text.slice(1, at), url: text.slice(at + 2, end - 1) }
  return undefined
}

const readBare = (text: string, end: number): Omit<MarkdownLink, 'tags'> | undefined =>
  text[end - 1] === '>' && isUrl(text, 1, end - 1) && findSpaceBefore(text, end) < 0
    ? { title: '', url: text.slice(1, end - 1) }
    : undefined

const isUrl = (text: string, begin: number, end: number): boolean => {
  urlStart.lastIndex = begin
  return urlStart.test(text) && urlStart.lastIndex <= end
}
