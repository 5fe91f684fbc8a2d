import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { rightDelivery, rightLive, rightPreview, rightPush } from './right-delivery.ts'
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

/** Finds the last value of a parameter. */
export function findParameter(parameters: readonly Parameter[], name: string): Json {
  return parameters.findLast(([candidate]) => candidate === name)?.[1]
}

/** The three ways to present an access token (interface 5.3). */
export type TokenWay = 'header' | 'query' | 'form'

/** A request during its processing. */
export interface Exchange {
  readonly state: ServerState
  readonly method: string
  readonly path: string
  /** The value of the Host header. */
  readonly host: string
  readonly authorization: string | undefined
  readonly contentType: string
  readonly query: readonly Parameter[]
  body: readonly Parameter[]
  /** Parameters of query and body; a body parameter takes precedence. */
  parameters: readonly Parameter[]
  session?: Session
  account?: Account
  way?: TokenWay
  /** Aborted when the client closes the connection. */
  readonly disconnected: AbortSignal
  /** The value of the Last-Event-ID header. */
  readonly lastEventId: string | undefined
}

/** A response before it is written. A string body is sent unchanged, any other body as JSON. */
export interface Reply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Json
  /** Writes the body piece by piece, instead of `body`. */
  readonly stream?: (response: ServerResponse) => void
}

/** How the server reads requests and writes responses. */
const rightRequests = {
  /** Waits before the server reads a request. */
  delay: async (_exchange: Exchange): Promise<void> => {},
  /** Returns the bytes of a body, from its pieces. */
  bodyOf: (chunks: readonly Buffer[], _headers: IncomingHttpHeaders, _url: string): Buffer => Buffer.concat(chunks),
  /** Returns the media type of a Content-Type header, in lower case and without parameters. */
  contentTypeOf: (header: string, _url: string): string => (header.split(';')[0] ?? '').trim().toLowerCase(),
  /** Returns the text of a form before decoding. */
  formText: (text: string): string => text,
  authorizationOf: (request: IncomingMessage): string | undefined => request.headers.authorization,
  /** Decodes the parameters of a body. */
  form: (body: readonly Parameter[], _exchange: Exchange): readonly Parameter[] => body,
  /** Returns the parameters as the server interprets them. */
  parameters: (parameters: readonly Parameter[], _exchange: Exchange): readonly Parameter[] => parameters,
  /** Whether the server accepts any method for an operation. */
  anyMethod: false,
  /** Whether POST also reads query parameters. */
  readsQueryOfPost: true,
  /** Whether the server reads JSON bodies. */
  readsJsonBody: true,
  /** Whether the server checks a token in header or query before it reads the body. */
  tokenBeforeBody: true,
  /** Maximum size of a JSON body without a valid token in header or query, and of the bodies of token and revoke. */
  maxUnknownBytes: 64 * 1024,
  /** Maximum depth of JSON. */
  maxJsonDepth: 32,
  /** Whether null is the same as an absent parameter, field or setting. */
  nullIsAbsent: true,
  /** The errors that this server does not report. */
  overlooks: [] as readonly ErrorReason[],
  /** Returns the error object of an error (interface 7). */
  errorBody: (apiError: ApiError): Json => ({
    error: apiErrors[apiError.reason][1],
    error_description: apiError.message,
  }),
  /** Returns the HTTP status of an error (contract, errors). */
  errorStatus: (apiError: ApiError): number => apiErrors[apiError.reason][0],
  /** Returns the final form of any response. */
  reply: (reply: Reply, _exchange: Exchange): Reply => reply,
  /** Returns the text of a JSON response. */
  encode: (body: Json): string | Uint8Array => JSON.stringify(body),
  contentType: 'application/json; charset=utf-8',
  /** Selects the Content-Encoding of a response from the Accept-Encoding header. */
  compression: (accepted: string): 'gzip' | 'br' | undefined =>
    accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : undefined,
  /** Bytes of a chunk and milliseconds between chunks; 0 sends the response at once. */
  chunks: { bytes: 0, pause: 0 },
  /** Whether the server closes the connection after each response, without a Connection header. */
  closesQuietly: false,
  /** Whether the server closes the connection instead of responding. */
  hangsUp: false,
  /** Whether a date may be text, and a boolean may have any of its spellings (contract, requests). */
  readsNumberText: true,
  readsBooleanText: true,
  /** Returns a boolean's text for the comparison; the right server ignores its letter case. */
  booleanText: (text: string): string => text.toLowerCase(),
  /** The operations of this server; undefined: all. */
  operations: undefined as readonly string[] | undefined,
  /** Returns the final form of the response to a sync. */
  syncResponse: (response: JsonObject, _exchange: Exchange): Json => response,
}

