import type { IncomingMessage } from 'node:http'
import { Refused } from '../refused.ts'
import { runInSlices } from '../slices.ts'
import { decodeForm, decodeLongForm, longBytes } from '../wire/decode-form.ts'
import { decodeJsonBody, decodeLongJsonBody } from '../wire/decode-json-body.ts'
import type { Spelling } from '../wire/gatherer.ts'
import { readBody } from '../wire/read-body.ts'

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
  /** Network address of the caller. */
  readonly address: string
}

/** Fields as they were sent, by name, every repetition kept. */
export interface Fields {
  readonly spelling: Spelling
  readonly fields: readonly (readonly [name: string, value: unknown])[]
  /** They are so many bytes that they are read in slices. */
  readonly isLong?: boolean
}

/** The undecided request: what could not be read is refused only after the access token was judged. */
export interface RawRequest {
  readonly query: Fields
  readonly body: Fields
  readonly refusal: Refused | undefined
}

const none: Fields = { spelling: 'text', fields: [] }
const form = 'application/x-www-form-urlencoded'
const json = 'application/json'

/** Every content type that some operation takes. */
export const everyBodyType: readonly string[] = [form, json]

/** What was read, or why it is refused. */
interface Read {
  readonly fields: Fields
  readonly refusal?: Refused
}

/**
 * Reads the query, and the body when the operation has one. `bodyTypes` are the content types that it takes.
 */
export const readRequest = (
  request: ApiRequest,
  bodyTypes: readonly string[],
  maxBodyBytes: number,
): RawRequest | Promise<RawRequest> => {
  const query = readQuery(request.query)
  if (bodyTypes.length === 0) return { query: query.fields, body: none, refusal: query.refusal }
  return readFields(request, bodyTypes, maxBodyBytes)
    .then((fields): Read => ({ fields }), orRefuse)
    .then((body) => ({ query: query.fields, body: body.fields, refusal: query.refusal ?? body.refusal }))
}

const orRefuse = (error: unknown): Read => {
  if (!(error instanceof Refused)) throw error
  return { fields: none, refusal: error }
}

const readQuery = (query: string): Read => {
  if (query === '') return { fields: none }
  try {
    return { fields: { spelling: 'text', fields: decodeForm(Buffer.from(query)) } }
  } catch (error) {
    return orRefuse(error)
  }
}

const readFields = async (request: ApiRequest, bodyTypes: readonly string[], maxBodyBytes: number): Promise<Fields> => {
  const bytes = await readBody(request.message, maxBodyBytes)
  const type = request.contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (bytes.length === 0 && type === '') return none
  if (!bodyTypes.includes(type)) {
    throw new Refused('unsupportedMediaType', { contentType: showType(type) })
  }
  const isLong = bytes.length >= longBytes
  if (type === json) {
    const fields = isLong ? await runInSlices(decodeLongJsonBody(bytes)) : decodeJsonBody(bytes)
    return { spelling: 'json', fields, isLong }
  }
  return { spelling: 'text', fields: isLong ? await runInSlices(decodeLongForm(bytes)) : decodeForm(bytes), isLong }
}

const showType = (type: string): string =>
  type === '' ? `a body without a content type; send ${form}` : type.replace(/[^\x20-\x7e]/g, '?').slice(0, 60)
