/** A line of a list that is a link as Markdown has it. */
export interface MarkdownLink {
  readonly title: string
  readonly url: string
  readonly tags: readonly string[]
}

// Titles and addresses may hold brackets: the last "](https://" parts them, and the address goes to the last ")".
const link =
  /^(?:[-*+]\s+)?(?:\[(?<title>.*)\]\((?<to>(?:https?|ftp):\/\/\S+)\)|<(?<bare>(?:https?|ftp):\/\/\S+)>)\s*(?:<!-- TAGS: (?<tags>.*) -->)?$/iu

/** The link that a line is, with the tags that buku writes behind it; undefined when it is none. */
export const readMarkdownLink = (line: string): MarkdownLink | undefined => {
  const found = link.exec(line)?.groups
  const url = found?.to ?? found?.bare
  return url === undefined ? undefined : { url, title: found?.title ?? '', tags: found?.tags?.split(',') ?? [] }
}
