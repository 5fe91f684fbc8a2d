import type { App, RegistryReader } from '../store/registry/registry.ts'
import type { World } from '../world.ts'
import { isPublicApp } from './check-client.ts'
import { isContinuable } from './spare-sessions.ts'

/**
 * True when the user allowed this app before and need not be asked again: while a session lives that the web flow began
 * at the same redirect address, under the name that the app has now, and only where nobody else can take the app's
 * place, which is an https address of an app with a secret (RFC 8252, 8.6).
 */
export const hasConsented = async (
  registry: Pick<RegistryReader, 'listSessions'>,
  { userId, app, redirectUri }: { readonly userId: string; readonly app: App; readonly redirectUri: string },
  world: World,
): Promise<boolean> => {
  if (isPublicApp(app) || !redirectUri.startsWith('https://')) return false
  const sessions = await registry.listSessions(userId)
  return sessions.some(
    (session) =>
      session.clientId === app.clientId &&
      session.allowed?.name === app.name &&
      session.allowed.redirectUri === redirectUri &&
      isContinuable(session, world),
  )
}
