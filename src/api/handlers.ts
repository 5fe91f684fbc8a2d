import type { operations } from '../../generated/types.ts'
import type { Session } from '../store/registry/registry.ts'
import type { EventStream, Presence } from '../wire/event-stream.ts'
import type { Streamable } from '../wire/render-json.ts'

/** The operationIds of `openapi.yaml`. */
export type OperationId = keyof operations

/** The operations that need no access token. `npm run generate` checks that the document agrees. */
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

/** The type of a value whose null fields were dropped (`dropNulls`). */
export type WithoutNull<T> = T extends object ? { [Key in keyof T]: WithoutNull<NonNullable<T[Key]>> } : T

/** The decoded and valid parameters of an operation: the body of a POST, the query of a GET; without null fields. */
export type ParametersOf<Id extends OperationId> = WithoutNull<
  operations[Id] extends { requestBody?: { content: unknown } } ? BodyOf<operations[Id]> : QueryOf<operations[Id]>
>

/**
 * A response that the document declares for the operation: status with a JSON value and optional headers, or with
 * events.
 */
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

/** A response with a JSON value, of any operation. */
export interface JsonResponse {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly events?: undefined
}

/** A response with an event stream, which lasts as long as its client, of any operation. */
export interface EventsResponse {
  readonly status: number
  readonly events: EventStream
}

/** A response of any operation. */
export type ApiResponse = JsonResponse | EventsResponse

/** One call of an operation. */
export interface Call<Id extends OperationId> {
  readonly parameters: ParametersOf<Id>
  /** The session of the caller. */
  readonly session: Id extends PublicOperationId ? undefined : Session
  /** The access token if it was in header or query, as in every GET. */
  readonly accessToken: string | undefined
  /** Tells whether the caller still waits for the response. */
  readonly presence: Presence
  /** The Authorization header, for the credentials of an application. */
  readonly authorization: string | undefined
  /** The network address of the caller, for limits. */
  readonly address: string
  /** The User-Agent header of the caller. */
  readonly userAgent: string | undefined
  /** Returns the ID of the request in the response and the log. */
  readonly requestId: () => string
}

/** A function for each operation of the document; a missing one does not compile. */
export type Handlers = {
  readonly [Id in OperationId]: (call: Call<Id>) => Promise<ResponseOf<Id>>
}
