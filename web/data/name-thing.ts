import type { Words } from '../words/en.ts'

/** What stands for a thing in a list: its title, else its address, else words that say that it has none. */
export const nameThing = (
  { title, url }: { readonly title: string; readonly url?: string | null | undefined },
  words: Words,
): string => [title, url ?? ''].find((name) => name.trim() !== '') ?? words.row.noTitle
