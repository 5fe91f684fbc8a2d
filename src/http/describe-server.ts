import { document } from '../../generated/document.ts'
import type { Limits } from '../api/limits.ts'
import type { Routes } from '../api/routes.ts'
import { issuerOf, type ServerPlace, type ServerSwitches } from '../oauth/metadata.ts'

/** What a server can do, as far as it is the same for everybody. */
export interface Abilities {
  readonly routes: Routes
  readonly limits: Pick<Limits, 'maxBodyBytes'>
  readonly switches: ServerSwitches
}

/**
 * What stands at the base address itself, for a client that wants to know before it signs in: which contract is kept, which
 * operations there are, what is switched off, and where everything else is told. Nothing of it is secret, and the version
 * of the program is not in it.
 */
export const describeServer = (place: ServerPlace, { routes, limits, switches }: Abilities): object => {
  const site = issuerOf(place)
  return {
    name: 'thingsync',
    contract: document.info.version,
    base_url: place.baseUrl,
    operations: Object.fromEntries([...routes].map(([path, methods]) => [path.slice(1), [...methods.keys()]])),
    password_grant: switches.passwordGrant,
    query_token: switches.queryToken,
    max_body_bytes: limits.maxBodyBytes,
    links: {
      openapi: `${site}/openapi.json`,
      documentation: `${site}/docs`,
      oauth_metadata: `${site}/.well-known/oauth-authorization-server`,
      health: `${site}/healthz`,
    },
  }
}
