/*
 * The tools of one rule for clients: servers with a script, clients of the profile `api`, replicas of the profile
 * `replica`, and findings. Start reading at `ClientLab`; a rule is five to fifteen lines with it.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isObject, type Json, type JsonObject, listOf, showValue } from '../encoding.ts'
import { createRandom } from '../lab.ts'
import { Finding } from '../result.ts'
import { type Adapter, AdapterBroken, type ClientFailure, type Feature, type Outcome } from './adapter.ts'
import { openScriptedServer, type ScriptedServer, type ServerOptions } from './scripted-server.ts'
import { createStory, type StoryEvent, type Tell } from './story.ts'
import { type Matcher, toExchange, type WireExchange, type WireRequest } from './wire.ts'

/** A client of the profile `api`. */
export interface ApiClient {
  readonly group: number
  /** Sends a command and resolves to its outcome, whatever it is. */
  readonly call: (command: string, parameters?: JsonObject, timeoutMs?: number) => Promise<Outcome>
  /** Sends a command that has to succeed. @throws Finding when it does not */
  readonly succeed: (command: string, parameters?: JsonObject, because?: string) => Promise<JsonObject>
  /** Sends a command that has to return an error. @throws Finding when it succeeds, or fails as a crash */
  readonly fail: (command: string, parameters: JsonObject, because: string) => Promise<ClientFailure>
  /** Ends the process, and resolves to what it wrote to its standard error. The client cannot be used afterwards. */
  readonly endAndReadErrors: () => Promise<string>
}

/** A thing as a replica holds it. */
export interface HeldThing extends JsonObject {
  readonly ref: string
  readonly title: string
}

/** What a replica says about its edits. */
export interface ReplicaState {
  readonly pending: number
  readonly lost: readonly string[]
  readonly error: Json | undefined
}

/** A client of the profile `replica`: one device with a folder. */
export interface ReplicaDevice {
  readonly name: string
  /** The absolute path of its folder. */
  readonly folder: string
  readonly create: (fields: JsonObject) => Promise<string>
  readonly change: (ref: string, fields: JsonObject) => Promise<void>
  readonly remove: (ref: string) => Promise<void>
  readonly setTag: (name: string, settings: JsonObject) => Promise<void>
  /** Syncs once; the outcome may be an error. */
  readonly trySync: () => Promise<Outcome>
  /** Syncs once. @throws Finding when that fails */
  readonly sync: (because?: string) => Promise<void>
  /** Syncs until it succeeds, at most `tries` times. @throws Finding when no try succeeds */
  readonly syncUntilDone: (because: string, tries?: number) => Promise<void>
  readonly read: () => Promise<{ readonly things: readonly HeldThing[]; readonly tags: JsonObject }>
  readonly state: () => Promise<ReplicaState>
  /** Returns the present `ref` of the only thing with this title. @throws Finding when there is none, or several */
  readonly refOf: (title: string) => Promise<string>
  /** Returns the only thing with this title. @throws Finding when there is none, or several */
  readonly find: (title: string) => Promise<HeldThing>
  /** Kills the process. */
  readonly kill: () => Promise<void>
  /** Starts a new process on the same folder, after `kill`. */
  readonly start: () => Promise<void>
  readonly restart: () => Promise<void>
}

/** The tools of one rule. */
export interface ClientLab {
  readonly seed: number
  /** Number of random histories to play. */
  readonly histories: number
  readonly random: () => number
  readonly has: (feature: Feature) => boolean
  readonly openServer: (options?: ServerOptions) => Promise<ScriptedServer>
  /** Starts a client of the profile `api`; by default it signs in with user name and password. */
  readonly client: (server: ScriptedServer, parameters?: JsonObject) => Promise<ApiClient>
  /** Opens a replica in a new folder. */
  readonly replica: (server: ScriptedServer, name?: string, parameters?: JsonObject) => Promise<ReplicaDevice>
  /**
   * Checks each variant of a rule, two variants at a time. Each has a lab of its own for its servers and clients, so that
   * a failure shows what belongs to it. A client that repeats requests waits long between them, and would otherwise wait
   * for one variant after the other.
   */
  readonly forEachVariant: <Item>(
    items: readonly Item[],
    check: (item: Item, lab: ClientLab) => Promise<void>,
  ) => Promise<void>
  /** Closes servers and replicas before the end of the rule, and forgets what happened so far. Not for a variant. */
  readonly reset: () => Promise<void>
}

