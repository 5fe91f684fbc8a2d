import { ApiError } from '../api-error.ts'
import { decodeTextFields } from './form.ts'

/** The access tokens that a request presents: the `Authorization` header, and each `access_token` of query and body. */
interface PresentedTokens {
  readonly authorization: string | undefined
  readonly query: readonly string[]
  readonly body: readonly string[]
}

/**
 * Finds the access token of a request (interface 5.3; contract, the access token): in query or body, or in the header
 * as `Bearer T`, `OAuth T`, `Token T`, `T` or `<name>=T`, quoted or not. An empty token counts as absent, and `Basic`
 * credentials are no access token. The same token may be presented more than once. Undefined without a token.
 * @throws ApiError `tokenTwice` for different tokens
 */
export const findAccessToken = ({ authorization, query, body }: PresentedTokens): string | undefined => {
  const inHeader = authorization === undefined ? '' : findHeaderToken(authorization)
  if (inHeader !== '' && query.length + body.length === 0) return inHeader
  const [token, ...others] = [inHeader, ...query, ...body].filter((presented) => presented !== '')
  if (others.some((other) => other !== token)) throw new ApiError('tokenTwice')
  return token
}

/** Finds the token of an Authorization header; '' when it holds none. */
const findHeaderToken = (authorization: string): string => {
  // The form in which most clients send the tokens of this server.
  const plain = /^Bearer ([\w-]+)$/.exec(authorization)?.[1]
  if (plain !== undefined) return plain
  const value = authorization.trim()
  const [, scheme = '', credentials = ''] = /^(bearer|oauth|token)(?:\s+(.*))?$/is.exec(value) ?? ['', '', value]
  // RFC 6750: a bearer token may end in =, so `Bearer abc=` is no name with an empty value.
  if (scheme.toLowerCase() === 'bearer' && /^[\w.~+/-]+=+$/.test(credentials)) return credentials

  const named = /^[a-z][\w.-]*\s*=\s*(?:"([^"]*)"|([^\s",=][^\s",]*)?)$/i.exec(credentials)
  if (named !== null) return named[1] ?? named[2] ?? ''
  // Behind a known scheme, everything is a token. Without one, two words are another scheme (Basic, Digest).
  const isAnotherScheme = scheme === '' && (/\s/.test(credentials) || credentials.toLowerCase() === 'basic')
  return isAnotherScheme ? '' : credentials.replace(/^"(.*)"$/s, '$1')
}

/** Searches an unauthenticated form for its access token while the form arrives. */
interface TokenSearch {
  /** Searches the next bytes; returns the first token that is complete and not empty. */
  readonly add: (chunk: Buffer) => string | undefined
  /** Ends the form; returns the token that is complete only now. */
  readonly end: () => string | undefined
}

const tokenFieldName = Buffer.from('access_token')
const ampersand = 0x26
const equals = 0x3d
const percent = 0x25

/** Maximum bytes of an encoded token; this server issues no longer ones. */
const maxTokenBytes = 1024

/** Stands for a value that cannot be a valid token. */
const invalidToken = ' '

/**
 * Creates a search that reads byte by byte. It decodes only tokens, and escapes in a name that may be `access_token`,
 * and it keeps only a token. It ignores broken escapes elsewhere.
 */
export const createTokenSearch = (): TokenSearch => {
  let part: 'name' | 'value' | 'rest' = 'name'
  let matched = 0
  // The digits behind a % in a name that have arrived.
  let digits: string | undefined
  let value: number[] = []

  const beginField = (): void => {
    part = 'name'
    matched = 0
    digits = undefined
    value = []
  }

  const matchByte = (byte: number): void => {
    if (byte === tokenFieldName[matched]) matched++
    else part = 'rest'
  }

  const readNameByte = (byte: number): void => {
    if (digits !== undefined) {
      digits += String.fromCharCode(byte)
      if (digits.length < 2) return
      matchByte(/^[\da-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : -1)
      digits = undefined
    } else if (byte === percent) digits = ''
    else if (byte === equals) part = matched === tokenFieldName.length ? 'value' : 'rest'
    else matchByte(byte)
  }

  const readToken = (): string | undefined => {
    if (part !== 'value' || value.length === 0) return undefined
    return value.length > maxTokenBytes ? invalidToken : decodeToken(Buffer.from(value))
  }

  return {
    add: (chunk) => {
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at] as number
        if (byte === ampersand) {
          const token = readToken()
          beginField()
          if (token !== undefined) return token
        } else if (part === 'name') readNameByte(byte)
        else if (part === 'value' && value.length <= maxTokenBytes) value.push(byte)
      }
      return undefined
    },
    end: readToken,
  }
}

const decodeToken = (written: Buffer): string => {
  try {
    const [field] = decodeTextFields(Buffer.concat([Buffer.from('='), written]), Number.POSITIVE_INFINITY)
    return field?.[1] ?? invalidToken
  } catch (error) {
    if (error instanceof ApiError) return invalidToken
    throw error
  }
}

/** The credentials of an app at the token endpoint (interface 5.1); a public client has only its id. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret?: string
}

/**
 * Finds the credentials of the app, from HTTP Basic or from the form (RFC 6749, 2.3.1); undefined without a client id.
 * An empty secret counts as absent. A `client_id` beside Basic must name the same app.
 * @throws ApiError `clientTwice` when both ways are used otherwise, `clientInvalid` for malformed Basic credentials
 */
export const findClientCredentials = (
  authorization: string | undefined,
  form: { readonly client_id?: string | undefined; readonly client_secret?: string | undefined },
): ClientCredentials | undefined => {
  const { client_id: clientId = '', client_secret: clientSecret = '' } = form
  const basic = /^\s*basic(?:\s+(.*))?$/is.exec(authorization ?? '')
  if (basic === null) return clientId === '' ? undefined : toCredentials(clientId, clientSecret)

  const credentials = decodeBasic(basic[1] ?? '')
  if (clientSecret !== '' || (clientId !== '' && clientId !== credentials.clientId)) throw new ApiError('clientTwice')
  return credentials
}

const decodeBasic = (base64: string): ClientCredentials => {
  const [, clientId, clientSecret] = /^([^:]*):(.*)$/s.exec(Buffer.from(base64, 'base64').toString('utf8')) ?? []
  if (clientId === undefined || clientSecret === undefined) throw new ApiError('clientInvalid')
  return toCredentials(decodePart(clientId), decodePart(clientSecret))
}

const toCredentials = (clientId: string, clientSecret: string): ClientCredentials =>
  clientSecret === '' ? { clientId } : { clientId, clientSecret }

/**
 * Decodes a part of Basic credentials. Many clients send it unencoded, so a part that cannot be decoded stays as it is.
 */
const decodePart = (part: string): string => {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch (error) {
    if (error instanceof URIError) return part
    throw error
  }
}
