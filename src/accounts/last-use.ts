import type { RegistryDraft } from '../store/registry/registry.ts'
import { type Store, StoreFailed } from '../store/store.ts'
import type { World } from '../world.ts'

const noteSeconds = 3600

/** True when a last use, in Unix seconds, was noted more than an hour ago, so that hardly a request waits for the disk. */
export const isNoteDue = (lastUsedAt: number | undefined, world: World): boolean =>
  world.now() >= ((lastUsedAt ?? 0) + noteSeconds) * 1000

/** Notes a last use. A store that cannot be written, on a full disk, must not keep people from reading: then it is not. */
export const noteUse = async (store: Store, note: (registry: RegistryDraft) => Promise<void>): Promise<void> => {
  try {
    await store.registry.change(note)
  } catch (error) {
    if (!(error instanceof StoreFailed)) throw error
  }
}
