import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { rightDelivery, rightLive, rightPush } from './right-delivery.ts'
import {
  type Account,
  ApiError,
  apiErrors,
  type ErrorReason,
  type Json,
  type JsonObject,
  type Listed,
  type Pair,
  type Remembered,
  type ServerState,
  type Session,
  type StoredTag,
  type TagSettings,
  type Thing,
} from './state.ts'
import { showFields, type ThingFields } from './thing-fields.ts'

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
  readonly state: ServerState
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
const rightRequests = {
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
  overlooks: [] as readonly ErrorReason[],
  /** The error object of a refusal (interface 7). */
  errorBody: (apiError: ApiError): Json => ({
    error: apiErrors[apiError.reason][1],
    error_description: apiError.message,
  }),
  /** The HTTP status of a refusal (contract, errors). */
  errorStatus: (apiError: ApiError): number => apiErrors[apiError.reason][0],
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
  syncResponse: (response: JsonObject, _exchange: Exchange): Json => response,
}

/** A session and the pair of it that a token belongs to. */
export interface Found {
  readonly session: Session
  readonly pair: Pair
}

/** The pair that holds a token of one kind, unless its session has ended. */
export function findPair(state: ServerState, kind: 'access' | 'request', token: string): Found | undefined {
  for (const session of state.sessions) {
    const pair = session.pairs.find((candidate) => candidate[kind] === token)
    if (pair !== undefined && !session.revoked) return { session, pair }
  }
  return undefined
}

/** Tokens: how they are granted, presented and looked up (interface 5). */
const rightTokens = {
  /** A new access or request token; `previous` is the one that it replaces in a refresh. */
  newToken: (_kind: 'access' | 'request', _username: string, _previous: string | undefined): string =>
    randomBytes(24).toString('base64url'),
  /** The form parameter that the refresh grant reads. */
  refreshParameter: 'refresh_token',
  passwordAccepted: (account: Account | undefined, password: string): boolean => account?.password === password,
  /** The account of a user name. */
  findAccount: (state: ServerState, username: string): Account | undefined => state.accounts.get(username),
  clientAccepted: (state: ServerState, id: string, secret: string, _grant: string): boolean =>
    (id === state.clientId && secret === state.clientSecret) ||
    (id === state.otherClient.clientId && secret === state.otherClient.clientSecret),
  findRequestToken: (state: ServerState, token: string): Found | undefined => findPair(state, 'request', token),
  findAccessToken: (state: ServerState, token: string, _way: TokenWay, _exchange: Exchange): Found | undefined =>
    findPair(state, 'access', token),
  /** The grant that is meant by a `grant_type`. */
  grantType: (grantType: string): string => grantType,
  /** Form bodies are read at the token endpoint. */
  tokenReadsForm: true,
  /** Client credentials may come as HTTP Basic. */
  readsBasic: true,
  /** Presenting a request token whose successor was used ends the session. */
  endsReusedSession: true,
  /** An old request token works until the new pair is used. */
  toleratesLostRefresh: true,
  /** Whose session a refresh continues. */
  refreshedSession: (found: Found, _state: ServerState): Session => found.session,
  tokenResponse: (response: JsonObject, _session: Session): Json => response,
  tokenHeaders: { 'cache-control': 'no-store', pragma: 'no-cache' } as Record<string, string>,
  /** Whether tokens may come in several ways: the same token may. */
  toleratesTwice: (different: number, _ways: number): boolean => different < 2,
  /** Ways to present the access token that are looked at. */
  ways: ['header', 'query', 'form'] as readonly TokenWay[],
  /** Schemes of the header, in lower case; '' is the `name=token` form without a scheme. */
  schemes: ['bearer', 'oauth', 'token', ''] as readonly string[],
  /** The header may hold `name=token` after a scheme, and double quotes. */
  readsNamedToken: true,
  readsQuotedToken: true,
  /** A session for a request without any token. */
  anonymous: (_state: ServerState, _exchange: Exchange): Session | undefined => undefined,
  /** The account that a session works on. */
  accountOf: (state: ServerState, session: Session, _exchange: Exchange): Account | undefined =>
    state.accounts.get(session.username),
  /** A revoked session ends. */
  revokes: true,
}

