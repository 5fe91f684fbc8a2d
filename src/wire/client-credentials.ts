import { Refused } from '../refused.ts'

/** What an application proves itself with at the token endpoint (interface 5.1); one without a secret has only its id. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret?: string
}

/**
 * The credentials of the application, from HTTP Basic or from the form (RFC 6749, 2.3.1); undefined when there is no
 * client id. An empty secret is none. A `client_id` beside Basic is fine as long as it names the same application;
 * otherwise both ways at once are refused (`clientTwice`), and so are Basic credentials that are none
 * (`clientInvalid`).
 */
export const findClientCredentials = (
  authorization: string | undefined,
  form: { readonly client_id?: string | undefined; readonly client_secret?: string | undefined },
): ClientCredentials | undefined => {
  const { client_id: clientId = '', client_secret: clientSecret = '' } = form
  const basic = /^\s*basic(?:\s+(.*))?$/is.exec(authorization ?? '')
  if (basic === null) return clientId === '' ? undefined : toCredentials(clientId, clientSecret)

  const credentials = decodeBasic(basic[1] ?? '')
  if (clientSecret !== '' || (clientId !== '' && clientId !== credentials.clientId)) throw new Refused('clientTwice')
  return credentials
}

const decodeBasic = (base64: string): ClientCredentials => {
  const [, clientId, clientSecret] = /^([^:]*):(.*)$/s.exec(Buffer.from(base64, 'base64').toString('utf8')) ?? []
  if (clientId === undefined || clientSecret === undefined) throw new Refused('clientInvalid')
  return toCredentials(decodePart(clientId), decodePart(clientSecret))
}

const toCredentials = (clientId: string, clientSecret: string): ClientCredentials =>
  clientSecret === '' ? { clientId } : { clientId, clientSecret }

/** Many clients send the parts as they are; one that can't be percent-decoded is such a part. */
const decodePart = (part: string): string => {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch (error) {
    if (error instanceof URIError) return part
    throw error
  }
}
