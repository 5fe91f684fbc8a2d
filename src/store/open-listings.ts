import { type OpenListing, pagedDownloadSeconds } from './store.ts'

/** Open listings in process memory, of all sessions. Each is kept for `pagedDownloadSeconds`, unless too many are open. */
export interface OpenListings {
  readonly remember: (userId: string, writer: string, name: string, listing: OpenListing) => void
  readonly find: (userId: string, writer: string, name: string) => OpenListing | undefined
  /** The lowest position of a user's listings. */
  readonly lowestPosition: (userId: string) => number | undefined
}

const maxSessions = 10_000
const maxPerSession = 16

interface Remembered {
  readonly listing: OpenListing
  readonly expiresAt: number
}

/** Puts an entry at the end, and drops the oldest ones beyond `max`. */
const putNewest = <Value>(entries: Map<string, Value>, key: string, value: Value, max: number): void => {
  entries.delete(key)
  entries.set(key, value)
  for (const oldest of entries.keys()) {
    if (entries.size <= max) return
    entries.delete(oldest)
  }
}

/** No open listings. `now` gives Unix time in milliseconds. One session's listings never push out another's. */
export const createOpenListings = (now: () => number): OpenListings => {
  const sessions = new Map<string, Map<string, Remembered>>()
  const nameUser = (userId: string): string => `${JSON.stringify(userId)} `
  const nameSession = (userId: string, writer: string): string => nameUser(userId) + writer

  const remember: OpenListings['remember'] = (userId, writer, name, listing) => {
    const session = nameSession(userId, writer)
    const listings = sessions.get(session) ?? new Map<string, Remembered>()
    const expiresAt = now() + pagedDownloadSeconds * 1000
    putNewest(listings, name, { listing, expiresAt }, maxPerSession)
    putNewest(sessions, session, listings, maxSessions)
  }

  const find: OpenListings['find'] = (userId, writer, name) => {
    const remembered = sessions.get(nameSession(userId, writer))?.get(name)
    return remembered === undefined || remembered.expiresAt <= now() ? undefined : remembered.listing
  }

  const lowestPosition = (userId: string): number | undefined => {
    let lowest: number | undefined
    for (const [name, session] of sessions) {
      if (!name.startsWith(nameUser(userId))) continue
      for (const { listing, expiresAt } of session.values())
        if (expiresAt > now()) lowest = Math.min(listing.position, lowest ?? listing.position)
    }
    return lowest
  }

  return { remember, find, lowestPosition }
}