/** A session and the pair of tokens that contains a token. */
export interface Found {
  readonly session: Session
  readonly pair: Pair
}

/** Finds the pair with a token of one kind, unless its session has ended. */
export function findPair(state: ServerState, kind: 'access' | 'request', token: string): Found | undefined {
  for (const session of state.sessions) {
    const pair = session.pairs.find((candidate) => candidate[kind] === token)
    if (pair !== undefined && !session.revoked) return { session, pair }
  }
  return undefined
}

/** How the server grants, reads and looks up tokens (interface 5). */
const rightTokens = {
  /** Creates an access or refresh token; `previous` is the token that it replaces in a refresh. */
  newToken: (_kind: 'access' | 'request', _username: string, _previous: string | undefined): string =>
    randomBytes(24).toString('base64url'),
  /** The form parameter that the refresh grant reads. */
  refreshParameter: 'refresh_token',
  passwordAccepted: (account: Account | undefined, password: string): boolean => account?.password === password,
  /** Finds the account of a user name. */
  findAccount: (state: ServerState, username: string): Account | undefined => state.accounts.get(username),
  clientAccepted: (state: ServerState, id: string, secret: string, _grant: string): boolean =>
    (id === state.clientId && secret === state.clientSecret) ||
    (id === state.otherClient.clientId && secret === state.otherClient.clientSecret),
  findRequestToken: (state: ServerState, token: string): Found | undefined => findPair(state, 'request', token),
  findAccessToken: (state: ServerState, token: string, _way: TokenWay, _exchange: Exchange): Found | undefined =>
    findPair(state, 'access', token),
  /** Whether a client may refresh with, or revoke, a token of this session: only its own (RFC 6749, 6; RFC 7009, 2.1). */
  ownsSession: (session: Session, clientId: string, _what: 'refresh' | 'revoke'): boolean =>
    session.clientId === clientId,
  /** Returns the grant for a `grant_type`. */
  grantType: (grantType: string): string => grantType,
  /** Whether the token endpoint reads form bodies. */
  tokenReadsForm: true,
  /** Whether client credentials may come as HTTP Basic authentication. */
  readsBasic: true,
  /** Whether a refresh token whose successor was used ends the session. */
  endsReusedSession: true,
  /** Whether an old refresh token works until the first use of the new pair. */
  toleratesLostRefresh: true,
  /** Returns the session that a refresh continues. */
  refreshedSession: (found: Found, _state: ServerState): Session => found.session,
  tokenResponse: (response: JsonObject, _session: Session): Json => response,
  tokenHeaders: { 'cache-control': 'no-store', pragma: 'no-cache' } as Record<string, string>,
  /** Whether a request may present the same token in several ways. */
  toleratesTwice: (different: number, _ways: number): boolean => different < 2,
  /** The ways to present the access token that the server reads. */
  ways: ['header', 'query', 'form'] as readonly TokenWay[],
  /** Schemes of the header, in lower case; '' is the `name=token` form without a scheme. */
  schemes: ['bearer', 'oauth', 'token', ''] as readonly string[],
  /** Whether the header may contain `name=token` after a scheme, and double quotes. */
  readsNamedToken: true,
  readsQuotedToken: true,
  /** Returns a session for a request without any token. */
  anonymous: (_state: ServerState, _exchange: Exchange): Session | undefined => undefined,
  /** Returns the account that a session works on. */
  accountOf: (state: ServerState, session: Session, _exchange: Exchange): Account | undefined =>
    state.accounts.get(session.username),
  /** Whether a revoked session ends. */
  revokes: true,
}

/** The context of a listing. */
export interface ListingOf {
  readonly account: Account
  readonly session: Session
  readonly from: number
  /** Whether `from` is absent, 0 or beyond the current position. */
  readonly full: boolean
  /** Ids that the same request uploaded, except ids that another client changed after `from`. */
  readonly own: ReadonlySet<Json>
  /** Names of the tags whose settings the same request uploaded. */
  readonly ownTags: ReadonlySet<string>
  /** The names in `ownTags` that another session set after `from`. */
  readonly sharedTags: ReadonlySet<string>
  readonly exchange: Exchange
}

