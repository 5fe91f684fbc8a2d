import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { type Refusal, type RefusalReason, refusals } from './refusal.ts'
import type { Account, Json, JsonObject, Session, World } from './world.ts'

/** One parameter: text from a query or form, or any value from a JSON body. */
export type Parameter = readonly [name: string, value: Json]

/** The last value of a parameter. */
export function findParameter(parameters: readonly Parameter[], name: string): Json {
  return parameters.findLast(([candidate]) => candidate === name)?.[1]
}

/** The three ways to present an access token (interface 5.3). */
export type TokenWay = 'header' | 'query' | 'form'

/** A request while it is being answered. */
export interface Exchange {
  readonly world: World
  readonly method: string
  readonly path: string
  /** What the Host header says. */
  readonly host: string
  readonly authorization: string | undefined
  readonly contentType: string
  readonly query: readonly Parameter[]
  body: readonly Parameter[]
  /** Query and body together; the body wins. */
  parameters: readonly Parameter[]
  session?: Session
  account?: Account
  way?: TokenWay
  /** Aborted when the client has gone. */
  readonly gone: AbortSignal
  /** The header Last-Event-ID. */
  readonly lastEventId: string | undefined
}

/** An answer before it is written: a string body is sent as it is, anything else as JSON. */
export interface Reply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Json
  /** Writes the body bit by bit, in place of `body`. */
  readonly stream?: (response: ServerResponse) => void
}

/** How requests are read and answers are written. */
export const rightRequests = {
  /** Waits before a request is looked at. */
  delay: async (_exchange: Exchange): Promise<void> => {},
  /** The bytes of a body, of the pieces in which it came. */
  bodyOf: (chunks: readonly Buffer[], _headers: IncomingHttpHeaders, _url: string): Buffer => Buffer.concat(chunks),
  /** The media type that a header Content-Type names, in lower case and without its parameters. */
  contentTypeOf: (header: string, _url: string): string => (header.split(';')[0] ?? '').trim().toLowerCase(),
  /** The text of a form before it is decoded. */
  formText: (text: string): string => text,
  authorizationOf: (request: IncomingMessage): string | undefined => request.headers.authorization,
  /** The parameters of a body, decoded. */
  form: (body: readonly Parameter[], _exchange: Exchange): readonly Parameter[] => body,
  /** The parameters as the server understands them. */
  parameters: (parameters: readonly Parameter[], _exchange: Exchange): readonly Parameter[] => parameters,
  /** Methods of operations beyond the right ones are answered as the right ones. */
  anyMethod: false,
  /** POST reads query parameters too. */
  readsQueryOfPost: true,
  /** Bodies as JSON are read. */
  readsJsonBody: true,
  /** A token in header or query is judged before the body is looked at. */
  tokenBeforeBody: true,
  /** Bytes of a JSON body without a valid token in header or query, and of the bodies of token and revoke. */
  maxUnknownBytes: 64 * 1024,
  /** Levels that JSON may nest. */
  maxJsonDepth: 32,
  /** null is the same as a parameter, field or setting that is absent. */
  nullIsAbsent: true,
  /** Reasons for which this server does not refuse. */
  overlooks: [] as readonly RefusalReason[],
  /** The error object of a refusal (interface 7). */
  errorBody: (refusal: Refusal): Json => ({
    error: refusals[refusal.reason][1],
    error_description: refusal.message,
  }),
  /** The HTTP status of a refusal (contract, errors). */
  errorStatus: (refusal: Refusal): number => refusals[refusal.reason][0],
  /** Last look at any answer. */
  reply: (reply: Reply, _exchange: Exchange): Reply => reply,
  /** The text of a JSON answer. */
  encode: (body: Json): string | Uint8Array => JSON.stringify(body),
  contentType: 'application/json; charset=utf-8',
  /** The Content-Encoding of an answer, of those that Accept-Encoding names. */
  compression: (accepted: string): 'gzip' | 'br' | undefined =>
    accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : undefined,
  /** Bytes a chunk and milliseconds between chunks; 0 sends the answer at once. */
  chunks: { bytes: 0, pause: 0 },
  /** The connection is closed after each answer, without a word in the answer. */
  closesQuietly: false,
  /** The connection is cut instead of answered. */
  hangsUp: false,
  /** A date may be text, a boolean may be any of its spellings (contract, requests). */
  readsNumberText: true,
  readsBooleanText: true,
  /** The letter case of a boolean's text is the same to this server. */
  booleanText: (text: string): string => text.toLowerCase(),
  /** Operations that this server has; undefined: all. */
  operations: undefined as readonly string[] | undefined,
  /** Last look at the answer to a sync. */
  syncAnswer: (answer: JsonObject, _exchange: Exchange): Json => answer,
}
