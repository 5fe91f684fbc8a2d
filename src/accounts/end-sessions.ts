import type { DirectoryDraft } from '../store/directory.ts'
import { foldName } from '../store/fold-name.ts'

/** Ends all sign-ins of a user in browsers. */
export const endBrowserSessions = async (directory: DirectoryDraft, userId: string): Promise<void> => {
  for (const session of await directory.listBrowserSessions()) {
    if (session.userId === userId) await directory.deleteBrowserSession(session.hash)
  }
}

/**
 * Forgets the codes of a user that began no session yet: whoever ends a session means what it has under way as well. Used
 * ones stay, to be recognized.
 */
export const dropOpenCodes = async (directory: DirectoryDraft, userId: string): Promise<void> => {
  for (const { hash, userId: owner, sessionId } of await directory.listCodes()) {
    if (owner === userId && sessionId === undefined) await directory.deleteCode(hash)
  }
}

/** Forgets the codes and links of a user, which would open new sessions. */
export const dropCodesAndLinks = async (directory: DirectoryDraft, userId: string): Promise<void> => {
  for (const code of await directory.listCodes()) if (code.userId === userId) await directory.deleteCode(code.hash)
  for (const link of await directory.listLinks()) if (link.userId === userId) await directory.deleteLink(link.hash)
}

/** Ends the open invitations of a name, however it is written, so that none makes an account that nobody means to have. */
export const dropInvitations = async (directory: DirectoryDraft, name: string): Promise<void> => {
  for (const link of await directory.listLinks()) {
    const isOfName = link.name !== undefined && foldName(link.name) === foldName(name)
    if (link.kind === 'invitation' && isOfName) await directory.deleteLink(link.hash)
  }
}

/** Ends all that lets anybody act for a user: sessions of apps, personal tokens, browsers, codes and links. */
export const endAllSessions = async (directory: DirectoryDraft, userId: string): Promise<void> => {
  for (const session of await directory.listSessions(userId)) await directory.deleteSession(session.id)
  await endBrowserSessions(directory, userId)
  await dropCodesAndLinks(directory, userId)
}
