import type { World } from './world.ts'

/** What a restart does to the state of a server. */
export const rightRestarts = {
  /** Between the end of the old process and the start of the new one; a right server forgets nothing. */
  restarted: (_world: World): void => {},
}
