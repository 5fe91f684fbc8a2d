import type { Behaviour } from './behaviour.ts'

/** Anything that JSON can hold, and anything that a fault may put in its place. */
export type Json = unknown

/** A JSON object under construction. */
export type JsonObject = Record<string, Json>

/** What a client can say about a thing (interface 2.1), decoded. */
export interface ThingFields {
  title: string
  tags: string
  date: number
  url: string | undefined
  html: string | undefined
  archived: boolean
  todoStatus: boolean | undefined
}

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
  /** For retries: `from` of an upload to the ids it gave, by local id (contract, sync 7). */
  readonly uploads: Map<number, Remembered>
  readonly pages: Map<number, Listing>
  /** Room for what a fault wants to remember. */
  readonly memory: Map<string, Json>
}

/** Everything of one user. */
export interface Account {
  readonly username: string
  readonly password: string
  readonly createdAt: number
  position: number
  things: Map<Json, Thing>
  tags: Map<string, StoredTag>
  readonly webhooks: Set<string>
  readonly devices: Set<string>
  /** Room for what a fault wants to remember. */
  readonly memory: Map<string, Json>
}

/** The whole server's state. */
export interface World {
  readonly clientId: string
  readonly clientSecret: string
  readonly accounts: Map<string, Account>
  readonly sessions: Session[]
  readonly behaviour: Behaviour
  readonly memory: Map<string, Json>
}

/** A user who can ask for tokens. */
export interface User {
  readonly username: string
  readonly password: string
}

/** An empty account at position 0. */
export function createAccount({ username, password }: User): Account {
  const createdAt = Math.floor(Date.now() / 1000)
  const [things, tags, memory] = [new Map(), new Map(), new Map()]
  return { username, password, createdAt, position: 0, things, tags, webhooks: new Set(), devices: new Set(), memory }
}