/** What a listing is made for. */
export interface ListingOf {
  readonly account: Account
  readonly session: Session
  readonly from: number
  /** `from` is omitted, 0 or beyond the current position. */
  readonly full: boolean
  /** Ids that the same request uploaded, unless another client had changed them after `from`. */
  readonly own: ReadonlySet<Json>
  /** Names of the tags whose settings the same request uploaded. */
  readonly ownTags: ReadonlySet<string>
  /** Those of them that another session set after `from`. */
  readonly sharedTags: ReadonlySet<string>
  readonly exchange: Exchange
}

/** Numbers of entries of an answer; `page` is what of it the page shows, `skipped` what `skip_id` left out. */
interface Counts {
  readonly created: number
  readonly changed: number
  readonly deleted: number
  readonly page: number
  readonly skipped: number
}

/** The tag settings of a tag that has none. */
export const plainTag: TagSettings = { favorite: false, color: false, todo: false }

/** Whether a thing carries a tag whose `todo` is not false (contract, sync 12). */
function isTodo(thing: Thing, tags: ReadonlyMap<string, StoredTag>): boolean {
  return thing.fields.tags.split(/\s+/).some((name) => (tags.get(name)?.settings.todo ?? false) !== false)
}

/** How listings are made and shaped (interface 2 and 4.3). */
const rightListings = {
  /** Whether `from` asks for everything. */
  isFull: (from: number | undefined, account: Account): boolean =>
    from === undefined || from === 0 || from > account.position,
  /** The position after which changes are listed. */
  since: (from: number, _session: Session, _account: Account): number => from,
  listsThing: (thing: Thing, { full, from, own }: ListingOf): boolean =>
    !thing.deleted && !own.has(thing.id) && (full || thing.position > from),
  listsDeleted: (thing: Thing, { full, from, own }: ListingOf): boolean =>
    thing.deleted && !own.has(thing.id) && !full && thing.position > from && thing.created <= from,
  listsTag: (name: string, { settings, position }: StoredTag, { full, from, ownTags }: ListingOf): boolean =>
    !ownTags.has(name) &&
    (full ? settings.favorite || settings.color !== false || settings.todo !== false : position > from),
  /** Settings that the request itself submitted are in its answer, in full. */
  returnsOwnTags: true,
  order: (a: Thing, b: Thing): number => a.position - b.position,
  /** The finished lists, before they are counted. */
  listed: (list: readonly Listed[], _kind: 'changed' | 'deleted', _of: ListingOf): readonly Listed[] => list,
  /** A thing in its returned form (interface 2.1). */
  thing: (thing: Thing, isTodo: boolean, _of?: ListingOf): Json => ({
    _id: thing.id,
    ...showFields(thing.fields, isTodo),
  }),
  isTodo: (thing: Thing, tags: ReadonlyMap<string, StoredTag>): boolean => isTodo(thing, tags),
  tag: (settings: TagSettings): Json => ({ ...settings }),
  /** Settings by tag name, in returned form. */
  tags: (tags: ReadonlyMap<string, Json>): Json => (tags.size === 0 ? undefined : Object.fromEntries(tags)),
  /** `things.new`. */
  newMap: (ids: ReadonlyMap<Json, Json>): Json => Object.fromEntries(ids),
  /** One page of a list. */
  page: <T>(list: readonly T[], skip: number, limit: number | undefined): readonly T[] =>
    list.slice(skip, limit === undefined ? undefined : skip + limit),
  /** Whether a listed thing is left out by `skip_id`. */
  isSkipped: (id: Json, skipIds: readonly string[], _kind: 'changed' | 'deleted'): boolean =>
    skipIds.includes(id as string),
  /** Deleted ids come after the things in the pages. */
  deletedFirst: false,
  /** Pages of one listing come from one snapshot. */
  keepsPages: true,
  thingCount: (counts: Counts): number => counts.created + counts.changed + counts.deleted,
  /** The `pos` that goes with a listing made just now. */
  position: (account: Account, _session: Session, _of: ListingOf): Json => account.position,
  /** Between making the list and taking its position; right servers do nothing there. */
  betweenListAndPosition: undefined as ((account: Account) => Promise<void>) | undefined,
  /** The `things` of the answer; nothing to list: undefined. */
  things: (things: JsonObject, _of: ListingOf): Json => (Object.keys(things).length === 0 ? undefined : things),
}

/** Parameters in which several things of one kind can be submitted. */
export type UploadKind = 'new_thing' | 'changed_thing' | 'deleted_thing' | 'skip_id'

