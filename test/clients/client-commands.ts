/*
 * The commands of an adapter for thingsync-client (`conformance/adapter-protocol.md`), in Node and in browsers. It passes
 * values on and repairs nothing: what the client returns is what the suite of clients checks. Start reading at
 * `createCommands`.
 */
import {
  type Client,
  createClient,
  createLocalId,
  createMemoryTokenStorage,
  createReplica,
  isClientError,
  type LocalStore,
  type RejectedEdit,
  type Replica,
  type ReplicaFields,
  type ReplicaTagFields,
  type SyncParameters,
  type TokenStorage,
} from '../../client/src/index.ts'

type Json = Readonly<Record<string, unknown>>

/** What a command returned, in the shape of a line of the protocol without its id. */
export type Outcome = { readonly result: Json } | { readonly error: Json }

/** What an adapter says about itself. */
export interface Claims {
  readonly name: string
  readonly profiles: readonly ('api' | 'replica')[]
  readonly features: readonly string[]
}

/** The claims of the client in Node. */
export const claimsInNode: Claims = {
  name: 'thingsync-client in Node',
  profiles: ['api', 'replica'],
  features: ['concurrent', 'list', 'operations', 'revoke', 'tokens', 'auto-refresh', 'retries', 'paging', 'set-tag'],
}

/** The claims of the client in Chromium. */
export const claimsInChromium: Claims = {
  name: 'thingsync-client in Chromium',
  profiles: ['replica'],
  features: ['concurrent', 'tokens', 'paging', 'set-tag'],
}

/** Returns the result of `hello`. */
export const toHello = (claims: Claims): Outcome => ({ result: { protocol: 1, version: '1.0.0', ...claims } })

/** What differs between Node and a browser. */
export interface CommandEnvironment extends Claims {
  /** Opens what the replica of this folder stores. */
  readonly openFolder: (folder: string) => Promise<FolderStores>
  /** Creates a SHA-256 digest of text in UTF-8; absent without the feature `list`. */
  readonly createDigest?: () => { readonly update: (text: string) => void; readonly toHex: () => string }
}

/** The stores of one replica. */
export interface FolderStores {
  readonly store: LocalStore
  readonly tokens: TokenStorage
  readonly close: () => Promise<void>
}

/** An error of the adapter itself, with its kind. */
class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly kind: string
  readonly details: Json

  constructor(kind: string, message: string, details: Json = {}) {
    super(message)
    this.kind = kind
    this.details = details
  }
}

/** Thrown instead of the request that follows a refresh. */
class HeldBack extends Error {
  override readonly name = 'HeldBack'
}

const describeError = (error: unknown): Json => {
  if (error instanceof CommandError) return { kind: error.kind, message: error.message, ...error.details }
  if (!isClientError(error)) {
    return { kind: 'internal', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  const { code, message, status, error: errorCode } = error
  const kinds: Partial<Record<typeof code, string>> = {
    rejected: 'rejected',
    signed_out: 'signed_out',
    network: 'network',
    unexpected_response: 'unexpected_response',
    not_offered: 'rejected',
  }
  return { kind: kinds[code] ?? 'internal', message, status, code: errorCode }
}

/** Leaves out members that are null, at every depth: the protocol has them absent. */
const withoutNull = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNull)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([, member]) => member !== null && member !== undefined)
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNull(member)]))
}

/** A client with the sign-in that it needs before its first request. */
interface Session {
  readonly client: Client
  /** Signs in with the user name and the password, once, when there are no tokens. */
  readonly begin: () => Promise<void>
  readonly signIn: (username: string, password: string) => Promise<Json>
  readonly refresh: () => Promise<Json>
}

interface SessionOptions {
  readonly tokens: TokenStorage
  /** Whether the client retries by itself. */
  readonly retries: boolean
}

