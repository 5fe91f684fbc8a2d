import type { BrowserSession, RegistryDraft } from '../store/registry/registry.ts'
import type { World } from '../world.ts'
import { isOver } from './token-pairs.ts'

/** A sign-in in a browser ends when it was not used for so long. */
export const idleSeconds = 30 * 24 * 3600

/** True when a sign-in in a browser was not used for 30 days (contract, the web flow). */
export const isIdle = ({ lastUsedAt }: BrowserSession, world: World): boolean => isOver(lastUsedAt + idleSeconds, world)

/** Removes codes, links and sign-ins that are over. Whoever adds one calls it, so that they never pile up. */
export const sweepExpired = async (registry: RegistryDraft, world: World): Promise<void> => {
  for (const { hash, expiresAt } of await registry.listCodes()) {
    if (isOver(expiresAt, world)) await registry.deleteCode(hash)
  }
  for (const { hash, expiresAt } of await registry.listLinks()) {
    if (isOver(expiresAt, world)) await registry.deleteLink(hash)
  }
  for (const session of await registry.listBrowserSessions()) {
    if (isIdle(session, world)) await registry.deleteBrowserSession(session.hash)
  }
}
