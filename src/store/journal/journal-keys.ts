/** The key of the directory in the journal. */
export const directoryKey = 'directory'

const accountPrefix = 'account '

/** The key of an account in the journal. */
export const showAccountKey = (userId: string): string => `${accountPrefix}${userId}`

/** The account of a key; undefined for that of the directory. */
export const findUserId = (key: string): string | undefined =>
  key.startsWith(accountPrefix) ? key.slice(accountPrefix.length) : undefined