const openSession = async (parameters: Json, { tokens, retries }: SessionOptions): Promise<Session> => {
  let askedAt = 0
  let requestedAt = 0
  let isHeldBack = false
  const client = createClient({
    baseUrl: String(parameters.base_url),
    clientId: String(parameters.client_id),
    clientSecret: String(parameters.client_secret),
    tokens,
    now: () => {
      askedAt = Date.now()
      return askedAt
    },
    fetch: async (request, init) => {
      if (new URL(request.url).pathname.endsWith('/token')) requestedAt = askedAt
      else if (isHeldBack) throw new HeldBack('only the refresh is sent')
      return await fetch(request, init)
    },
    ...(retries ? { retry: {} } : {}),
  })
  const given = parameters.tokens as Json | undefined
  if (given !== undefined && (await tokens.read()) === undefined) {
    await tokens.write({
      accessToken: String(given.access_token),
      requestToken: String(given.request_token),
      session: createLocalId(),
      expiresAt: Date.now() + Number(given.expires_in) * 1000,
    })
  }
  let signedIn: Promise<void> | undefined
  const describeTokens = async (): Promise<Json> => {
    const known = await tokens.read()
    if (known === undefined) throw new CommandError('signed_out', 'there are no tokens')
    const { accessToken: access_token, requestToken: request_token, expiresAt } = known
    return { access_token, request_token, expires_in: (expiresAt - requestedAt) / 1000, token_type: 'bearer' }
  }
  return {
    client,
    begin: async () => {
      if (parameters.username === undefined || (await tokens.read()) !== undefined) return
      signedIn ??= client.signIn(String(parameters.username), String(parameters.password)).catch((error: unknown) => {
        signedIn = undefined
        throw error
      })
      await signedIn
    },
    signIn: async (username, password) => {
      await client.signIn(username, password)
      return await describeTokens()
    },
    refresh: async () => {
      // The client refreshes an expired token before its next request, which is not sent here.
      const known = await tokens.read()
      if (known !== undefined) await tokens.write({ ...known, expiresAt: 0 })
      isHeldBack = true
      try {
        await client.sync({})
      } catch (error) {
        if (!(error instanceof HeldBack)) throw error
      } finally {
        isHeldBack = false
      }
      return await describeTokens()
    },
  }
}

const require = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new CommandError('internal', `${what} comes first`)
  return value
}

/** Awaits an operation of `client.api`. */
const readOperation = async (
  sent: Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }>,
): Promise<Json> => {
  const { data, error, response } = await sent
  if (error !== undefined) {
    const code = (error as { readonly error: string }).error
    throw new CommandError('rejected', `status ${response.status}`, { status: response.status, code })
  }
  const decoded = withoutNull(data ?? {})
  return Array.isArray(decoded) ? { items: decoded } : (decoded as Json)
}

type Command = (parameters: Json) => Promise<Json>

/** Creates the commands of the profile `api`. */
const createApiCommands = (environment: CommandEnvironment): Readonly<Record<string, Command>> => {
  let session: Session | undefined
  const use = () => require(session, 'init')
  const begin = async (): Promise<Client> => {
    await use().begin()
    return use().client
  }
  const operate =
    (path: '/thing/add' | '/thing/change' | '/thing/delete'): Command =>
    async (parameters) => {
      const { api } = await begin()
      return await readOperation(api.POST(path, { body: parameters as never }))
    }
  const get =
    (path: '/things/get' | '/tags/get' | '/user/get'): Command =>
    async () => {
      const { api } = await begin()
      return await readOperation(api.GET(path))
    }
  return {
    init: async (parameters) => {
      session = await openSession(parameters, { tokens: createMemoryTokenStorage(), retries: true })
      return {}
    },
    token: ({ username, password }) => use().signIn(String(username), String(password)),
    refresh: () => use().refresh(),
    sync: async (parameters) => {
      const client = await begin()
      return withoutNull(await client.sync(parameters as SyncParameters)) as Json
    },
    list: async ({ from, limit }) => {
      const client = await begin()
      const { createDigest } = environment
      if (createDigest === undefined) throw new CommandError('unsupported', 'list')
      let [digest, count, deleted, pos] = [createDigest(), 0, 0, 0]
      const start = from === undefined ? {} : { from: Number(from) }
      if (limit === undefined) {
        for await (const part of client.streamSyncParts(start)) {
          for (const event of part) {
            if (event.kind === 'changed') {
              digest.update(`${event.thing._id}\n${event.thing.title}\n`)
              count++
            } else if (event.kind === 'deleted') deleted++
            else if (event.kind === 'position') pos = event.position
          }
        }
        return { count, deleted, digest: digest.toHex(), pos }
      }
      for await (const page of client.listChanges({ ...start, pageSize: Number(limit) })) {
        if (page.isFirst) [digest, count, deleted] = [createDigest(), 0, 0]
        for (const { _id, title } of page.changed) digest.update(`${_id}\n${title}\n`)
        count += page.changed.length
        deleted += page.deleted.length
        pos = page.position
      }
      return { count, deleted, digest: digest.toHex(), pos }
    },
    'thing-add': operate('/thing/add'),
    'thing-change': operate('/thing/change'),
    'thing-delete': operate('/thing/delete'),
    'things-get': get('/things/get'),
    'tags-get': get('/tags/get'),
    'user-get': get('/user/get'),
    revoke: async () => {
      const client = await begin()
      if (await client.signOut()) return {}
      throw new CommandError('network', 'the server did not confirm that it revoked the session')
    },
  }
}

