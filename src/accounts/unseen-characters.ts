const unseen = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

/** Scripts in which a joiner or non-joiner between two letters is spelling: without it the word is another, or none. */
const joiningScripts = [
  ...['Arabic', 'Syriac', 'Nko', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil'],
  ...['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
]
const joiningLetter = `[${joiningScripts.map((script) => `\\p{Script=${script}}`).join('')}]`
const picture = String.raw`\p{Extended_Pictographic}`

/** Unseen characters where they change what is seen: in words of these scripts, in sequences that make one picture. */
const needed = new RegExp(
  [
    `(?<=${joiningLetter})[\\u200c\\u200d](?=${joiningLetter})`,
    `(?<=${picture}[\\ufe0f\\p{Emoji_Modifier}]?)\\u200d(?=${picture})`,
    `(?<=${picture})\\ufe0f`,
    String.raw`(?<=[\d#*])\ufe0f(?=\u20e3)`,
  ].join('|'),
  'gu',
)

/**
 * The first character of a name that people cannot see, or that changes the direction of others, and its place, the first
 * of all being 1; undefined when there is none. The joiners of the scripts that are spelled with them, and what holds the
 * parts of one emoji together, are no such characters in their places.
 */
export const findUnseen = (name: string): { readonly place: number; readonly codePoint: string } | undefined => {
  const wanted = new Set([...name.matchAll(needed)].map(({ index }) => index))
  for (const { index, 0: character } of name.matchAll(unseen)) {
    if (wanted.has(index)) continue
    const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return { place: [...name.slice(0, index)].length + 1, codePoint: `U+${hex}` }
  }
  return undefined
}

const replaceUnseen = (text: string, replace: (character: string) => string): string => {
  const wanted = new Set([...text.matchAll(needed)].map(({ index }) => index))
  return text.replace(unseen, (character, index: number) => (wanted.has(index) ? character : replace(character)))
}

/** A text that anybody may have chosen, as it can be shown: a question mark for each character that people cannot see. */
export const showSeen = (text: string): string => replaceUnseen(text, () => '?')

const escapeUnits = (character: string): string =>
  character.split('').reduce((all, unit) => `${all}\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`, '')

/** The same of a value, as JSON that means what it is: a terminal obeys some of what JSON leaves in its texts. */
export const showSeenJson = (value: unknown): string => replaceUnseen(JSON.stringify(value), escapeUnits)