/** A lab that its caller closes. */
export interface OpenClientLab {
  readonly lab: ClientLab
  /** Returns what happened before an error of the rule, oldest first: in its variant, when one variant failed. */
  readonly eventsBehind: (error: unknown) => readonly StoryEvent[]
  /** Replaces the secrets of all servers of the rule in a text. */
  readonly redact: (text: string) => string
  readonly close: () => Promise<void>
  /** Kills every adapter of the lab: what waits for one ends with an error. */
  readonly abort: () => Promise<void>
}

/** Where a lab gets its adapters. */
export interface AdapterSource {
  /** Returns an adapter that said hello. */
  readonly take: () => Promise<Adapter>
  /** Takes an adapter back, or kills it when it is not idle. */
  readonly giveBack: (adapter: Adapter) => Promise<void>
}

/** Checks a condition. @throws Finding with the exchange that shows the fault; default: see `findDecisive` */
export function expectThat(
  condition: boolean,
  expected: string,
  actual: string,
  at?: WireExchange | undefined,
): asserts condition {
  if (!condition) throw new Finding(expected, actual, at === undefined ? undefined : toExchange(at))
}

/** Expects two JSON values to be the same; the order of members is free. */
export function expectEqual(actual: unknown, wanted: unknown, expected: string, at?: WireExchange): void {
  const isSame = canonicalize(actual) === canonicalize(wanted)
  expectThat(isSame, `${expected}: ${showValue(wanted)}`, `${showValue(actual)} came`, at)
}

/** Writes a JSON value with the members of its objects in order. */
export function canonicalize(value: unknown): string {
  return (
    JSON.stringify(value, (_name, part: unknown) =>
      isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
    ) ?? 'nothing'
  )
}

/** Finds the last exchange whose request the function selects. */
export function lastExchange(
  exchanges: readonly WireExchange[],
  selects: (request: WireRequest) => boolean,
): WireExchange | undefined {
  return exchanges.findLast(({ request }) => selects(request))
}

/**
 * Waits until the request arrives that a running command has to send.
 * @throws Finding when the command ends without it
 */
export async function whileRunning<T>(command: Promise<Outcome>, arrival: Promise<T>, what: string): Promise<T> {
  const ended = command.then((outcome) => {
    throw new Finding(`${what} during the command`, `the command ended without it: ${showValue(outcome)}`)
  })
  // When the request arrives, the end of the command belongs to the rule.
  ended.catch(() => {})
  return Promise.race([arrival, ended])
}

/** Waits for the arrival of a request at a server, while a command runs. */
export function arrivalOf(
  server: ScriptedServer,
  matcher: Matcher,
  command: () => Promise<Outcome>,
  what: string,
): { readonly outcome: Promise<Outcome>; readonly arrived: Promise<WireRequest> } {
  const arrival = server.wire.arrival(matcher)
  const outcome = command()
  // The rule may kill the process: then it does not wait for the outcome.
  outcome.catch(() => {})
  return { outcome, arrived: whileRunning(outcome, arrival, what) }
}

/** Describes an error that a client returned, for the sentence of a finding; `instead` where it returned none. */
export function showError(error: ClientFailure | undefined, instead = 'a success'): string {
  if (error === undefined) return instead
  if (error.kind !== 'internal') return showValue(error)
  return `an error of kind internal (a crash of the client or the adapter): ${showValue(error)}`
}

const describeCall = (command: string, parameters: JsonObject): string =>
  `${command}${Object.keys(parameters).length === 0 ? '' : ` ${showValue(parameters, 200)}`}`

function createApiClient(adapter: Adapter): ApiClient {
  const call: ApiClient['call'] = async (command, parameters = {}, timeoutMs = undefined) =>
    adapter.send(command, parameters, timeoutMs)
  return {
    group: adapter.group,
    call,
    succeed: async (command, parameters = {}, because = '') => {
      const { result, error } = await call(command, parameters)
      if (result !== undefined) return result
      const why = because === '' ? '' : `, because ${because}`
      throw new Finding(
        `${describeCall(command, parameters)} to succeed${why}`,
        `the client returned ${showError(error)}`,
      )
    },
    fail: async (command, parameters, because) => {
      const { result, error } = await call(command, parameters)
      const expected = `an error from ${describeCall(command, parameters)}, because ${because}`
      if (error === undefined) throw new Finding(expected, `the client returned the result ${showValue(result)}`)
      const isRight = error.kind !== 'internal' && error.kind !== 'unsupported'
      if (!isRight) throw new Finding(expected, `the client returned ${showError(error)}`)
      return error
    },
    endAndReadErrors: async () => {
      await adapter.end()
      return adapter.errorOutput()
    },
  }
}

