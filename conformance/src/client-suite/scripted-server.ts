/*
 * A model server of one rule, behind a wire that the rule scripts, and the other devices of its user. The other devices
 * speak to the model directly: nothing that they do is on the wire.
 */
import { isObject, type Json, type JsonObject, parseJson } from '../encoding.ts'
import type { Behavior } from '../model/behavior.ts'
import { rightServer } from '../model/behavior.ts'
import { type OpenServer, openRightServer, type RightServerOptions } from '../model/right-server.ts'
import type { Account } from '../model/state.ts'
import type { Tell } from './story.ts'
import { openWire, type Wire } from './wire.ts'

/** How a server differs from the right one. */
export interface ServerOptions extends RightServerOptions {
  /** A path before `/v1/`, such as `/things`. */
  readonly prefix?: string
  /** Takes what happens at the server, for the report. */
  readonly tell?: Tell
}

/** What another device uploads; with `from` it also says what it knows. */
export type Upload = Readonly<{
  from?: number
  new_thing?: readonly JsonObject[]
  changed_thing?: readonly JsonObject[]
  deleted_thing?: readonly string[]
  tag?: Readonly<Record<string, JsonObject>>
}>

/** Another device of the same user. */
export interface OtherDevice {
  readonly sync: (upload?: Upload) => Promise<JsonObject>
  /** Creates a thing and returns its `_id`. */
  readonly create: (thing: JsonObject) => Promise<string>
  readonly change: (id: string, fields: JsonObject) => Promise<void>
  readonly remove: (id: string) => Promise<void>
  readonly setTag: (name: string, settings: JsonObject) => Promise<void>
}

/** The server of one rule. */
export interface ScriptedServer {
  readonly wire: Wire
  readonly model: OpenServer
  readonly account: () => Account
  /** The living things of the account, in returned form. */
  readonly things: () => readonly JsonObject[]
  /** The living things with this title. */
  readonly titled: (title: string) => readonly JsonObject[]
  /** The parameters of `init` and `open` that sign in with user name and password. */
  readonly credentials: () => JsonObject
  /** The same with a new pair of tokens instead of the password. */
  readonly withTokens: () => Promise<JsonObject>
  readonly device: (name?: string) => Promise<OtherDevice>
  /** Makes all access tokens so far invalid; refresh tokens stay valid. */
  readonly expireAccessTokens: () => void
  /** Ends all sessions of the client: no token of it is valid any more. */
  readonly endSessions: () => void
  /** Texts that no report may contain, each with its replacement. */
  readonly secrets: () => readonly (readonly [secret: string, shown: string])[]
  readonly close: () => Promise<void>
}

function readJson(text: string): JsonObject {
  const value = parseJson(text)
  if (!isObject(value)) throw new Error(`the model server did not send a JSON object: ${text.slice(0, 200)}`)
  return value
}

type Form = readonly (readonly [string, string])[]

async function post(baseUrl: string, path: string, form: Form): Promise<JsonObject> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    body: new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])),
  })
  return readJson(await response.text())
}

