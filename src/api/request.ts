import type { IncomingMessage } from 'node:http'
import { ApiError } from '../api-error.ts'
import { runBySize, runToEnd, type Work } from '../scheduling.ts'
import type { Presence } from '../wire/event-stream.ts'
import { decodeForm } from '../wire/form.ts'
import { decodeJsonBody, type JsonLimits } from '../wire/json.ts'
import { declaredProperties, type JsonSchema } from '../wire/json-schema.ts'
import { gatherParameters, normalizeValues, type Spelling } from '../wire/parameters.ts'
import { longBytes } from '../wire/request-body.ts'
import type { Limits } from './limits.ts'
import type { Route } from './routes.ts'

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
  readonly error: ApiError | undefined
}

/** Nothing was sent. */
export const noFields: Fields = { spelling: 'text', fields: [] }
const noQuery: Query = { fields: noFields, error: undefined }

/** The content type of a form. */
export const formType = 'application/x-www-form-urlencoded'

/** The content type of a JSON body. */
export const jsonType = 'application/json'

/** Decodes a query string. */
export const decodeQuery = (query: string, { maxFormFields }: Limits): Query => {
  if (query === '') return noQuery
  try {
    const fields: Fields = { spelling: 'text', fields: runToEnd(decodeForm(Buffer.from(query), maxFormFields)) }
    return { fields, error: undefined }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { fields: noFields, error }
  }
}

/** The access tokens among the fields; what cannot be one is a wrong one. */
export const findTokens = ({ fields }: Fields): string[] => {
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
export const createMediaTypeError = (type: string, bodyTypes: readonly string[]): ApiError => {
  const contentType = type === '' ? 'a body without a content type' : type.replace(/[^\x20-\x7e]/g, '?').slice(0, 60)
  return new ApiError('unsupportedMediaType', { contentType, taken: bodyTypes.join(' or ') })
}

/** Decodes a body of at most `maxFields` fields, a long one in slices; most are short, and wait for nothing. */
export const decodeBody = (
  bytes: Buffer,
  type: string,
  maxFields: number,
  limits: Limits,
): Fields | Promise<Fields> => {
  const isLong = bytes.length >= longBytes
  return runBySize(decodeBodyFields(bytes, type, { maxFields, limits, isLong }), isLong)
}

function* decodeBodyFields(
  bytes: Buffer,
  type: string,
  { maxFields, limits, isLong }: { readonly maxFields: number; readonly limits: Limits; readonly isLong: boolean },
): Work<Fields> {
  if (type !== jsonType) return { spelling: 'text', fields: yield* decodeForm(bytes, maxFields), isLong }
  const fields = yield* decodeJsonBody(bytes, limits)
  if (fields.length <= maxFields) return { spelling: 'json', fields, isLong }
  throw new ApiError('tooManyItems', { parameter: 'The request body', reason: `has more than ${maxFields} members` })
}

type Parameters = Record<string, unknown>
type Violations = ReturnType<Route['validate']>

/** How many items of a list are coerced or judged at once. */
const itemsInPiece = 32

function* splitList(items: readonly unknown[]): Generator<readonly [start: number, piece: unknown[]]> {
  for (let start = 0; start < items.length; start += itemsInPiece)
    yield [start, items.slice(start, start + itemsInPiece)]
}

const isLongList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > itemsInPiece

const hasLongList = (parameters: Parameters): boolean => {
  for (const name in parameters) if (isLongList(parameters[name])) return true
  return false
}

/** What fields hold, in the shape and the spelling that the schema declares. */
export function* decodeParameters(
  { fields, spelling }: Fields,
  schema: JsonSchema,
  limits: JsonLimits,
): Work<Parameters> {
  if (fields.length === 0) return {}
  const gathered = yield* gatherParameters(fields, schema, spelling, limits)
  if (!hasLongList(gathered)) return normalizeValues(gathered, schema, spelling) as Parameters
  // A parameter is read by itself as it is among the others, and so is an item of a list.
  const readOne = (name: string, value: unknown): unknown =>
    (normalizeValues({ [name]: value }, schema, spelling) as Parameters)[name]
  const read: [string, unknown][] = []
  for (const [name, value] of Object.entries(gathered))
    read.push([
      name,
      isLongList(value) ? yield* readList(value, (piece) => readOne(name, piece)) : readOne(name, value),
    ])
  return Object.fromEntries(read)
}

function* readList(items: readonly unknown[], readPiece: (piece: unknown[]) => unknown): Work<unknown[]> {
  const read: unknown[] = []
  for (const [, piece] of splitList(items)) {
    for (const item of readPiece(piece) as unknown[]) read.push(item)
    yield
  }
  return read
}

/**
 * What the route's validators find first in parameters: the same errors as when all is judged at once. Each long list is
 * judged piece by piece; then all is judged once more with only the first wrong piece of each, or with any other.
 */
export function* findViolations(route: Route, parameters: Parameters): Work<Violations> {
  if (route.bodySchema === undefined) return route.validate({ query: parameters })
  return hasLongList(parameters) ? yield* findLongViolations(route, parameters) : route.validate({ body: parameters })
}

function* findLongViolations(route: Route, body: Parameters): Work<Violations> {
  const limits = declaredProperties(route.bodySchema ?? {})
  const starts = new Map<string, number>()
  const shortened: [string, unknown][] = []
  for (const [name, value] of Object.entries(body)) {
    // A list that is too long is refused for that, before its items are looked at.
    const isJudgedByItems = isLongList(value) && value.length <= (limits.get(name)?.maxItems ?? value.length)
    const piece = isJudgedByItems ? yield* findInvalidPiece(route, name, value, starts) : value
    shortened.push([name, piece])
  }
  const errors = route.validate({ body: Object.fromEntries(shortened) })
  if (errors.length === 0 && starts.size > 0) return route.validate({ body })
  return errors.map((error) => ({ ...error, instancePath: showWholePath(error.instancePath, starts) }))
}

function* findInvalidPiece(
  route: Route,
  name: string,
  items: readonly unknown[],
  starts: Map<string, number>,
): Work<readonly unknown[]> {
  for (const [start, piece] of splitList(items)) {
    if (route.validate({ body: { [name]: piece } }).length > 0) {
      starts.set(name, start)
      return piece
    }
    yield
  }
  return items.slice(0, itemsInPiece)
}

/** The path of an error in the whole list: `/new_thing/3/title` is that of a piece. */
const showWholePath = (path: string, starts: ReadonlyMap<string, number>): string => {
  const [, name = '', index, ...below] = path.split('/')
  const start = starts.get(name)
  return start === undefined || index === undefined ? path : ['', name, start + Number(index), ...below].join('/')
}
