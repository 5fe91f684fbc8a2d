import { AccountRefused } from '../accounts/account-refused.ts'

/** What is wrong with which field of a form, as sentences. */
export type Wrongs = Readonly<Record<string, string>>

// What sentences for the command line say about other commands.
const aboutCommands = / or use "user .*$| with "user promote NAME"$|; "(user|app) list".*$|; "user invitations".*$/s

/** A sentence of the accounts, as a page says it. */
export const sayRefused = ({ sentence }: AccountRefused): string => {
  const shown = sentence.replace(aboutCommands, '')
  return `${shown.charAt(0).toUpperCase()}${shown.slice(1)}.`
}

const fieldOf = (sentence: string): string => {
  if (sentence.startsWith('the password')) return 'password'
  return /redirect address/.test(sentence) ? 'redirect_uris' : 'name'
}

/**
 * Does what a form asks for; gives what is wrong with the form when the accounts refuse it.
 * @throws everything but AccountRefused
 */
export const tryForm = async <T>(
  work: () => Promise<T>,
): Promise<{ readonly done: T } | { readonly wrongs: Wrongs }> => {
  try {
    return { done: await work() }
  } catch (error) {
    if (error instanceof AccountRefused) return { wrongs: { [fieldOf(error.sentence)]: sayRefused(error) } }
    throw error
  }
}
