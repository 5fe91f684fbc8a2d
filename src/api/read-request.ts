import type { IncomingMessage } from 'node:http'
import { Refused } from '../refused.ts'
import { runBySize, runWhole, type Work } from '../slices.ts'
import { decodeForm } from '../wire/decode-form.ts'
import { decodeJsonBody } from '../wire/decode-json-body.ts'
import type { Presence } from '../wire/events.ts'
import type { Spelling } from '../wire/gatherer.ts'
import { longBytes } from '../wire/read-body.ts'
import type { Limits } from './limits.ts'

/** An HTTP request, as the API needs it. */
export interface ApiRequest {
  readonly method: string
  /** Path below the base address: `/thing/add`. */
  readonly path: string
  /** Query string without the question mark. */
  readonly query: string
  readonly authorization: string | undefined
  readonly contentType: string
  /** The message whose body is read, if the operation has one. */
  readonly message: IncomingMessage
  /** Tells a client that waits for it (`Expect: 100-continue`) to send the body. */
  readonly continueBody?: (() => void) | undefined
  /** Whether the caller still waits for the answer. */
  readonly presence: Presence
  /** Network address of the caller. */
  readonly address: string
  /** What its answer and the log call it. */
  readonly requestId: () => string
}

/** Fields as they were sent, by name, every repetition kept. */
export interface Fields {
  readonly spelling: Spelling
  readonly fields: readonly (readonly [name: string, value: unknown])[]
  /** They are so many bytes that they are read in slices. */
  readonly isLong?: boolean
}

/** What a query holds, or why it cannot be read; that is told only when it is known who asks. */
export interface Query {
  readonly fields: Fields
  readonly refusal: Refused | undefined
}

/** Nothing was sent. */
export const noFields: Fields = { spelling: 'text', fields: [] }
const noQuery: Query = { fields: noFields, refusal: undefined }

/** The content type of a form. */
export const formType = 'application/x-www-form-urlencoded'

/** The content type of a JSON body. */
export const jsonType = 'application/json'

/** Decodes a query string. */
export const readQuery = (query: string, { formFields }: Limits): Query => {
  if (query === '') return noQuery
  try {
    const fields: Fields = { spelling: 'text', fields: runWhole(decodeForm(Buffer.from(query), formFields)) }
    return { fields, refusal: undefined }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { fields: noFields, refusal: error }
  }
}

/** The access tokens among the fields; what cannot be one is a wrong one. */
export const tokensIn = ({ fields }: Fields): string[] => {
  const tokens: string[] = []
  for (const [name, value] of fields) {
    if (name === 'access_token' && value !== null) tokens.push(typeof value === 'string' ? value : ' ')
  }
  return tokens
}

/** The content type of a body without its parameters, '' when it has none. */
export const bodyTypeOf = ({ contentType }: ApiRequest): string =>
  contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''

/** The refusal of a content type that the operation does not take, with those that it takes. */
export const refuseType = (type: string, bodyTypes: readonly string[]): Refused => {
  const contentType = type === '' ? 'a body without a content type' : type.replace(/[^\x20-\x7e]/g, '?').slice(0, 60)
  return new Refused('unsupportedMediaType', { contentType, taken: bodyTypes.join(' or ') })
}

/** Decodes a body of at most `maxFields` fields, a long one in slices; most are short, and wait for nothing. */
export const decodeBody = (
  bytes: Buffer,
  type: string,
  maxFields: number,
  limits: Limits,
): Fields | Promise<Fields> => {
  const isLong = bytes.length >= longBytes
  return runBySize(decodeFields(bytes, type, { maxFields, limits, isLong }), isLong)
}

function* decodeFields(
  bytes: Buffer,
  type: string,
  { maxFields, limits, isLong }: { readonly maxFields: number; readonly limits: Limits; readonly isLong: boolean },
): Work<Fields> {
  if (type !== jsonType) return { spelling: 'text', fields: yield* decodeForm(bytes, maxFields), isLong }
  const fields = yield* decodeJsonBody(bytes, limits)
  if (fields.length <= maxFields) return { spelling: 'json', fields, isLong }
  throw new Refused('tooManyItems', { parameter: 'The request body', reason: `has more than ${maxFields} members` })
}