/** Numbers of entries of a response; `page`: entries on the page, `skipped`: entries that `skip_id` removed. */
interface Counts {
  readonly created: number
  readonly changed: number
  readonly deleted: number
  readonly page: number
  readonly skipped: number
}

/** The settings of a tag without stored settings. */
export const plainTag: TagSettings = { favorite: false, color: false, todo: false }

/** Whether a thing has a tag whose `todo` is not false (contract, sync 12). */
function isTodo(thing: Thing, tags: ReadonlyMap<string, StoredTag>): boolean {
  return thing.fields.tags.split(' ').some((name) => (tags.get(name)?.settings.todo ?? false) !== false)
}

/** How the server creates and formats listings (interface 2 and 4.3). */
const rightListings = {
  /** Whether `from` requests a full sync. */
  isFull: (from: number | undefined, account: Account): boolean =>
    from === undefined || from === 0 || from > account.position,
  /** Returns the position after which the server lists changes. */
  since: (from: number, _session: Session, _account: Account): number => from,
  listsThing: (thing: Thing, { full, from, own }: ListingOf): boolean =>
    !thing.deleted && !own.has(thing.id) && (full || thing.position > from),
  listsDeleted: (thing: Thing, { full, from, own }: ListingOf): boolean =>
    thing.deleted && !own.has(thing.id) && !full && thing.position > from && thing.created <= from,
  listsTag: (name: string, { settings, position }: StoredTag, { full, from, ownTags }: ListingOf): boolean =>
    !ownTags.has(name) &&
    (full ? settings.favorite || settings.color !== false || settings.todo !== false : position > from),
  /** Whether the response contains the settings that the request submitted, in full. */
  returnsOwnTags: true,
  order: (a: Thing, b: Thing): number => a.position - b.position,
  /** Returns the final lists, before counting. */
  listed: (list: readonly Listed[], _kind: 'changed' | 'deleted', _of: ListingOf): readonly Listed[] => list,
  /** Returns a thing in its returned form (interface 2.1). */
  thing: (thing: Thing, isTodo: boolean, _of?: ListingOf): Json => ({
    _id: thing.id,
    ...showFields(thing.fields, isTodo),
  }),
  isTodo: (thing: Thing, tags: ReadonlyMap<string, StoredTag>): boolean => isTodo(thing, tags),
  tag: (settings: TagSettings): Json => ({ ...settings }),
  /** Returns tag settings by tag name, in returned form. */
  tags: (tags: ReadonlyMap<string, Json>): Json => (tags.size === 0 ? undefined : Object.fromEntries(tags)),
  /** Returns `things.new`. */
  newMap: (ids: ReadonlyMap<Json, Json>): Json => Object.fromEntries(ids),
  /** Returns one page of a list. */
  page: <T>(list: readonly T[], skip: number, limit: number | undefined): readonly T[] =>
    list.slice(skip, limit === undefined ? undefined : skip + limit),
  /** Whether `skip_id` removes a listed thing. */
  isSkipped: (id: Json, skipIds: readonly string[], _kind: 'changed' | 'deleted'): boolean =>
    skipIds.includes(id as string),
  /** Whether deleted ids come before the things in the pages. */
  deletedFirst: false,
  /** Whether the pages of one listing come from one snapshot. */
  keepsPages: true,
  thingCount: (counts: Counts): number => counts.created + counts.changed + counts.deleted,
  /** Returns the `pos` for a new listing. */
  position: (account: Account, _session: Session, _of: ListingOf): Json => account.position,
  /** Runs between creating the list and reading its position; a right server does nothing here. */
  betweenListAndPosition: undefined as ((account: Account) => Promise<void>) | undefined,
  /** Returns the `things` of the response; undefined when there is nothing to list. */
  things: (things: JsonObject, _of: ListingOf): Json => (Object.keys(things).length === 0 ? undefined : things),
}

/** Parameters that can submit several things of one kind. */
export type UploadKind = 'new_thing' | 'changed_thing' | 'deleted_thing' | 'skip_id'

