import type { IncomingMessage } from 'node:http'
import { Refused } from '../refused.ts'
import { runInSlices } from '../slices.ts'
import { decodeForm, decodeLongForm } from '../wire/decode-form.ts'
import { decodeJsonBody, decodeLongJsonBody } from '../wire/decode-json-body.ts'
import type { Spelling } from '../wire/gatherer.ts'
import { longBytes, readBody } from '../wire/read-body.ts'

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

/**
 * Reads the query, and the body when the operation has one. `bodyTypes` are the content types that it takes.
 */
export const readRequest = async (
  request: ApiRequest,
  bodyTypes: readonly string[],
  maxBodyBytes: number,
): Promise<RawRequest> => {
  let refusal: Refused | undefined
  const orRefuse = async (read: () => Fields | Promise<Fields>): Promise<Fields> => {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      refusal ??= error
      return none
    }
  }
  const query = request.query === '' ? none : await orRefuse(() => readQuery(request.query))
  const body = bodyTypes.length === 0 ? none : await orRefuse(() => readFields(request, bodyTypes, maxBodyBytes))
  return { query, body, refusal }
}

const readQuery = (query: string): Fields => ({ spelling: 'text', fields: decodeForm(Buffer.from(query)) })

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
