/** Thrown when users, apps, tokens or links cannot be changed; `sentence` advises the administrator what to do. */
export class AccountError extends Error {
  override readonly name = 'AccountError'
  readonly sentence: string

  constructor(sentence: string) {
    super(sentence)
    this.sentence = sentence
  }
}

const maxNameCharacters = 200

// Unicode counts the blank Braille pattern as a symbol, but it is invisible.
const visibleCharacter = /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * Validates the name of a user, an app or a token: at most 200 characters, at least one of them visible, and none that
 * is invisible or changes the direction of others (`findInvisible`).
 * @throws AccountError when the name is not allowed
 */
export const validateName = (owner: 'user' | 'app' | 'token', name: string): void => {
  const reject = (rule: string): never => {
    throw new AccountError(`the name of the ${owner} must have ${rule}`)
  }
  // Code units first: spreading a name of megabytes would waste time.
  const isTooLong = name.length > 2 * maxNameCharacters || [...name].length > maxNameCharacters
  const lengthRule = `1 to ${maxNameCharacters} characters, at least one of them visible`
  if (isTooLong) reject(lengthRule)
  const hidden = findInvisible(name)
  if (hidden !== undefined) {
    reject(
      `no invisible characters; character ${hidden.position} is ${hidden.codePoint}: type the name again without it`,
    )
  }
  if (!visibleCharacter.test(name)) reject(lengthRule)
}

const invisibleCharacters = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

/** Scripts whose spelling uses a joiner or non-joiner between two letters: without it, the word changes or is none. */
const joiningScripts = [
  ...['Arabic', 'Syriac', 'Nko', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil'],
  ...['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
]
const joiningLetter = `[${joiningScripts.map((script) => `\\p{Script=${script}}`).join('')}]`
const pictograph = String.raw`\p{Extended_Pictographic}`

/** Invisible characters that change the visible text: in words of these scripts, and inside an emoji sequence. */
const allowedInvisible = new RegExp(
  [
    `(?<=${joiningLetter})[\\u200c\\u200d](?=${joiningLetter})`,
    `(?<=${pictograph}[\\ufe0f\\p{Emoji_Modifier}]?)\\u200d(?=${pictograph})`,
    `(?<=${pictograph})\\ufe0f`,
    String.raw`(?<=[\d#*])\ufe0f(?=\u20e3)`,
  ].join('|'),
  'gu',
)

/**
 * Finds the first character of a name that is invisible or changes the direction of others, and its 1-based position.
 * Returns undefined when there is none. Two kinds are allowed in their positions: joiners in scripts that are spelled
 * with them, and the characters that join the parts of one emoji.
 */
export const findInvisible = (name: string): { readonly position: number; readonly codePoint: string } | undefined => {
  const allowed = new Set([...name.matchAll(allowedInvisible)].map(({ index }) => index))
  for (const { index, 0: character } of name.matchAll(invisibleCharacters)) {
    if (allowed.has(index)) continue
    const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return { position: [...name.slice(0, index)].length + 1, codePoint: `U+${hex}` }
  }
  return undefined
}

const replaceInvisible = (text: string, replace: (character: string) => string): string => {
  const allowed = new Set([...text.matchAll(allowedInvisible)].map(({ index }) => index))
  return text.replace(invisibleCharacters, (character, index: number) =>
    allowed.has(index) ? character : replace(character),
  )
}

/** Makes untrusted text safe to show: replaces each invisible character with a question mark. */
export const maskInvisible = (text: string): string => replaceInvisible(text, () => '?')

const escapeUnits = (character: string): string =>
  character.split('').reduce((all, unit) => `${all}\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`, '')

/** Formats a value as JSON and escapes invisible characters, because terminals obey some that JSON leaves unescaped. */
export const formatVisibleJson = (value: unknown): string => replaceInvisible(JSON.stringify(value), escapeUnits)
