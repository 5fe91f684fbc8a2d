/** The key of the registry in the journal. */
export const registryKey = 'directory'

const accountPrefix = 'account '

/** The key of an account in the journal. */
export const encodeAccountKey = (userId: string): string => `${accountPrefix}${userId}`

/** The account of a key; undefined for that of the registry. */
export const findUserId = (key: string): string | undefined =>
  key.startsWith(accountPrefix) ? key.slice(accountPrefix.length) : undefined
