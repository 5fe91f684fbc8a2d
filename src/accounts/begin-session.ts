import type { AllowedApp, Origin, RegistryDraft } from '../store/registry/registry.ts'
import type { World } from '../world.ts'
import { dropSpareSessions } from './spare-sessions.ts'
import { type Grant, issuePair } from './token-pairs.ts'

/** Whose session begins, and how. */
export interface SessionStart {
  readonly userId: string
  readonly clientId: string
  readonly began: 'password' | 'code'
  readonly allowed?: AllowedApp | undefined
  readonly origin?: Origin | undefined
}

/** Begins a session within a change of the registry; gives its id and its first pair of tokens. */
export const beginSession = async (
  registry: RegistryDraft,
  { userId, clientId, began, allowed, origin }: SessionStart,
  world: World,
): Promise<{ readonly id: string; readonly grant: Grant }> => {
  await dropSpareSessions(registry, userId, world)
  const { grant, pair } = issuePair('current', world)
  const id = world.newId()
  const createdAt = Math.floor(world.now() / 1000)
  await registry.put('sessions', {
    id,
    userId,
    clientId,
    createdAt,
    pairs: [pair],
    began,
    ...(allowed === undefined ? {} : { allowed }),
    ...(origin === undefined ? {} : { origin }),
    lastUsedAt: createdAt,
  })
  return { id, grant }
}
