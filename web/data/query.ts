import { foldText } from './fold-text.ts'

/** States that `is:` may ask for. */
const states = ['todo', 'open', 'done', 'archived', 'pending'] as const

/** A state of a thing: a todo, one that is not done, one that is, archived, or with edits that wait for the server. */
export type AskedState = (typeof states)[number]

/** One demand of a query, which a thing has to meet, or must not meet. */
export interface Term {
  readonly kind: 'word' | 'tag' | 'is'
  /** Folded words and tags; the name of the state. */
  readonly value: string
  readonly isNot: boolean
}

/** Characters of a query that count: a query may come with a link, and each of its words is compared with each other. */
export const maxQueryCharacters = 1_000

const termPattern = /(-?)(?:"([^"]*)"?|(\S+))/gu

const isState = (name: string): name is AskedState => (states as readonly string[]).includes(name)

/**
 * Reads what was typed into the search: words, `"several words"`, `#tag`, `is:todo`, `is:open`, `is:done`, `is:archived`,
 * `is:pending`, and any of them after `-`. What is none of these is a word; nothing is an error. What follows
 * `maxQueryCharacters` does not count.
 */
export const readQuery = (text: string): readonly Term[] =>
  [...text.slice(0, maxQueryCharacters).matchAll(termPattern)].flatMap(
    ([, minus, phrase, word = '']): readonly Term[] => {
      const isNot = minus === '-'
      if (phrase !== undefined) return phrase === '' ? [] : [{ kind: 'word', value: foldText(phrase), isNot }]
      if (word.startsWith('#')) return word === '#' ? [] : [{ kind: 'tag', value: foldText(word.slice(1)), isNot }]
      const state = /^is:(.+)$/iu.exec(word)?.[1]?.toLowerCase()
      if (state !== undefined && isState(state)) return [{ kind: 'is', value: state, isNot }]
      return [{ kind: 'word', value: foldText(word), isNot }]
    },
  )

/** The same text with this tag asked for, or without it when it was. */
export const toggleTagIn = (text: string, tag: string): string => {
  const words = text.split(/\s+/u).filter((word) => word !== '')
  const wanted = foldText(`#${tag}`)
  const others = words.filter((word) => foldText(word) !== wanted)
  return (others.length < words.length ? others : [...words, `#${tag}`]).join(' ')
}
