import { emptyFields, type ThingFields } from './thing-fields.ts'

/** Anything that JSON can hold, and anything that a fault may put in its place. */
export type Json = unknown

/** A JSON object under construction. */
export type JsonObject = Record<string, Json>

/** A thing as the server keeps it, deleted ones included. */
export interface Thing {
  id: Json
  fields: ThingFields
  /** The fields it was created with; only faults look at them. */
  readonly first: ThingFields
  /** The session that created it; only faults look at it. */
  readonly author: Session
  /** Where each session changed it last. */
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
  /** The position at which each session set it last. */
  writers?: ReadonlyMap<Session, number>
}

/** One access token and its request token; `parent` is the pair that was refreshed into this one. */
export interface Pair {
  readonly access: string
  readonly request: string
  readonly parent: Pair | undefined
  used: boolean
}

/** A listing as of one position, kept for the pages that follow the first. */
export interface Listing {
  readonly position: number
  readonly changed: readonly Listed[]
  readonly deleted: readonly Listed[]
  readonly tags: ReadonlyMap<string, Json>
}

/** One entry of a list: its id (for `skip_id`) and its returned form; of a deleted thing the id itself. */
export interface Listed {
  readonly id: Json
  readonly json: Json
}

/** What an upload of new things gave, by local id: the id, and the fields that came with it. */
export type Remembered = Map<string, { readonly id: Json; readonly given: Partial<ThingFields> }>

/** One client of one user: it lives from a password grant on, through its refreshes. */
export interface Session {
  readonly username: string
  readonly pairs: Pair[]
  revoked: boolean
  /** The application that began it. */
  readonly clientId: string
  /** Requests under way that wait for changes. */
  waiting: number
  /** For retries: `from` of an upload to the ids it gave, by local id (contract, sync 7). */
  readonly uploads: Map<number, Remembered>
  readonly pages: Map<number, Listing>
  /** Room for what a fault wants to remember. */
  readonly memory: Map<string, Json>
}

/** A message to a webhook, made once and sent until it is taken. */
export interface Message {
  readonly id: string
  /** The position up to which it tells. */
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
  /** Requests to it that are under way. */
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

/** Told of each write, and by which session it came. */
export type Watcher = (writer: Session) => void

/** Everything of one user. */
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
  /** Room for what a fault wants to remember. */
  readonly memory: Map<string, Json>
}

/** The whole server's state. */
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
  /** Messages under way to all webhooks. */
  deliveries: number
  /** What has to be stopped when the server closes. */
  readonly closing: Set<() => void>
}

/** A user who can ask for tokens. */
export interface User {
  readonly username: string
  readonly password: string
}

/** Makes a thing that a session creates at a position; fields that are not given are empty. */
export function createThing(session: Session, id: Json, given: Partial<ThingFields>, position: number): Thing {
  const fields = { ...emptyFields, ...given }
  const writers = new Map([[session, position]])
  return { id, fields, first: { ...fields }, author: session, writers, position, created: position, deleted: false }
}

/** An empty account at position 0. */
export function createAccount({ username, password }: User): Account {
  const createdAt = Math.floor(Date.now() / 1000)
  const [things, tags, memory] = [new Map(), new Map(), new Map()]
  const notified = { webhooks: new Map(), devices: new Map(), watchers: new Set<Watcher>() }
  return { username, password, createdAt, position: 0, things, tags, ...notified, memory }
}

/** Every reason to refuse: the status and code of the contract's table. */
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
  'thing-unknown': [404, 'not_found'],
  'operation-unknown': [404, 'not_found'],
  'method-wrong': [405, 'method_not_allowed'],
  'body-large': [413, 'too_large'],
  'things-many': [413, 'too_large'],
  'content-type': [415, 'unsupported_media_type'],
  'token-missing': [401, 'invalid_request'],
  'token-invalid': [401, 'invalid_grant'],
  'token-twice': [400, 'invalid_request'],
  'grant-request': [400, 'invalid_request'],
  'code-missing': [400, 'invalid_request'],
  'grant-client': [401, 'invalid_client'],
  'grant-refused': [400, 'invalid_grant'],
  'grant-unknown': [400, 'unsupported_grant_type'],
  throttled: [429, 'slow_down'],
  'waiting-many': [429, 'slow_down'],
} as const satisfies Record<string, readonly [number, string]>

/** Names of the reasons to refuse. */
export type ErrorReason = keyof typeof apiErrors

/** A request that is answered with an error object (interface 7). Nothing of the request has been applied. */
export class ApiError extends Error {
  readonly reason: ErrorReason
  readonly headers: Record<string, string>
  constructor(reason: ErrorReason, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.reason = reason
    this.headers = headers
  }
}