function readHeld(result: JsonObject): { things: readonly HeldThing[]; tags: JsonObject } {
  const things = listOf(result.things)
  const wrong = things.find(
    (thing) => !isObject(thing) || typeof thing.title !== 'string' || typeof thing.ref !== 'string',
  )
  const expected = 'a list of things with "ref" and "title" in the result of read'
  if (!Array.isArray(result.things) || wrong !== undefined) throw new Finding(expected, showValue(wrong ?? result))
  return { things: things as readonly HeldThing[], tags: isObject(result.tags) ? result.tags : {} }
}

/** Maximum time of `open`: the adapter may start a browser first. */
const openMs = 60_000

async function createReplica(
  take: () => Promise<Adapter>,
  tell: Tell,
  name: string,
  folder: string,
  credentials: JsonObject,
): Promise<ReplicaDevice> {
  const parameters = { folder, ...credentials }
  let adapter: Adapter | undefined
  const start = async (): Promise<void> => {
    adapter = await take()
    await succeed('open', parameters)
  }
  const running = (): Adapter => {
    if (adapter === undefined) throw new Error(`the rule uses ${name} after it killed it`)
    return adapter
  }
  const succeed = async (command: string, given: JsonObject = {}, because = ''): Promise<JsonObject> => {
    const { result, error } = await running().send(command, given, command === 'open' ? openMs : undefined)
    if (result !== undefined) return result
    const shown = command === 'open' ? 'open' : describeCall(command, given)
    const why = because === '' ? '' : `, because ${because}`
    throw new Finding(`${shown} of ${name} to succeed${why}`, `the client returned ${showError(error)}`)
  }
  await start()
  const trySync = async (): Promise<Outcome> => running().send('sync')
  const read = async (): ReturnType<ReplicaDevice['read']> => readHeld(await succeed('read'))
  const find = async (title: string): Promise<HeldThing> => {
    const { things } = await read()
    const found = things.filter((thing) => thing.title === title)
    const [only] = found
    if (only !== undefined && found.length === 1) return only
    const titles = things.map((thing) => thing.title).slice(0, 20)
    throw new Finding(
      `one thing with the title "${title}" in ${name}`,
      `read lists ${found.length} of them, among ${showValue(titles)}`,
    )
  }
  const kill = async (): Promise<void> => {
    const killed = running()
    adapter = undefined
    tell({ kind: 'note', text: `${name} is killed` })
    await killed.kill()
  }
  return {
    ...{ name, folder },
    create: async (fields) => {
      const { ref } = await succeed('create', fields)
      if (typeof ref === 'string' && ref !== '') return ref
      throw new Finding('a text "ref" in the result of create', showValue(ref))
    },
    change: async (ref, fields) => void (await succeed('change', { ref, ...fields })),
    remove: async (ref) => void (await succeed('delete', { ref })),
    setTag: async (tag, settings) => void (await succeed('set-tag', { name: tag, settings })),
    trySync,
    sync: async (because) => void (await succeed('sync', {}, because)),
    syncUntilDone: async (because, tries = 4) => {
      let last: ClientFailure | undefined
      for (let count = 0; count < tries; count += 1) {
        const { error } = await trySync()
        if (error === undefined) return
        last = error
      }
      throw new Finding(
        `sync of ${name} to succeed within ${tries} tries, because ${because}`,
        `the last error is ${showError(last)}`,
      )
    },
    read,
    state: async () => {
      const { pending, lost, error } = await succeed('state')
      const expected = '"pending", a number, and "lost", a list of objects with "title", in the result of state'
      if (typeof pending !== 'number' || !Array.isArray(lost))
        throw new Finding(expected, showValue({ pending, lost: lost ?? null }))
      return { pending, lost: listOf(lost).map((each) => String(isObject(each) ? each.title : each)), error }
    },
    refOf: async (title) => (await find(title)).ref,
    find,
    kill,
    start,
    restart: async () => {
      await kill()
      await start()
    },
  }
}

