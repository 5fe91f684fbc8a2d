import { findUnseen } from './unseen-characters.ts'

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

// The empty pattern of Braille is a symbol to Unicode, and nothing to the eye.
const visible = /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * Refuses a name of a user, an app or a token that is longer than 200 characters, or that people do not see as it is:
 * without a visible character, or with one that cannot be seen or changes the direction of others (`findUnseen`).
 * @throws AccountRefused
 */
export const refuseBadName = (whose: 'user' | 'app' | 'token', name: string): void => {
  const refuse = (what: string): never => {
    throw new AccountRefused(`the name of the ${whose} must have ${what}`)
  }
  // The length in code units first: spreading a name of megabytes would be work for nothing.
  const isTooLong = name.length > 2 * maxNameCharacters || [...name].length > maxNameCharacters
  const length = `1 to ${maxNameCharacters} characters, and one at least that can be seen`
  if (isTooLong) refuse(length)
  const hidden = findUnseen(name)
  if (hidden !== undefined) {
    refuse(
      `no characters that cannot be seen; character ${hidden.place} is one, ${hidden.codePoint}: type it anew without`,
    )
  }
  if (!visible.test(name)) refuse(length)
}
