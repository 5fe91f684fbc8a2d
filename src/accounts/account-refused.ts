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

/**
 * Refuses a name of a user, an app or a token that is empty, longer than 200 characters or not printable.
 * @throws AccountRefused
 */
export const refuseBadName = (whose: 'user' | 'app' | 'token', name: string): void => {
  // The length in code units first: spreading a name of megabytes would be work for nothing.
  const isTooLong = name.length > 2 * maxNameCharacters || [...name].length > maxNameCharacters
  if (name === '' || isTooLong || /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(name)) {
    throw new AccountRefused(
      `the name of the ${whose} must have 1 to ${maxNameCharacters} characters and no control characters`,
    )
  }
}
