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

/** The parts of an HTTP request that the API needs. */
export interface ApiRequest {
  readonly method: string
  /** Path below the base URL: `/thing/add`. */
  readonly path: string
  /** Query string without the question mark. */
  readonly query: string
  readonly authorization: string | undefined
  readonly contentType: string
  /** The message with the body, if the operation has one. */
  readonly message: IncomingMessage
  /** Sends `100 Continue` to a client that waits for it (`Expect: 100-continue`). */
  readonly continueBody?: (() => void) | undefined
  /** Tells whether the caller still waits for the response. */
  readonly presence: Presence
  /** The network address of the caller. */
  readonly address: string
  /** Returns the ID of the request in the response and the log. */
  readonly requestId: () => string
}

/** Fields by name as the client sent them, with all repetitions. */
export interface Fields {
  readonly spelling: Spelling
  readonly fields: readonly (readonly [name: string, value: unknown])[]
  /** True when the fields have so many bytes that they are processed in slices. */
  readonly isLong?: boolean
}

/** The fields of a query, or its error. The error is thrown only after the token was checked. */
export interface Query {
  readonly fields: Fields
  readonly error: ApiError | undefined
}

/** The fields of an empty query or body. */
export const noFields: Fields = { spelling: 'text', fields: [] }
const noQuery: Query = { fields: noFields, error: undefined }

/** The content type of a form. */
export const formType = 'application/x-www-form-urlencoded'

/** The content type of a JSON body. */
export const jsonType = 'application/json'

/** Decodes a query string. It returns an ApiError instead of throwing it. */
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

/** Finds the access tokens among the fields. A value that is no text counts as an invalid token. */
export const findTokens = ({ fields }: Fields): string[] => {
  const tokens: string[] = []
  for (const [name, value] of fields) {
    if (name === 'access_token' && value !== null) tokens.push(typeof value === 'string' ? value : ' ')
  }
  return tokens
}

/** Returns the content type of a body without its parameters; '' when it has none. */
export const bodyTypeOf = ({ contentType }: ApiRequest): string =>
  contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''

/** Creates the error for a content type that the operation does not accept. It lists the accepted ones. */
export const createMediaTypeError = (type: string, bodyTypes: readonly string[]): ApiError => {
  const contentType = type === '' ? 'a body without a content type' : type.replace(/[^\x20-\x7e]/g, '?').slice(0, 60)
  return new ApiError('unsupportedMediaType', { contentType, taken: bodyTypes.join(' or ') })
}

/**
 * Decodes a body of at most `maxFields` fields: a short one synchronously, a long one in slices.
 * @throws ApiError
 */
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

/** Number of list items that are coerced or validated at once. */
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

/** Decodes fields to parameters of the shapes and types that the schema declares. */
export function* decodeParameters(
  { fields, spelling }: Fields,
  schema: JsonSchema,
  limits: JsonLimits,
): Work<Parameters> {
  if (fields.length === 0) return {}
  const gathered = yield* gatherParameters(fields, schema, spelling, limits)
  if (!hasLongList(gathered)) return normalizeValues(gathered, schema, spelling) as Parameters
  // Normalizing a parameter, or an item of a list, alone gives the same result as normalizing all together.
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
 * Finds the first violations of the route's schemas in the parameters: the same errors as when all is validated at
 * once. Each long list is validated in pieces. Then all parameters are validated with only the first invalid piece of
 * each list, or with any piece of a valid list.
 */
export function* findViolations(route: Route, parameters: Parameters): Work<Violations> {
  if (route.bodySchema === undefined || !hasLongList(parameters)) return route.validate(parameters)
  return yield* findLongViolations(route, parameters)
}

function* findLongViolations(route: Route, body: Parameters): Work<Violations> {
  const limits = declaredProperties(route.bodySchema ?? {})
  const starts = new Map<string, number>()
  const shortened: [string, unknown][] = []
  for (const [name, value] of Object.entries(body)) {
    // A list that is too long is rejected for its length, before its items are validated.
    const isValidatedByItems = isLongList(value) && value.length <= (limits.get(name)?.maxItems ?? value.length)
    const piece = isValidatedByItems ? yield* findInvalidPiece(route, name, value, starts) : value
    shortened.push([name, piece])
  }
  const errors = route.validate(Object.fromEntries(shortened))
  if (errors.length === 0 && starts.size > 0) return route.validate(body)
  return errors.map((error) => ({ ...error, instancePath: showWholePath(error.instancePath, starts) }))
}

function* findInvalidPiece(
  route: Route,
  name: string,
  items: readonly unknown[],
  starts: Map<string, number>,
): Work<readonly unknown[]> {
  for (const [start, piece] of splitList(items)) {
    if (route.validate({ [name]: piece }).length > 0) {
      starts.set(name, start)
      return piece
    }
    yield
  }
  return items.slice(0, itemsInPiece)
}

/** Converts the path of an error in a piece (`/new_thing/3/title`) to its path in the whole list. */
const showWholePath = (path: string, starts: ReadonlyMap<string, number>): string => {
  const [, name = '', index, ...below] = path.split('/')
  const start = starts.get(name)
  return start === undefined || index === undefined ? path : ['', name, start + Number(index), ...below].join('/')
}
