import { createHash } from 'node:crypto'
import { join } from 'node:path'

/** What the names of accounts' files end in. */
export const accountEnding = '.ndjson'

/**
 * The path of an account's file under the accounts' folder. Ids that the server makes are file names as they are; any
 * other text is hashed, so that no name leaves the folder.
 */
export const locateAccount = (userId: string): string => {
  const hash = createHash('sha256').update(userId).digest('hex')
  const name = /^[A-Za-z0-9_-]{1,64}$/.test(userId) ? userId : `sha256.${hash}`
  return join(hash.slice(0, 2), `${name}${accountEnding}`)
}

/** The same path, found by the name of the file. */
export const locateByName = (name: string): string => {
  const [, hashed] = /^sha256\.([0-9a-f]{64})\.ndjson$/.exec(name) ?? []
  return hashed === undefined ? locateAccount(name.slice(0, -accountEnding.length)) : join(hashed.slice(0, 2), name)
}