function expectSuccess(body: JsonObject): JsonObject {
  if (body.error !== undefined) throw new Error(`the model server rejected another device: ${JSON.stringify(body)}`)
  return body
}

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Opens a server; the caller closes it. */
export async function openScriptedServer(options: ServerOptions = {}): Promise<ScriptedServer> {
  const expired = new Set<string>()
  const findAccessToken = options.behavior?.findAccessToken ?? rightServer.findAccessToken
  const behavior: Partial<Behavior> = {
    ...options.behavior,
    findAccessToken: (state, token, way, exchange) =>
      expired.has(token) ? undefined : findAccessToken(state, token, way, exchange),
  }
  const model = await openRightServer({ ...options, behavior })
  const { tell = () => {} } = options
  const wire = await openWire(model.baseUrl, options.prefix, (exchange) => tell({ kind: 'exchange', exchange }))
  const [user] = model.users
  if (user === undefined) throw new Error('the model server has no user')
  const { username, password } = user
  const account = (): Account => {
    const found = model.state.accounts.get(username)
    if (found === undefined) throw new Error('the model server lost its account')
    return found
  }
  const grant = async (): Promise<JsonObject> => {
    const form: Form = [
      ['grant_type', 'password'],
      ['client_id', model.clientId],
      ['client_secret', model.clientSecret],
      ['username', username],
      ['password', password],
    ]
    return expectSuccess(await post(model.baseUrl, 'token', form))
  }
  const own = { base_url: wire.baseUrl, client_id: model.clientId, client_secret: model.clientSecret }
  const things = (): readonly JsonObject[] => {
    const { tagsOf, isTodo, thing } = model.state.behavior
    const tags = tagsOf(account(), model.state)
    return [...account().things.values()]
      .filter(({ deleted }) => !deleted)
      .map((each) => thing(each, isTodo(each, tags)) as JsonObject)
  }
  const others = new Set<unknown>()
  const device = async (): Promise<OtherDevice> => {
    const signIn = async (): Promise<string> => {
      const tokens = await grant()
      others.add(model.state.sessions.at(-1))
      return String(tokens.access_token)
    }
    let token = await signIn()
    const sync = async (upload: Upload = {}): Promise<JsonObject> => {
      const { from, tag = {}, ...lists } = upload
      tell({ kind: 'note', text: 'another device syncs', upload: upload as JsonObject })
      const form: Form = [
        ...(from === undefined ? [] : [['from', String(from)] as const]),
        ...Object.entries(lists).flatMap(([name, values]) =>
          (values ?? []).map((value) => [`${name}[]`, asText(value)] as const),
        ),
        ...Object.entries(tag).map(([name, settings]) => [`tag[${name}]`, JSON.stringify(settings)] as const),
      ]
      const send = async (): Promise<JsonObject> => post(model.baseUrl, 'sync', [['access_token', token], ...form])
      const body = await send()
      if (body.error !== 'invalid_grant') return expectSuccess(body)
      // Tokens of some right servers are valid for seconds only, and a slow client needs longer.
      token = await signIn()
      return expectSuccess(await send())
    }
    return {
      sync,
      create: async (thing) => {
        const { things: listed } = await sync({ new_thing: [{ local_id: 'other', ...thing }] })
        const ids = isObject(listed) && isObject(listed.new) ? listed.new : {}
        return String(ids.other)
      },
      change: async (id, fields) => void (await sync({ changed_thing: [{ _id: id, ...fields }] })),
      remove: async (id) => void (await sync({ deleted_thing: [id] })),
      setTag: async (name, settings) => void (await sync({ tag: { [name]: settings } })),
    }
  }
  const clientSessions = (): typeof model.state.sessions => model.state.sessions.filter((each) => !others.has(each))
  return {
    wire,
    model,
    account,
    things,
    titled: (title) => things().filter((thing) => thing.title === title),
    credentials: () => ({ ...own, username, password }),
    withTokens: async () => {
      const { access_token, request_token, expires_in } = await grant()
      return { ...own, tokens: { access_token, request_token, expires_in } as JsonObject }
    },
    device,
    expireAccessTokens: () => {
      tell({ kind: 'note', text: 'the access tokens of the client expire' })
      for (const { pairs } of clientSessions()) for (const { access } of pairs) expired.add(access)
    },
    endSessions: () => {
      tell({ kind: 'note', text: 'the server ends the sessions of the client' })
      for (const session of clientSessions()) session.revoked = true
    },
    secrets: () => [
      [model.clientSecret, '{client_secret}'],
      [password, '{password}'],
      ...model.state.sessions.flatMap(({ pairs }, session) =>
        pairs.flatMap(({ access, request }, pair) => [
          [access, `{access_token ${session + 1}.${pair + 1}}`] as const,
          [request, `{request_token ${session + 1}.${pair + 1}}`] as const,
        ]),
      ),
    ],
    close: async () => {
      await wire.close()
      await model.close()
    },
  }
}
