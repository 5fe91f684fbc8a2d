import type { operations } from '../../generated/types.ts'
import type { Session } from '../store/registry/registry.ts'
import type { EventStream, Presence } from '../wire/event-stream.ts'
import type { Streamable } from '../wire/render-json.ts'

/** The operationIds of `openapi.yaml`. */
export type OperationId = keyof operations

/** The operations that need no access token; that the document says the same is checked when the routes are made. */
export type PublicOperationId = 'grantToken' | 'revokeToken'

type JsonOf<T> = T extends { content: { 'application/json': infer Body } } ? Body : never

type BodyOf<T> = T extends { requestBody?: { content: infer Content } }
  ? Content extends { 'application/json': infer Json }
    ? Json
    : Content extends { 'application/x-www-form-urlencoded': infer Form }
      ? Form
      : never
  : object

type QueryOf<T> = T extends { parameters: { query?: infer Query } } ? NonNullable<Query> : object

/** The type of a value whose null fields were dropped (`wire/drop-nulls.ts`). */
export type WithoutNull<T> = T extends object ? { [Key in keyof T]: WithoutNull<NonNullable<T[Key]>> } : T

/** What a request of the operation says, decoded and valid: its body for a POST, its query for a GET; never null. */
export type ParametersOf<Id extends OperationId> = WithoutNull<
  operations[Id] extends { requestBody?: { content: unknown } } ? BodyOf<operations[Id]> : QueryOf<operations[Id]>
>

/** Every answer that the document declares for the operation: status, JSON value and, where needed, headers; or events. */
export type ResponseOf<Id extends OperationId> = {
  [Status in keyof operations[Id]['responses'] & number]: operations[Id]['responses'][Status] extends {
    content: { 'text/event-stream': string }
  }
    ? { readonly status: Status; readonly events: EventStream }
    : {
        readonly status: Status
        readonly body: Streamable<JsonOf<operations[Id]['responses'][Status]>>
        readonly headers?: Readonly<Record<string, string>>
      }
}[keyof operations[Id]['responses'] & number]

/** An answer of any operation that is a JSON value. */
export interface JsonResponse {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly events?: undefined
}

/** An answer of any operation that goes on for as long as its client stays. */
export interface EventsResponse {
  readonly status: number
  readonly events: EventStream
}

/** An answer of any operation. */
export type ApiResponse = JsonResponse | EventsResponse

/** One call of an operation. */
export interface Call<Id extends OperationId> {
  readonly parameters: ParametersOf<Id>
  /** Whose call it is. */
  readonly session: Id extends PublicOperationId ? undefined : Session
  /** The access token, when it was in header or query, as it is in every GET. */
  readonly accessToken: string | undefined
  /** Whether the caller still waits for the answer. */
  readonly presence: Presence
  /** The Authorization header, for the credentials of an application. */
  readonly authorization: string | undefined
  /** Network address of the caller, for limits. */
  readonly address: string
  /** What the caller's program says of itself. */
  readonly userAgent: string | undefined
  /** What the answer and the log call the request. */
  readonly requestId: () => string
}

/** One function for each operation of the document; a missing one does not compile. */
export type Handlers = {
  readonly [Id in OperationId]: (call: Call<Id>) => Promise<ResponseOf<Id>>
}