/** An open replica. */
interface OpenReplica {
  readonly session: Session
  readonly replica: Replica
  readonly stores: FolderStores
  rejected: readonly RejectedEdit[]
  lastError: Json | undefined
}

/** Creates the commands of the profile `replica`. */
const createReplicaCommands = (environment: CommandEnvironment): Readonly<Record<string, Command>> => {
  let open: OpenReplica | undefined
  const use = () => require(open, 'open')
  return {
    open: async (parameters) => {
      const stores = await environment.openFolder(String(parameters.folder))
      const session = await openSession(parameters, { tokens: stores.tokens, retries: false })
      const replica = await createReplica({
        client: session.client,
        store: stores.store,
        // The suite has servers without what the interface leaves open, and small accounts.
        recognizesRetries: false,
        keepsLeftOutFields: false,
        pageSize: 500,
      })
      open = { session, replica, stores, rejected: [], lastError: undefined }
      return {}
    },
    create: async (fields) => ({
      ref: await use().replica.create(fields as ReplicaFields & { readonly title: string }),
    }),
    change: async ({ ref, ...fields }) => {
      await use().replica.change(String(ref), fields as ReplicaFields)
      return {}
    },
    delete: async ({ ref }) => {
      await use().replica.remove(String(ref))
      return {}
    },
    'set-tag': async ({ name, settings }) => {
      await use().replica.setTag(String(name), settings as ReplicaTagFields)
      return {}
    },
    sync: async () => {
      const opened = use()
      try {
        await opened.session.begin()
        const { rejected } = await opened.replica.sync()
        opened.rejected = rejected
        opened.lastError = undefined
        return {}
      } catch (error) {
        opened.lastError = describeError(error)
        throw error
      }
    },
    read: async () => {
      const { replica } = use()
      const things: Json[] = []
      for await (const { id, isPending: _, ...content } of replica.listThings()) {
        // No server has an id with the prefix of client-assigned IDs.
        things.push({ ref: id, _id: id.startsWith('local-') ? null : id, ...content })
      }
      return { things, tags: Object.fromEntries(await replica.listTags()) }
    },
    state: async () => {
      const { replica, rejected, lastError } = use()
      const lost: Json[] = (await replica.listLostEdits()).map(({ content }) => ({ title: content.title }))
      for (const { kind, name } of rejected) {
        const thing = kind === 'thing' ? await replica.findThing(name) : undefined
        lost.push({ title: thing?.title ?? name })
      }
      return { pending: replica.countPending(), lost, error: lastError ?? null }
    },
    close: async () => {
      const { stores } = use()
      open = undefined
      await stores.close()
      return {}
    },
  }
}

/** Creates the function that carries out one command. It never throws: an error is an outcome. */
export const createCommands = (environment: CommandEnvironment) => {
  const { name, profiles, features } = environment
  const [api, replica] = [createApiCommands(environment), createReplicaCommands(environment)]
  // Both profiles have a command `sync`: the last `init` or `open` decides.
  let current: Readonly<Record<string, Command>> = profiles.includes('api') ? api : replica
  return async (command: string, parameters: Json): Promise<Outcome> => {
    try {
      if (command === 'hello') return toHello({ name, profiles, features })
      if (command === 'init') current = api
      if (command === 'open') current = replica
      const run = Object.hasOwn(current, command) ? current[command] : undefined
      if (run === undefined) throw new CommandError('unsupported', command)
      return { result: await run(parameters) }
    } catch (error) {
      return { error: describeError(error) }
    }
  }
}