/** The values of one upload parameter, by their form. */
export interface Submitted {
  /** `kind=…`, each occurrence. */
  readonly plain: readonly Json[]
  /** `kind[]=…` */
  readonly repeated: readonly Json[]
  /** `kind[0]=…` */
  readonly indexed: readonly Json[]
}

/** A thing to create: its client-assigned ID as text, and its future id. */
export interface NewThing {
  readonly localId: Json
  readonly id: Json
  /** All fields of a new thing; for a retry only the submitted fields. */
  readonly fields: Partial<ThingFields>
  readonly given: Partial<ThingFields>
  readonly retried: boolean
}

/** A change; omitted fields are absent. */
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

/** Flattens values of one parameter that contain objects into a list of objects. */
function flatten(values: readonly Json[]): readonly Json[] {
  return values.flatMap((value) => (Array.isArray(value) ? value : [value]))
}

/** How the server reads and applies uploads (interface 4.3). */
const rightUploads = {
  /** Returns all values of one upload parameter, in the given order, with arrays flattened. */
  several: (_kind: UploadKind, { plain, repeated, indexed }: Submitted): readonly Json[] =>
    flatten([...plain, ...repeated, ...indexed]),
  /** Returns an object of the upload as the server interprets it. */
  submittedThing: (thing: JsonObject, _kind: 'new_thing' | 'changed_thing'): JsonObject => thing,
  /** Returns text as the server stores it. */
  keepText: (text: string, _field: 'title' | 'tags' | 'url' | 'html'): string => text,
  /** Returns the client-assigned ID as the key in `things.new`. */
  keepLocalId: (localId: string | number): Json => String(localId),
  /** Returns the date of a thing without a submitted date. */
  defaultDate: (now: number): number => Math.floor(now / 1000),
  keepDate: (date: number): number => date,
  newId: (_account: Account, _state: ServerState): Json => randomBytes(9).toString('hex'),
  /** Runs all work of one upload; `take` returns the next position. Nothing else runs in between. */
  commit: async (
    account: Account,
    work: (take: () => number) => void,
    _upload: Upload,
    state: ServerState,
  ): Promise<void> => work(() => state.nextPosition(account)),
  /** Returns the upload as the server applies it. */
  applied: (upload: Upload, _session: Session, _account: Account, _state: ServerState): Upload => upload,
  nextPosition: (account: Account): number => {
    account.position += 1
    return account.position
  },
  /** The kinds of changes that take a position. */
  moves: ['new', 'change', 'deletion', 'tag'] as readonly string[],
  /** Finds the thing of a change or a deletion. */
  findToChange: (account: Account, id: string, _state: ServerState): Thing | undefined => {
    const thing = account.things.get(id)
    return thing?.deleted === false ? thing : undefined
  },
  findToDelete: (account: Account, id: string, _state: ServerState): Thing | undefined => {
    const thing = account.things.get(id)
    return thing?.deleted === false ? thing : undefined
  },
  /** Returns the fields after a change. */
  changedFields: (old: ThingFields, change: Partial<ThingFields>): ThingFields => ({ ...old, ...change }),
  /** Whether a change without `archived` makes a thing not archived (interface 2.1). */
  missingArchivedIsFalse: true,
  /** Whether "" clears url and html. */
  clearsEmpty: true,
  /** Runs for a change of an unknown id, beside reporting the id as deleted. */
  onUnknownChange: (_account: Account, _change: ChangedThing, _take: () => number, _session: Session): void => {},
  /** Whether `things.deleted` contains the ids of changes to unknown things. */
  reportsUnknownChange: true,
  remove: (thing: Thing, _account: Account): void => {
    thing.deleted = true
  },
  /** Runs after the work, before the response. */
  afterWrite: (_account: Account, _upload: Upload, _before: number): void => {},
  /** Returns the settings of a tag after a change; omitted fields stay. */
  changedTag: (old: TagSettings, change: Partial<TagSettings>): TagSettings => ({ ...old, ...change }),
  /** Returns the tag's name as the server stores it; undefined loses the tag. */
  keepTagName: (name: string): string | undefined => name,
  keepColor: (color: string): string => color.toLowerCase(),
  /** Returns the meaning of `todo: true`. */
  todoTrue: 'strike' as 'strike' | 'dont-strike',
  submittedTags: (
    tags: ReadonlyMap<string, Partial<TagSettings>>,
    _forms: ReadonlySet<string>,
  ): ReadonlyMap<string, Partial<TagSettings>> => tags,
  /** Returns the meaning of null in tag settings. */
  nullTagSetting: 'absent' as 'absent' | 'resets',
  /** Returns the store of the tag settings. */
  tagsOf: (account: Account, _state: ServerState): Map<string, StoredTag> => account.tags,
  /** The order of the parts of one upload. */
  uploadOrder: ['new', 'changed', 'deleted', 'tags'] as readonly ('new' | 'changed' | 'deleted' | 'tags')[],
  /** Finds the ids of an earlier upload with the same explicit `from` (contract, sync 7). */
  rememberedUploads: (session: Session, from: number | undefined, _state: ServerState): Remembered | undefined =>
    from === undefined ? undefined : session.uploads.get(from),
  /** Whether a repeated client-assigned ID means the same thing: with the same title, url or submitted date. */
  isRetry: (earlier: Partial<ThingFields>, given: Partial<ThingFields>): boolean =>
    (['title', 'url', 'date'] as const).some((name) => given[name] !== undefined && given[name] === earlier[name]),
  /** The requests that prove that a session has seen the response with an id: a later `from`, or the use of the id. */
  forgets: ['from', 'id'] as readonly ('from' | 'id')[],
  retryApplies: true,
  /** Whether `things.deleted` of a retry contains the things that were deleted since. */
  retryListsDeleted: true,
  /** Whether the server also accepts the texts "strike" and "dont-strike". */
  readsTodoText: true,
}

