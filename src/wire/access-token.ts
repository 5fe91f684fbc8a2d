import { Refused } from '../refused.ts'

/** Where an access token was presented: the `Authorization` header, and every `access_token` of query and body. */
export interface TokenPresentations {
  readonly authorization: string | undefined
  readonly query: readonly string[]
  readonly body: readonly string[]
}

/**
 * The access token of a request (interface 5.3; contract, the access token): as query or body parameter, or in the header
 * as `Bearer T`, `OAuth T`, `Token T`, `T` or `<name>=T`, quoted or not. An empty token is an absent one and `Basic`
 * credentials are no access token. The same token may be presented more than once; different ones are refused
 * (`tokenTwice`); none is undefined.
 */
export const findAccessToken = ({ authorization, query, body }: TokenPresentations): string | undefined => {
  const inHeader = authorization === undefined ? '' : findHeaderToken(authorization)
  if (inHeader !== '' && query.length + body.length === 0) return inHeader
  const [token, ...others] = [inHeader, ...query, ...body].filter((presented) => presented !== '')
  if (others.some((other) => other !== token)) throw new Refused('tokenTwice')
  return token
}

/** The token of an Authorization header, '' when it holds none. */
const findHeaderToken = (authorization: string): string => {
  // As most clients send it, the tokens of this server at least.
  const plain = /^Bearer ([\w-]+)$/.exec(authorization)?.[1]
  if (plain !== undefined) return plain
  const value = authorization.trim()
  const [, scheme = '', credentials = ''] = /^(bearer|oauth|token)(?:\s+(.*))?$/is.exec(value) ?? ['', '', value]
  // RFC 6750 lets a bearer token end in =, so that `Bearer abc=` is no name with an empty value.
  if (scheme.toLowerCase() === 'bearer' && /^[\w.~+/-]+=+$/.test(credentials)) return credentials

  const named = /^[a-z][\w.-]*\s*=\s*(?:"([^"]*)"|([^\s",=][^\s",]*)?)$/i.exec(credentials)
  if (named !== null) return named[1] ?? named[2] ?? ''
  // After a scheme of ours whatever follows was meant as a token; alone, two words are another scheme (Basic, Digest).
  const isAnotherScheme = scheme === '' && (/\s/.test(credentials) || credentials.toLowerCase() === 'basic')
  return isAnotherScheme ? '' : credentials.replace(/^"(.*)"$/s, '$1')
}
