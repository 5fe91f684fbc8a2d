/*
 * The adapter of the generated SDKs for the suite of clients (`conformance/adapter-protocol.md`, profile `api`). It
 * passes each command on to the runner of an SDK, and returns what the SDK decoded. `adapter.ts LANGUAGE` speaks the
 * protocol on standard input and output. It needs a built SDK: `npm run sdk:test` builds them.
 *
 * The SDKs leave tokens to the app. So the adapter does here what an app has to do: it holds one pair of tokens, and
 * signs in before the first call that needs them. It does not refresh, repeat or check anything.
 */
import { createInterface } from 'node:readline'
import { isObject, type JsonObject } from '../json.ts'
import { openRunner, type SdkResponse } from './scenario.ts'
import { sdkFeatures, toolchains } from './tours.ts'

/** An error of the protocol: its kind, and what the SDK knows about it. */
type Failure = { kind: string; status?: number; code?: string; message?: string }

type Outcome = { result: JsonObject } | { error: Failure }

/** What the adapter holds for a client: where the server is, who signs in, and the present tokens. */
type Session = { baseUrl: string; app: JsonObject; user: JsonObject | undefined; pair: JsonObject | undefined }

const language = process.argv[2] ?? ''
const toolchain = toolchains[language]
if (toolchain === undefined) throw new Error(`adapter: no SDK for "${language}"`)
const runner = openRunner(toolchain.run, `sdk/${language}`)
let session: Session | undefined

/** Copies a value without members that are null: in the protocol, null is the same as absent. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isObject(value)) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]))
}

function toOutcome(response: SdkResponse): Outcome {
  if ('value' in response) {
    const value = withoutNulls(response.value)
    return { result: isObject(value) ? value : { items: value } }
  }
  if ('failure' in response) return { error: { kind: response.kind ?? 'internal', message: response.failure } }
  const { status, error } = response
  const code = isObject(error) ? error.error : undefined
  if (typeof code !== 'string') return { error: { kind: 'unexpected_response', status, message: String(error) } }
  return { error: { kind: 'rejected', status, code, message: String((error as JsonObject).error_description ?? '') } }
}

async function call(name: string, parameters: JsonObject, token?: string): Promise<Outcome> {
  if (session === undefined) return { error: { kind: 'internal', message: 'init comes first' } }
  const wire = { bodies: 'form', token: 'bearer' }
  const request = { call: name, with: parameters, wire, ...(token === undefined ? {} : { token }) }
  return toOutcome(await runner.send(request, session.baseUrl))
}

async function grant(parameters: JsonObject): Promise<Outcome> {
  const outcome = await call('grantToken', { ...parameters, ...session?.app })
  if ('result' in outcome && session !== undefined) session.pair = outcome.result
  return outcome
}

const signIn = (user: JsonObject): Promise<Outcome> => grant({ grant_type: 'password', ...user })

const signedOut: Outcome = { error: { kind: 'signed_out', message: 'there are no tokens' } }

/** Makes a call with the access token, after signing in where there is none. */
async function callSignedIn(name: string, parameters: JsonObject): Promise<Outcome> {
  if (session?.pair === undefined) {
    if (session?.user === undefined) return signedOut
    const signed = await signIn(session.user)
    if ('error' in signed) return signed
  }
  return call(name, parameters, String(session.pair?.access_token))
}

const downloadNames = new Set(['from', 'skip', 'limit', 'skip_id'])

// The type of local_id is text in every SDK.
const withTextIds = (things: unknown): unknown =>
  Array.isArray(things)
    ? things.map((thing) => (isObject(thing) ? { ...thing, local_id: String(thing.local_id) } : thing))
    : things

function sync(parameters: JsonObject): Promise<Outcome> {
  if (Object.keys(parameters).every((name) => downloadNames.has(name))) return callSignedIn('getSync', parameters)
  const { new_thing: created, ...others } = parameters
  return callSignedIn('postSync', created === undefined ? others : { ...others, new_thing: withTextIds(created) })
}

async function revoke(): Promise<Outcome> {
  if (session?.pair === undefined) return signedOut
  const outcome = await call('revokeToken', { token: session.pair.request_token, ...session.app })
  if ('error' in outcome) return outcome
  session.pair = undefined
  return { result: {} }
}

function init({ base_url, client_id, client_secret, username, password, tokens }: JsonObject): Outcome {
  session = {
    baseUrl: String(base_url),
    app: { client_id, client_secret },
    user: username === undefined ? undefined : { username, password },
    pair: isObject(tokens) ? tokens : undefined,
  }
  return { result: {} }
}

const commands: Readonly<Record<string, (parameters: JsonObject) => Outcome | Promise<Outcome>>> = {
  hello: () => ({
    result: {
      ...{ protocol: 1, name: `the ${language} SDK`, version: '1.0', profiles: ['api'] },
      features: sdkFeatures[language],
    },
  }),
  init,
  token: ({ username, password }) => signIn({ username, password }),
  refresh: async () =>
    session?.pair === undefined
      ? signedOut
      : grant({ grant_type: 'refresh_token', refresh_token: session.pair.request_token }),
  sync,
  'thing-add': (thing) => callSignedIn('addThing', thing),
  'thing-change': (thing) => callSignedIn('changeThing', thing),
  'thing-delete': (thing) => callSignedIn('deleteThing', thing),
  'things-get': () => callSignedIn('getThings', {}),
  'tags-get': () => callSignedIn('getTags', {}),
  'user-get': () => callSignedIn('getUser', {}),
  revoke,
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, command, ...parameters } = JSON.parse(line)
  const run = commands[command]
  const outcome = run === undefined ? { error: { kind: 'unsupported', message: command } } : await run(parameters)
  process.stdout.write(`${JSON.stringify({ id, ...outcome })}\n`)
}
await runner.close()
