import { ApiError } from '../api-error.ts'
import { decodeTextFields } from './form.ts'

/** Where an access token was presented: the `Authorization` header, and every `access_token` of query and body. */
interface PresentedTokens {
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
export const findAccessToken = ({ authorization, query, body }: PresentedTokens): string | undefined => {
  const inHeader = authorization === undefined ? '' : findHeaderToken(authorization)
  if (inHeader !== '' && query.length + body.length === 0) return inHeader
  const [token, ...others] = [inHeader, ...query, ...body].filter((presented) => presented !== '')
  if (others.some((other) => other !== token)) throw new ApiError('tokenTwice')
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

/** Looks for the access token in a form whose sender is not known, while it arrives. */
interface TokenSearch {
  /** Looks through the next bytes; gives the first token that is not empty as soon as all of it was there. */
  readonly add: (chunk: Buffer) => string | undefined
  /** The token that the end of the form completes. */
  readonly end: () => string | undefined
}

const tokenFieldName = Buffer.from('access_token')
const ampersand = 0x26
const equals = 0x3d
const percent = 0x25

/** Bytes of a token as it is written; a longer one is none of this server's. */
const maxTokenBytes = 1024

/** Stands for what cannot be a valid token. */
const invalidToken = ' '

/**
 * A search that goes byte by byte, decodes nothing but a token and the escapes of a name that may be `access_token`, and
 * keeps nothing but a token. Broken escapes elsewhere are no business of its.
 */
export const createTokenSearch = (): TokenSearch => {
  let place: 'name' | 'value' | 'rest' = 'name'
  let matched = 0
  // Those that follow a % in a name, as far as they arrived.
  let digits: string | undefined
  let value: number[] = []

  const beginField = (): void => {
    place = 'name'
    matched = 0
    digits = undefined
    value = []
  }

  const matchByte = (byte: number): void => {
    if (byte === tokenFieldName[matched]) matched++
    else place = 'rest'
  }

  const readNameByte = (byte: number): void => {
    if (digits !== undefined) {
      digits += String.fromCharCode(byte)
      if (digits.length < 2) return
      matchByte(/^[\da-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : -1)
      digits = undefined
    } else if (byte === percent) digits = ''
    else if (byte === equals) place = matched === tokenFieldName.length ? 'value' : 'rest'
    else matchByte(byte)
  }

  const readToken = (): string | undefined => {
    if (place !== 'value' || value.length === 0) return undefined
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
        } else if (place === 'name') readNameByte(byte)
        else if (place === 'value' && value.length <= maxTokenBytes) value.push(byte)
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

/** Many clients send the parts as they are; one that can't be percent-decoded is such a part. */
const decodePart = (part: string): string => {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch (error) {
    if (error instanceof URIError) return part
    throw error
  }
}
