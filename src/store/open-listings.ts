import { type OpenListing, pagedDownloadSeconds } from './store.ts'

/** Open listings in process memory, of all sessions. Each stays for `pagedDownloadSeconds`, unless too many are open. */
export interface OpenListings {
  readonly remember: (userId: string, writer: string, name: string, listing: OpenListing) => void
  readonly find: (userId: string, writer: string, name: string) => OpenListing | undefined
  /** The lowest position of a user's listings. */
  readonly lowestPosition: (userId: string) => number | undefined
  /** Frees what is over. To be called now and then: a listing may hold all ids of a large upload. */
  readonly dropExpired: () => void
  /** Forgets the listings of a user who was removed. */
  readonly forget: (userId: string) => void
}

const maxSessions = 10_000
const maxPerSession = 16

interface Remembered {
  readonly listing: OpenListing
  readonly expiresAt: number
}

/** The listings of a session by their names, the newest last. */
interface SessionListings {
  readonly userId: string
  readonly listings: Map<string, Remembered>
}

/** Puts an entry at the end; the oldest ones beyond `max` are dropped. */
const putNewest = <Value>(entries: Map<string, Value>, key: string, value: Value, max: number): void => {
  entries.delete(key)
  entries.set(key, value)
  for (const oldest of entries.keys()) {
    if (entries.size <= max) break
    entries.delete(oldest)
  }
}

/**
 * No open listings. `elapsed` gives milliseconds since whenever and is never set back. One session's listings never push
 * out another's.
 */
export const createOpenListings = (elapsed: () => number): OpenListings => {
  const sessions = new Map<string, SessionListings>()
  const nameSession = (userId: string, writer: string): string => `${JSON.stringify(userId)} ${writer}`

  // All last as long, so in both maps the one that ends first stands first.
  const dropExpired = (): void => {
    for (const [name, session] of sessions) {
      for (const [listing, { expiresAt }] of session.listings) {
        if (expiresAt > elapsed()) break
        session.listings.delete(listing)
      }
      if (session.listings.size === 0) sessions.delete(name)
    }
  }

  const remember: OpenListings['remember'] = (userId, writer, name, listing) => {
    const sessionName = nameSession(userId, writer)
    const session = sessions.get(sessionName) ?? { userId, listings: new Map<string, Remembered>() }
    putNewest(session.listings, name, { listing, expiresAt: elapsed() + pagedDownloadSeconds * 1000 }, maxPerSession)
    putNewest(sessions, sessionName, session, maxSessions)
  }

  const find: OpenListings['find'] = (userId, writer, name) => {
    const remembered = sessions.get(nameSession(userId, writer))?.listings.get(name)
    return remembered === undefined || remembered.expiresAt <= elapsed() ? undefined : remembered.listing
  }

  const lowestPosition = (userId: string): number | undefined => {
    let lowest: number | undefined
    // Of all sessions: it is asked for once a second at most, while an account is written to.
    for (const session of sessions.values()) {
      if (session.userId !== userId) continue
      for (const { listing, expiresAt } of session.listings.values())
        if (expiresAt > elapsed()) lowest = Math.min(listing.position, lowest ?? listing.position)
    }
    return lowest
  }

  const forget = (userId: string): void => {
    for (const [name, session] of sessions) if (session.userId === userId) sessions.delete(name)
  }

  return { remember, find, lowestPosition, dropExpired, forget }
}
