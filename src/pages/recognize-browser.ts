import type { SignedIn } from './page.ts'

/** Whose browser it is. */
export interface Recognized {
  readonly signedIn: SignedIn | undefined
  /** The secret of the session, or of one that has ended; undefined when nobody can tell which it is. */
  readonly sessionSecret: string | undefined
}

/**
 * Finds whose browser it is by the secrets of its session cookies. Without https others of the same host can plant a
 * cookie beside ours, and the browser does not say which is which: one of no living session is passed over, so that it
 * signs nobody out, but of two living sessions neither is believed.
 */
export const recognizeBrowser = async (
  secrets: readonly string[],
  findSignedIn: (secret: string) => Promise<SignedIn | undefined>,
): Promise<Recognized> => {
  const found = await Promise.all(
    secrets.map(async (sessionSecret) => ({ sessionSecret, signedIn: await findSignedIn(sessionSecret) })),
  )
  const living = found.filter(({ signedIn }) => signedIn !== undefined)
  const candidates = living.length === 0 ? found : living
  const [only] = candidates
  return only !== undefined && candidates.length === 1 ? only : { signedIn: undefined, sessionSecret: undefined }
}