/** The values of one upload parameter, by the form in which they came. */
export interface Submitted {
  /** `kind=…`, each time it was given. */
  readonly plain: readonly Json[]
  /** `kind[]=…` */
  readonly repeated: readonly Json[]
  /** `kind[0]=…` */
  readonly indexed: readonly Json[]
}

/** A thing to create: its local id as text, and the id it will have. */
export interface NewThing {
  readonly localId: Json
  readonly id: Json
  /** All fields of a new thing; of a retry those that were given. */
  readonly fields: Partial<ThingFields>
  readonly given: Partial<ThingFields>
  readonly retried: boolean
}

/** A change: fields that were left out are absent. */
export interface ChangedThing {
  readonly id: string
  readonly fields: Partial<ThingFields>
}

/** Everything that one sync uploads. */
export interface Upload {
  created: readonly NewThing[]
  changed: readonly ChangedThing[]
  deleted: readonly string[]
  tags: ReadonlyMap<string, Partial<TagSettings>>
}

/** Values of one parameter that hold objects, as a flat list of objects. */
function flatten(values: readonly Json[]): readonly Json[] {
  return values.flatMap((value) => (Array.isArray(value) ? value : [value]))
}

/** How uploads are read and applied (interface 4.3). */
const rightUploads = {
  /** All values of one upload parameter, in the order given, arrays flattened. */
  several: (_kind: UploadKind, { plain, repeated, indexed }: Submitted): readonly Json[] =>
    flatten([...plain, ...repeated, ...indexed]),
  /** An object of the upload as the server reads it. */
  submittedThing: (thing: JsonObject, _kind: 'new_thing' | 'changed_thing'): JsonObject => thing,
  /** Text as the server keeps it. */
  keepText: (text: string, _field: 'title' | 'tags' | 'url' | 'html'): string => text,
  /** The local id as the key in `things.new`. */
  keepLocalId: (localId: string | number): Json => String(localId),
  /** The date of a thing that came without one. */
  defaultDate: (now: number): number => Math.floor(now / 1000),
  keepDate: (date: number): number => date,
  newId: (_account: Account, _state: ServerState): Json => randomBytes(9).toString('hex'),
  /** All the work of one upload; `take` gives the next position. Nothing else runs in between. */
  commit: async (
    account: Account,
    work: (take: () => number) => void,
    _upload: Upload,
    state: ServerState,
  ): Promise<void> => work(() => state.nextPosition(account)),
  /** The upload as it is applied. */
  applied: (upload: Upload, _session: Session, _account: Account, _state: ServerState): Upload => upload,
  nextPosition: (account: Account): number => {
    account.position += 1
    return account.position
  },
  /** Kinds of change that take a position. */
  moves: ['new', 'change', 'deletion', 'tag'] as readonly string[],
  /** The thing that a change or a deletion means. */
  findToChange: (account: Account, id: string, _state: ServerState): Thing | undefined => {
    const thing = account.things.get(id)
    return thing?.deleted === false ? thing : undefined
  },
  findToDelete: (account: Account, id: string, _state: ServerState): Thing | undefined => {
    const thing = account.things.get(id)
    return thing?.deleted === false ? thing : undefined
  },
  /** The fields after a change. */
  changedFields: (old: ThingFields, change: Partial<ThingFields>): ThingFields => ({ ...old, ...change }),
  /** A changed thing that left `archived` out is not archived (interface 2.1). */
  missingArchivedIsFalse: true,
  /** "" clears url and html. */
  clearsEmpty: true,
  /** What a change of an unknown id does besides being reported as deleted. */
  onUnknownChange: (_account: Account, _change: ChangedThing, _take: () => number, _session: Session): void => {},
  /** Changes of unknown ids are answered in `things.deleted`. */
  reportsUnknownChange: true,
  remove: (thing: Thing, _account: Account): void => {
    thing.deleted = true
  },
  /** After the work, before the answer. */
  afterWrite: (_account: Account, _upload: Upload, _before: number): void => {},
  /** Settings of a tag after a change; fields left out stay. */
  changedTag: (old: TagSettings, change: Partial<TagSettings>): TagSettings => ({ ...old, ...change }),
  /** The tag's name as the server keeps it; undefined loses it. */
  keepTagName: (name: string): string | undefined => name,
  keepColor: (color: string): string => color.toLowerCase(),
  /** What `todo: true` means. */
  todoTrue: 'strike' as 'strike' | 'dont-strike',
  submittedTags: (
    tags: ReadonlyMap<string, Partial<TagSettings>>,
    _forms: ReadonlySet<string>,
  ): ReadonlyMap<string, Partial<TagSettings>> => tags,
  /** What null in tag settings means. */
  nullTagSetting: 'absent' as 'absent' | 'resets',
  /** Where tag settings are kept. */
  tagsOf: (account: Account, _state: ServerState): Map<string, StoredTag> => account.tags,
  /** Order of the parts of one upload. */
  uploadOrder: ['new', 'changed', 'deleted', 'tags'] as readonly ('new' | 'changed' | 'deleted' | 'tags')[],
  /** The ids given to an earlier upload with the same explicit `from` (contract, sync 7). */
  rememberedUploads: (session: Session, from: number | undefined, _state: ServerState): Remembered | undefined =>
    from === undefined ? undefined : session.uploads.get(from),
  /** Whether what repeats a local id is the same thing: the same title, the same url or the same given date. */
  isRetry: (earlier: Partial<ThingFields>, given: Partial<ThingFields>): boolean =>
    (['title', 'url', 'date'] as const).some((name) => given[name] !== undefined && given[name] === earlier[name]),
  /** A session that names a thing by its id, or sends a later `from`, has seen the answer that gave it. */
  forgets: ['from', 'id'] as readonly ('from' | 'id')[],
  retryApplies: true,
  /** The texts "strike" and "dont-strike" are taken too. */
  readsTodoText: true,
}