/** How a restart changes the state of a server. */
const rightRestarts = {
  /** Runs between the end of the old process and the start of the new one; a right server forgets nothing. */
  restarted: (_state: ServerState): void => {},
}

const page = (status: number, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  body: '<!doctype html><title>Authorize</title>',
})

/** The authorization code flow, as far as a client sees it without a browser (protocol.md#contract-authorization-code-flow). */
const rightFlow = {
  /** The authorization server metadata (RFC 8414). */
  metadata: (server: string): Json => ({
    issuer: server,
    authorization_endpoint: `${server}/authorize`,
    token_endpoint: `${server}/v1/token`,
    revocation_endpoint: `${server}/v1/revoke`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'password'],
    code_challenge_methods_supported: ['S256'],
  }),
  /** Returns the response for an unregistered app or redirect URI; no app is registered here. */
  authorizeUnknown: (_what: 'app' | 'redirect', _redirect: string): Reply => page(400),
  /** Returns the response to a code that was never issued. */
  codeGranted: (_exchange: Exchange): Reply => {
    throw new ApiError('grant-rejected', 'the code is invalid')
  },
}

/** Creates a redirect to a URI, for wrong servers. */
export const leadTo = (uri: string): Reply => page(303, { location: uri })

/** Creates an authorization page in response to any request, for wrong servers. */
export const showConsentAnyway = (): Reply => page(200)

/** The other operations (contract, the other operations). */
const rightOperations = {
  /** Whether tags/get counts a thing. */
  countsThing: (thing: Thing): boolean => !thing.deleted,
  tagsGetReadsFrom: true,
  favoritesApart: true,
  /** Whether thing/add uses a URL in the title as the url. */
  urlFromTitle: true,
  preventsDuplicates: true,
  /** The operations on single things that take a position. */
  operationMoves: ['add', 'change', 'delete'] as readonly string[],
  /** Whether thing/change keeps absent fields. */
  operationKeepsAbsent: true,
  /** Whether things/get lists a thing. */
  getsThing: (thing: Thing, archived: string | undefined): boolean =>
    archived === 'include' || thing.fields.archived === (archived === 'true'),
  thingsGetReads: ['archived', 'tag', 'skip', 'limit'] as readonly string[],
  userName: (account: Account): string => account.username,
  events: ['new_thing', 'changed_thing', 'deleted_thing', 'tag', 'any'] as readonly string[],
}

/** The behavior of the right server, in small pieces; a fault or a legal difference replaces one piece. */
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
  ...rightPreview,
  ...rightPush,
}

/** All pieces in which one server can differ from another. */
export type Behavior = typeof rightServer

/** The state of a server together with its behavior. */
export interface RunningState extends ServerState {
  readonly behavior: Behavior
}

/** A request to such a server during its processing. */
export interface RunningExchange extends Exchange {
  readonly state: RunningState
}
