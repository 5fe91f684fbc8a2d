/** Thrown when a command about users, apps and the like cannot be carried out; `sentence` tells the operator what to do. */
export class AccountRefused extends Error {
  override readonly name = 'AccountRefused'
  readonly sentence: string

  constructor(sentence: string) {
    super(sentence)
    this.sentence = sentence
  }
}

const maxNameCharacters = 200

const unseen = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u
// The empty pattern of Braille is a symbol to Unicode, and nothing to the eye.
const visible = /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * Refuses a name of a user, an app or a token that is longer than 200 characters, or that people do not see as it is:
 * without a visible character, or with one that cannot be seen or changes the direction of others.
 * @throws AccountRefused
 */
export const refuseBadName = (whose: 'user' | 'app' | 'token', name: string): void => {
  // The length in code units first: spreading a name of megabytes would be work for nothing.
  const isTooLong = name.length > 2 * maxNameCharacters || [...name].length > maxNameCharacters
  if (isTooLong || unseen.test(name) || !visible.test(name)) {
    throw new AccountRefused(
      `the name of the ${whose} must have 1 to ${maxNameCharacters} characters, and no control characters or others that cannot be seen`,
    )
  }
}
