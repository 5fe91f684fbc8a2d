import type { BrowserSession, DirectoryDraft } from '../store/directory.ts'
import type { World } from '../world.ts'
import { isOver } from './token-pairs.ts'

/** A sign-in in a browser ends when it was not used for so long. */
export const idleSeconds = 30 * 24 * 3600

/** True when a sign-in in a browser was not used for 30 days (contract, the web flow). */
export const isIdle = ({ lastUsedAt }: BrowserSession, world: World): boolean => isOver(lastUsedAt + idleSeconds, world)

/** Removes codes, links and sign-ins that are over. Whoever adds one calls it, so that they never pile up. */
export const sweepExpired = async (directory: DirectoryDraft, world: World): Promise<void> => {
  for (const { hash, expiresAt } of await directory.listCodes()) {
    if (isOver(expiresAt, world)) await directory.deleteCode(hash)
  }
  for (const { hash, expiresAt } of await directory.listLinks()) {
    if (isOver(expiresAt, world)) await directory.deleteLink(hash)
  }
  for (const session of await directory.listBrowserSessions()) {
    if (isIdle(session, world)) await directory.deleteBrowserSession(session.hash)
  }
}