/** What a restart does to the state of a server. */
const rightRestarts = {
  /** Between the end of the old process and the start of the new one; a right server forgets nothing. */
  restarted: (_state: ServerState): void => {},
}

const page = (status: number, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  body: '<!doctype html><title>Authorize</title>',
})

/** The web flow, as far as it is seen without a browser (contract, the web flow). */
const rightFlow = {
  /** What the metadata says (RFC 8414). */
  metadata: (server: string): Json => ({
    issuer: server,
    authorization_endpoint: `${server}/authorize`,
    token_endpoint: `${server}/v1/token`,
    revocation_endpoint: `${server}/v1/revoke`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'password'],
    code_challenge_methods_supported: ['S256'],
  }),
  /** What is answered for an app, and for a redirect address, that is not registered; none is, here. */
  authorizeUnknown: (_what: 'app' | 'redirect', _redirect: string): Reply => page(400),
  /** What a code that was never issued gets. */
  codeGranted: (_exchange: Exchange): Reply => {
    throw new ApiError('grant-refused', 'the code is invalid')
  },
}

/** A page that leads to an address, for servers that are wrong. */
export const leadTo = (address: string): Reply => page(303, { location: address })

/** A page that asks whatever it was asked, for servers that are wrong. */
export const askAnyway = (): Reply => page(200)

/** The other operations (contract, the other operations). */
const rightOperations = {
  /** The living things that tags/get counts. */
  countsThing: (thing: Thing): boolean => !thing.deleted,
  tagsGetReadsFrom: true,
  favoritesApart: true,
  /** thing/add takes an address in the title for the url. */
  urlFromTitle: true,
  preventsDuplicates: true,
  /** Operations on single things that take a position. */
  operationMoves: ['add', 'change', 'delete'] as readonly string[],
  /** thing/change leaves absent fields alone. */
  operationKeepsAbsent: true,
  /** What things/get lists. */
  getsThing: (thing: Thing, archived: string | undefined): boolean =>
    archived === 'include' || thing.fields.archived === (archived === 'true'),
  thingsGetReads: ['archived', 'tag', 'skip', 'limit'] as readonly string[],
  userName: (account: Account): string => account.username,
  events: ['new_thing', 'changed_thing', 'deleted_thing', 'tag', 'any'] as readonly string[],
}

/** What a right server does, in small pieces; a fault or a legal difference replaces one of them. */
export const rightServer = {
  ...rightRequests,
  ...rightTokens,
  ...rightUploads,
  ...rightListings,
  ...rightOperations,
  ...rightFlow,
  ...rightRestarts,
  ...rightDelivery,
  ...rightLive,
  ...rightPush,
}

/** All the pieces in which one server can differ from another. */
export type Behavior = typeof rightServer

/** The state of a server together with how it behaves. */
export interface RunningState extends ServerState {
  readonly behavior: Behavior
}

/** A request to such a server while a response is made. */
export interface RunningExchange extends Exchange {
  readonly state: RunningState
}