/** Opens a lab for one rule; the caller closes it. */
export function openClientLab(
  source: AdapterSource,
  settings: {
    readonly seed: number
    readonly histories: number
    readonly features: readonly Feature[]
    readonly ruleId: string
  },
): OpenClientLab {
  const servers: ScriptedServer[] = []
  const used = new Set<Adapter>()
  const folders: string[] = []
  const secrets: (readonly [string, string])[] = []
  const story = createStory()
  const replicas = new Set<Adapter>()
  let isEnded = false
  const take = async (): Promise<Adapter> => {
    const adapter = await source.take()
    used.add(adapter)
    if (!isEnded) return adapter
    // The rule ended while the adapter started: nobody would give it back.
    await adapter.kill()
    throw new AdapterBroken('the rule ended while the adapter started')
  }
  /** Closes the replica of an adapter, so that the next rule can use the process. */
  const giveBack = async (adapter: Adapter): Promise<void> => {
    if (replicas.has(adapter) && adapter.isIdle()) await adapter.send('close', {}, 5000).catch(ignoreBroken)
    await source.giveBack(adapter)
  }
  const reset = async (): Promise<void> => {
    await Promise.all([...used].map((adapter) => giveBack(adapter)))
    used.clear()
    story.clear()
    const closing = servers.splice(0)
    for (const server of closing) secrets.push(...server.secrets())
    await Promise.all(closing.map((server) => server.close()))
    // A process of a killed group may write until it is gone.
    const how = { recursive: true, force: true, maxRetries: 10 }
    await Promise.all(folders.splice(0).map((folder) => rm(folder, how)))
  }
  const random = createRandom(`${settings.seed} ${settings.ruleId}`)
  let variants = 0
  const createLab = (variant?: number): ClientLab => {
    const tell = story.tellFor(variant)
    let clients = 0
    const lab: ClientLab = {
      ...{ seed: settings.seed, histories: settings.histories, random },
      has: (feature) => settings.features.includes(feature),
      openServer: async (options) => {
        const server = await openScriptedServer({ ...options, tell })
        servers.push(server)
        return server
      },
      client: async (server, parameters = server.credentials()) => {
        clients += 1
        const adapter = recordCommands(await take(), clients === 1 ? 'client' : `client ${clients}`, tell)
        const client = createApiClient(adapter)
        const { error } = await adapter.send('init', parameters)
        if (error !== undefined) throw new Finding('init to succeed', `the client returned ${showError(error)}`)
        return client
      },
      replica: async (server, name = 'phone', parameters = server.credentials()) => {
        const folder = await mkdtemp(join(tmpdir(), 'thingsync-client-'))
        folders.push(folder)
        const takeForReplica = async (): Promise<Adapter> => {
          const adapter = await take()
          replicas.add(adapter)
          return recordCommands(adapter, name, tell)
        }
        return createReplica(takeForReplica, tell, name, folder, parameters)
      },
      forEachVariant: async (items, check) =>
        twoAtOnce(items, async (item) => {
          variants += 1
          const number = variants
          try {
            await check(item, createLab(number))
          } catch (error) {
            story.blame(error, number)
            throw error
          }
        }),
      reset: async () => {
        clients = 0
        await reset()
      },
    }
    return lab
  }
  return {
    lab: createLab(),
    eventsBehind: story.eventsBehind,
    redact: (text) => {
      const known = [...secrets, ...servers.flatMap((server) => server.secrets())]
      return known.reduce((shown, [secret, name]) => replaceSecret(shown, secret, name), text)
    },
    close: async () => {
      isEnded = true
      await reset()
    },
    abort: async () => {
      isEnded = true
      await Promise.all([...used].map((adapter) => adapter.kill()))
    },
  }
}

/** Returns the adapter with its commands and their results told. */
function recordCommands(adapter: Adapter, who: string, tell: Tell): Adapter {
  return {
    ...adapter,
    send: async (command, parameters = {}, timeoutMs = undefined) => {
      tell({ kind: 'command', who, command, parameters })
      try {
        const outcome = await adapter.send(command, parameters, timeoutMs)
        tell({ kind: 'outcome', who, outcome })
        return outcome
      } catch (error) {
        if (error instanceof AdapterBroken)
          tell({ kind: 'note', text: `${who} < no result: ${error.message.split('\n')[0]}` })
        throw error
      }
    },
  }
}

/** Returns a secret as it is, and as it is in a URL, in a form and in JSON. */
export function formsOfSecret(secret: string): readonly string[] {
  const inForm = new URLSearchParams([['', secret]]).toString().slice(1)
  const forms = [secret, encodeURIComponent(secret), inForm, JSON.stringify(secret).slice(1, -1)]
  return [...new Set(forms)]
}

/** Replaces a secret in each of its forms. */
function replaceSecret(text: string, secret: string, name: string): string {
  return formsOfSecret(secret).reduce((shown, form) => shown.replaceAll(form, name), text)
}

/** Does the work for each item, two items at a time. @throws the first error, after the other item ended */
async function twoAtOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items]
  const errors: unknown[] = []
  const takeNext = async (): Promise<void> => {
    try {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
    } catch (error) {
      errors.push(error)
      queue.length = 0
    }
  }
  // Both end before the rule does: its servers must not be closed under one of them.
  await Promise.all([takeNext(), takeNext()])
  if (errors.length > 0) throw errors[0]
}

/** A broken adapter is not used again, and its rule has ended. */
function ignoreBroken(error: unknown): void {
  if (!(error instanceof AdapterBroken)) throw error
}
