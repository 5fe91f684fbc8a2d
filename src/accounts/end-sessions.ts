import { foldName } from '../store/registry/fold-name.ts'
import type { RegistryDraft } from '../store/registry/registry.ts'

/** Ends all sign-ins of a user in browsers. */
export const endBrowserSessions = async (registry: RegistryDraft, userId: string): Promise<void> => {
  for (const { hash } of await registry.listBrowserSessions(userId)) await registry.delete('browserSessions', hash)
}

/**
 * Forgets the codes of a user that began no session yet: whoever ends a session means what it has under way as well. Used
 * ones stay, to be recognized.
 */
export const dropOpenCodes = async (registry: RegistryDraft, userId: string): Promise<void> => {
  for (const { hash, sessionId } of await registry.listCodes(userId)) {
    if (sessionId === undefined) await registry.delete('codes', hash)
  }
}

/** Forgets the codes and links of a user, which would open new sessions. */
export const dropCodesAndLinks = async (registry: RegistryDraft, userId: string): Promise<void> => {
  for (const { hash } of await registry.listCodes(userId)) await registry.delete('codes', hash)
  for (const { hash } of await registry.listLinks(userId)) await registry.delete('links', hash)
}

/** Ends the open invitations of a name, however it is written, so that none makes an account that nobody means to have. */
export const dropInvitations = async (registry: RegistryDraft, name: string): Promise<void> => {
  const folded = foldName(name)
  for (const link of await registry.listInvitations()) {
    if (link.name !== undefined && foldName(link.name) === folded) await registry.delete('links', link.hash)
  }
}

/** Ends all that lets anybody act for a user: sessions of apps, personal tokens, browsers, codes and links. */
export const endAllSessions = async (registry: RegistryDraft, userId: string): Promise<void> => {
  for (const session of await registry.listSessions(userId)) await registry.delete('sessions', session.id)
  await endBrowserSessions(registry, userId)
  await dropCodesAndLinks(registry, userId)
}
