import type { BrowserSession } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { isOver } from './token-pairs.ts'

/** A sign-in in a browser ends when it was not used for so long. */
export const idleSeconds = 30 * 24 * 3600

/** True when a sign-in in a browser was not used for 30 days (contract, the web flow). */
export const isIdle = ({ lastUsedAt }: BrowserSession, world: World): boolean => isOver(lastUsedAt + idleSeconds, world)

/** Forgets codes, links and sign-ins that are over. Whoever adds one calls it first, so that they never pile up. */
export const forgetEnded = ({ registry }: Pick<Store, 'registry'>, world: World): Promise<void> => {
  const expiredBy = world.now() / 1000
  return registry.forgetEnded({ expiredBy, unusedSince: expiredBy - idleSeconds })
}
