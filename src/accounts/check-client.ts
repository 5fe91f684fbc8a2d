import { Refused } from '../refused.ts'
import type { App, RegistryReader } from '../store/registry/registry.ts'
import { hashSecret, isSameHash } from './hash.ts'

/** The credentials of an app (interface 5.1); a public app has no secret. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret?: string | undefined
}

/** True when the app was registered without a secret, because it could not keep one. */
export const isPublicApp = ({ secretHash }: App): boolean => secretHash === undefined

/**
 * Makes sure that the credentials are those of a registered app, and gives it. An empty secret is none.
 * @throws Refused `clientInvalid`
 */
export const checkClient = async (
  registry: Pick<RegistryReader, 'findApp'>,
  { clientId, clientSecret = '' }: ClientCredentials,
): Promise<App> => {
  const app = await registry.findApp(clientId)
  const { secretHash = '' } = app ?? {}
  const isRight =
    clientSecret === '' ? app !== undefined && isPublicApp(app) : isSameHash(hashSecret(clientSecret), secretHash)
  if (app === undefined || !isRight) throw new Refused('clientInvalid')
  return app
}
