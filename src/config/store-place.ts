import { parseUrl } from '../parse-url.ts'

/** The address of a PostgreSQL database: `postgres://user@host:port/database`; what is left out comes from PG… variables. */
export type DatabaseUrl = `postgres://${string}` | `postgresql://${string}`

/** Where a server keeps everything. */
export type StorePlace = 'json' | 'memory' | DatabaseUrl

/** True when everything is kept in a database, which any number of processes may share. */
export const isDatabaseUrl = (place: string): place is DatabaseUrl => /^postgres(ql)?:\/\//.test(place)

/** Reads where a server keeps everything; undefined when it is no such place. */
export const readStorePlace = (text: string): StorePlace | undefined => {
  if (text === 'json' || text === 'memory') return text
  return readDatabaseUrl(text)
}

/** Reads the address of a database; undefined when it is none. */
export const readDatabaseUrl = (text: string): DatabaseUrl | undefined => {
  if (!isDatabaseUrl(text)) return undefined
  // One with a Unix socket in its query has no host, which URL refuses after a user name.
  return parseUrl(text.replace(/@\//, '@localhost/')) === undefined ? undefined : text
}

/** An address as it may be shown, also one that cannot be read: without its password, whatever stands in that. */
export const hidePassword = (text: string): string =>
  text.replace(/^(\w+:\/\/[^:@]*):.*@/s, '$1:***@').replace(/([?&]password=)[^&]*/g, '$1***')
