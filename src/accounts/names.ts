/** Thrown when a command about users, apps and the like cannot be carried out; `sentence` tells the operator what to do. */
export class AccountError extends Error {
  override readonly name = 'AccountError'
  readonly sentence: string

  constructor(sentence: string) {
    super(sentence)
    this.sentence = sentence
  }
}

const maxNameCharacters = 200

// The empty pattern of Braille is a symbol to Unicode, and nothing to the eye.
const visibleCharacter = /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * Refuses a name of a user, an app or a token that is longer than 200 characters, or that people do not see as it is:
 * without a visible character, or with one that cannot be seen or changes the direction of others (`findInvisible`).
 * @throws AccountError
 */
export const validateName = (whose: 'user' | 'app' | 'token', name: string): void => {
  const refuse = (what: string): never => {
    throw new AccountError(`the name of the ${whose} must have ${what}`)
  }
  // The length in code units first: spreading a name of megabytes would be work for nothing.
  const isTooLong = name.length > 2 * maxNameCharacters || [...name].length > maxNameCharacters
  const length = `1 to ${maxNameCharacters} characters, and one at least that can be seen`
  if (isTooLong) refuse(length)
  const hidden = findInvisible(name)
  if (hidden !== undefined) {
    refuse(
      `no characters that cannot be seen; character ${hidden.place} is one, ${hidden.codePoint}: type it anew without`,
    )
  }
  if (!visibleCharacter.test(name)) refuse(length)
}

const invisibleCharacters = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

/** Scripts in which a joiner or non-joiner between two letters is spelling: without it the word is another, or none. */
const joiningScripts = [
  ...['Arabic', 'Syriac', 'Nko', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil'],
  ...['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
]
const joiningLetter = `[${joiningScripts.map((script) => `\\p{Script=${script}}`).join('')}]`
const picture = String.raw`\p{Extended_Pictographic}`

/** Unseen characters where they change what is seen: in words of these scripts, in sequences that make one picture. */
const allowedInvisible = new RegExp(
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
export const findInvisible = (name: string): { readonly place: number; readonly codePoint: string } | undefined => {
  const wanted = new Set([...name.matchAll(allowedInvisible)].map(({ index }) => index))
  for (const { index, 0: character } of name.matchAll(invisibleCharacters)) {
    if (wanted.has(index)) continue
    const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return { place: [...name.slice(0, index)].length + 1, codePoint: `U+${hex}` }
  }
  return undefined
}

const replaceInvisible = (text: string, replace: (character: string) => string): string => {
  const wanted = new Set([...text.matchAll(allowedInvisible)].map(({ index }) => index))
  return text.replace(invisibleCharacters, (character, index: number) =>
    wanted.has(index) ? character : replace(character),
  )
}

/** A text that anybody may have chosen, as it can be shown: a question mark for each character that people cannot see. */
export const maskInvisible = (text: string): string => replaceInvisible(text, () => '?')

const escapeUnits = (character: string): string =>
  character.split('').reduce((all, unit) => `${all}\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`, '')

/** The same of a value, as JSON that means what it is: a terminal obeys some of what JSON leaves in its texts. */
export const formatVisibleJson = (value: unknown): string => replaceInvisible(JSON.stringify(value), escapeUnits)
