import { emptyFields, type ThingFields } from './thing-fields.ts'

/** Any JSON value, and any value that a fault may replace it by. */
export type Json = unknown

/** A JSON object under construction. */
export type JsonObject = Record<string, Json>

/** A stored thing, also after its deletion. */
export interface Thing {
  id: Json
  fields: ThingFields
  /** The fields at its creation; only faults use them. */
  readonly first: ThingFields
  /** The session that created it; only faults use it. */
  readonly author: Session
  /** The position of each session's last change. */
  readonly writers: Map<Session, number>
  position: number
  readonly created: number
  deleted: boolean
}

/** Settings of one tag (interface 2.2, returned form). */
export interface TagSettings {
  favorite: boolean
  color: false | string
  todo: false | 'strike' | 'dont-strike'
}

/** Tag settings and the position of their last change. */
export interface StoredTag {
  settings: TagSettings
  position: number
  /** The position of each session's last setting. */
  writers?: ReadonlyMap<Session, number>
}

/** One access token and its refresh token; `parent` is the pair that was refreshed into this one. */
export interface Pair {
  readonly access: string
  readonly request: string
  readonly parent: Pair | undefined
  used: boolean
}

/** A listing at one position, stored for the pages after the first. */
export interface Listing {
  readonly position: number
  readonly changed: readonly Listed[]
  readonly deleted: readonly Listed[]
  readonly tags: ReadonlyMap<string, Json>
}

/** One entry of a list: its id (for `skip_id`) and its returned form; for a deleted thing the id itself. */
export interface Listed {
  readonly id: Json
  readonly json: Json
}

/** The result of an upload of new things, by client-assigned ID: the id and the submitted fields. */
export type Remembered = Map<string, { readonly id: Json; readonly given: Partial<ThingFields> }>

/** One client of one user: it lasts from a password grant through its refreshes. */
export interface Session {
  readonly username: string
  readonly pairs: Pair[]
  revoked: boolean
  /** The application that began it. */
  readonly clientId: string
  /** Running requests that wait for changes. */
  waiting: number
  /** For safe retries: `from` of an upload to its new ids, by client-assigned ID (contract, sync 7). */
  readonly uploads: Map<number, Remembered>
  readonly pages: Map<number, Listing>
  /** Storage for faults. */
  readonly memory: Map<string, Json>
}

/** A message to a webhook, created once and sent until it is accepted. */
export interface Message {
  readonly id: string
  /** The position that it notifies of. */
  readonly to: number
  readonly body: string
  readonly tries: number
}

/** A registered webhook. */
export interface Hook {
  readonly target: string
  readonly event: string
  readonly clientId: string
  readonly secret: string
  readonly registeredAt: number
  /** The position up to which its receiver knows everything. */
  notified: number
  sending: Message | undefined
  /** Number of running requests to it. */
  underWay: number
  lastSuccess: number | undefined
  lastFailure: Json
}

/** A registered device. */
export interface Device {
  readonly type: string
  readonly id: string
  readonly fields: JsonObject
  readonly session: Session
}

/** Called for each write, with the session of the write. */
export type Watcher = (writer: Session) => void

/** All data of one user. */
export interface Account {
  readonly username: string
  readonly password: string
  readonly createdAt: number
  position: number
  things: Map<Json, Thing>
  tags: Map<string, StoredTag>
  readonly webhooks: Map<string, Hook>
  readonly devices: Map<string, Device>
  readonly watchers: Set<Watcher>
  /** Storage for faults. */
  readonly memory: Map<string, Json>
}

/** The state of the whole server. */
export interface ServerState {
  readonly clientId: string
  readonly clientSecret: string
  /** A second application. */
  readonly otherClient: { readonly clientId: string; readonly clientSecret: string }
  readonly accounts: Map<string, Account>
  readonly sessions: Session[]
  /** Takes the next position of an account. */
  readonly nextPosition: (account: Account) => number
  readonly memory: Map<string, Json>
  /** Number of messages on the way to all webhooks. */
  deliveries: number
  /** Functions that stop streams and timers when the server closes. */
  readonly closing: Set<() => void>
}

/** A user who can request tokens. */
export interface User {
  readonly username: string
  readonly password: string
}

/** Creates a thing of a session at a position; omitted fields are empty. */
export function createThing(session: Session, id: Json, given: Partial<ThingFields>, position: number): Thing {
  const fields = { ...emptyFields, ...given }
  const writers = new Map([[session, position]])
  return { id, fields, first: { ...fields }, author: session, writers, position, created: position, deleted: false }
}

/** Creates an empty account at position 0. */
export function createAccount({ username, password }: User): Account {
  const createdAt = Math.floor(Date.now() / 1000)
  const [things, tags, memory] = [new Map(), new Map(), new Map()]
  const notified = { webhooks: new Map(), devices: new Map(), watchers: new Set<Watcher>() }
  return { username, password, createdAt, position: 0, things, tags, ...notified, memory }
}

/** All errors: the status and code of the contract's table. */
export const apiErrors = {
  'parameter-invalid': [400, 'parameter_invalid'],
  'bad-json': [400, 'parameter_invalid'],
  'title-missing': [400, 'parameter_invalid'],
  'local-id-missing': [400, 'parameter_invalid'],
  'local-id-shared': [400, 'parameter_invalid'],
  'id-missing': [400, 'parameter_invalid'],
  'boolean-invalid': [400, 'parameter_invalid'],
  'number-invalid': [400, 'parameter_invalid'],
  'text-invalid': [400, 'parameter_invalid'],
  nul: [400, 'parameter_invalid'],
  'lone-surrogate': [400, 'parameter_invalid'],
  'color-invalid': [400, 'parameter_invalid'],
  'todo-invalid': [400, 'parameter_invalid'],
  'tag-not-map': [400, 'parameter_invalid'],
  'upload-in-get': [400, 'parameter_invalid'],
  'event-invalid': [400, 'parameter_invalid'],
  'target-invalid': [400, 'parameter_invalid'],
  'device-invalid': [400, 'parameter_invalid'],
  'device-keys-invalid': [400, 'parameter_invalid'],
  'target-forbidden': [400, 'parameter_invalid'],
  'hooks-many': [400, 'parameter_invalid'],
  'wait-invalid': [400, 'parameter_invalid'],
  'page-url-invalid': [400, 'parameter_invalid'],
  'thing-unknown': [404, 'not_found'],
  'operation-unknown': [404, 'not_found'],
  'method-wrong': [405, 'method_not_allowed'],
  'page-unavailable': [422, 'unavailable'],
  'body-large': [413, 'too_large'],
  'things-many': [413, 'too_large'],
  'content-type': [415, 'unsupported_media_type'],
  'token-missing': [401, 'invalid_request'],
  'token-invalid': [401, 'invalid_grant'],
  'token-twice': [400, 'invalid_request'],
  'grant-request': [400, 'invalid_request'],
  'code-missing': [400, 'invalid_request'],
  'grant-client': [401, 'invalid_client'],
  'grant-rejected': [400, 'invalid_grant'],
  'grant-unknown': [400, 'unsupported_grant_type'],
  throttled: [429, 'slow_down'],
  'waiting-many': [429, 'slow_down'],
} as const satisfies Record<string, readonly [number, string]>

/** Names of the errors. */
export type ErrorReason = keyof typeof apiErrors

/** Thrown to respond with an error object (interface 7). The server has applied nothing of the request. */
export class ApiError extends Error {
  readonly reason: ErrorReason
  readonly headers: Record<string, string>
  constructor(reason: ErrorReason, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.reason = reason
    this.headers = headers
  }
}
