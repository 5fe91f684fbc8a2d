/** Where a server is: scheme, host and port, the path prefix without a slash at its end, and the base address of the API. */
export interface ServerPlace {
  readonly origin: string
  readonly prefix: string
  /** Ends in `/v1/`. */
  readonly baseUrl: string
}

/** What a server lets apps do; both may be switched off. */
export interface ServerSwitches {
  readonly passwordGrant: boolean
  readonly queryToken: boolean
}

/** The name of a server among others, which its metadata and its redirects carry (RFC 8414, RFC 9207). */
export const issuerOf = ({ origin, prefix }: Pick<ServerPlace, 'origin' | 'prefix'>): string => `${origin}${prefix}`

const clientMethods = ['client_secret_basic', 'client_secret_post', 'none']

/** What a server tells OAuth clients about itself (RFC 8414; `bearer_methods_supported` is one of RFC 9728). */
export const describeMetadata = (place: ServerPlace, { passwordGrant, queryToken }: ServerSwitches): object => {
  const issuer = issuerOf(place)
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${place.baseUrl}token`,
    revocation_endpoint: `${place.baseUrl}revoke`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', ...(passwordGrant ? ['password'] : [])],
    token_endpoint_auth_methods_supported: clientMethods,
    revocation_endpoint_auth_methods_supported: clientMethods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    bearer_methods_supported: ['header', 'body', ...(queryToken ? ['query'] : [])],
    service_documentation: `${issuer}/docs`,
  }
}

const wellKnown = '/.well-known/oauth-authorization-server'

/**
 * The paths of the metadata: where RFC 8414 puts it, which is before the path prefix, and below the prefix, where clients
 * look that append it, and where a proxy can pass it on.
 */
export const metadataPaths = (prefix: string): readonly string[] =>
  prefix === '' ? [wellKnown] : [wellKnown, `${wellKnown}${prefix}`, `${prefix}${wellKnown}`]
