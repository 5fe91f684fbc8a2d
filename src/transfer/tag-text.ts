/** Names of tags as the text that a thing has: what other programs allow inside a name, blanks, becomes a hyphen. */
export const joinTags = (names: Iterable<string>): string => {
  const tags = new Set<string>()
  for (const name of names) {
    const tag = name.trim().replace(/\s+/gu, '-')
    if (tag !== '') tags.add(tag)
  }
  return [...tags].join(' ')
}

/** The tags of a text of tags, each once, in their order. */
export const splitTags = (tags: string): string[] => [...new Set(tags.split(' '))].filter((tag) => tag !== '')
