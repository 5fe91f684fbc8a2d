import { Refused } from '../refused.ts'
import type { AuthorizationCode, DirectoryDraft, Origin } from '../store/directory.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { beginSession } from './begin-session.ts'
import { type ClientCredentials, checkClient, isPublicApp } from './check-client.ts'
import type { UserGrant } from './grants.ts'
import { hashSecret, isSameHash } from './hash.ts'
import { isSameRedirect } from './redirect-uris.ts'
import { sweepExpired } from './sweep-expired.ts'
import { isOver } from './token-pairs.ts'

/** What a code is bound to: the app, the user who allowed it, and the request of the web flow. */
export type CodeRequest = Pick<
  AuthorizationCode,
  'clientId' | 'userId' | 'redirectUri' | 'isRedirectNamed' | 'challenge'
>

const codeSeconds = 60
// A used one is recognized for as long as its session's first access token lasts.
const usedSeconds = 3600
const mostCodesOfUser = 50

/** Issues an authorization code: 60 s, once (contract, the web flow). Only its hash is kept. */
export const issueCode = async (store: Store, request: CodeRequest, world: World): Promise<string> => {
  const code = world.newSecret()
  const expiresAt = Math.floor(world.now() / 1000) + codeSeconds
  await store.directory.change(async (directory) => {
    await sweepExpired(directory, world)
    await dropSpareCodes(directory, request.userId)
    await directory.putCode({ ...request, hash: hashSecret(code), expiresAt })
  })
  return code
}

const dropSpareCodes = async (directory: DirectoryDraft, userId: string): Promise<void> => {
  const codes = (await directory.listCodes()).filter((code) => code.userId === userId)
  const oldest = codes.sort((a, b) => a.expiresAt - b.expiresAt)
  for (const { hash } of oldest.slice(0, Math.max(0, codes.length - mostCodesOfUser + 1)))
    await directory.deleteCode(hash)
}

/** The form of an authorization_code grant, decoded (contract, the web flow). */
export interface CodeGrant extends ClientCredentials {
  readonly code: string
  readonly redirectUri?: string | undefined
  readonly verifier?: string | undefined
}

/** True when everything that the code is bound to is given again. */
const isBoundTo = (found: AuthorizationCode, { clientId, code, redirectUri, verifier }: CodeGrant): boolean => {
  if (found.clientId !== clientId) return false
  if (redirectUri === undefined ? found.isRedirectNamed : !isSameRedirect(found.redirectUri, redirectUri, code)) {
    return false
  }
  // A verifier for a code without a challenge shows that somebody took the challenge away on the way (RFC 9700, 2.1.1).
  if (found.challenge === undefined || verifier === undefined) return found.challenge === verifier
  return isSameHash(hashSecret(verifier), found.challenge)
}

/**
 * Begins a session with a code. A code that comes a second time ends the session that it began (RFC 9700); one that comes
 * with something wrong stays good for whoever has the right things.
 * @throws Refused `clientInvalid`, `codeInvalid`
 */
export const grantByCode = async (store: Store, form: CodeGrant, world: World, origin?: Origin): Promise<UserGrant> => {
  await checkClient(store.directory, form)
  const granted = await store.directory.change(async (directory): Promise<UserGrant | undefined> => {
    const app = await checkClient(directory, form)
    const found = await directory.findCode(hashSecret(form.code))
    if (found === undefined || found.clientId !== form.clientId) return undefined
    if (found.sessionId !== undefined) {
      // Refused only after this change: what throws inside it is undone.
      await directory.deleteSession(found.sessionId)
      return undefined
    }
    if (isOver(found.expiresAt, world) || !isBoundTo(found, form)) return undefined
    if (isPublicApp(app) && found.challenge === undefined) return undefined
    const { userId, clientId } = found
    const user = await directory.findUser(userId)
    if (user === undefined || user.disabledAt !== undefined) return undefined
    const { id, grant } = await beginSession(directory, { userId, clientId, began: 'code', origin }, world)
    const expiresAt = Math.floor(world.now() / 1000) + usedSeconds
    await directory.putCode({ ...found, expiresAt, sessionId: id })
    return { ...grant, userId }
  })
  if (granted === undefined) throw new Refused('codeInvalid')
  return granted
}
