import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import {
  type Behavior,
  type Exchange,
  type Found,
  type ListingOf,
  type Reply,
  rightServer,
  type Submitted,
  type Upload,
  type UploadKind,
} from '../../src/model/behavior.ts'
import {
  ApiError,
  apiErrors,
  type ErrorReason,
  type Json,
  type JsonObject,
  type ServerState,
  type Session,
  type Thing,
} from '../../src/model/state.ts'
import { openSession } from '../../src/model/token-endpoint.ts'

/** A wrong server: the right server with one piece of behavior replaced. */
export interface Fault {
  /** Stable; rules refer to the faults that they must find by it. */
  readonly id: string
  /** The mistake of the server, as a continuation of "a server that". */
  readonly title: string
  readonly behavior: Partial<Behavior>
}

/** Creates a fault. */
export function fault(id: string, title: string, behavior: Partial<Behavior>): Fault {
  return { id, title, behavior }
}

/** Creates faults of one kind: each row has an id, a title, and the arguments of `kind`, which creates the behavior. */
export function createFaults<Kind extends (...given: never[]) => Partial<Behavior>>(
  kind: Kind,
  ...rows: readonly (readonly [id: string, title: string, ...given: Parameters<Kind>])[]
): readonly Fault[] {
  return rows.map(([id, title, ...given]) => fault(id, title, kind(...(given as never[]))))
}

/** Returns an object without some of its keys. */
export function without(object: object, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}

/** Edits returned things. */
export function things(edit: (json: JsonObject, thing: Thing, of: ListingOf | undefined) => Json): Partial<Behavior> {
  return { thing: (thing, isTodo, of) => edit(rightServer.thing(thing, isTodo) as JsonObject, thing, of) }
}

/** Edits the responses to sync. */
export function responses(edit: (response: JsonObject, exchange: Exchange) => Json): Partial<Behavior> {
  return { syncResponse: (response, exchange) => edit(response, exchange) }
}

/** Edits the responses of the token endpoint. */
export function grants(edit: (response: JsonObject, session: Session) => Json): Partial<Behavior> {
  return { tokenResponse: edit }
}

/** Edits the replies of one path: only successes, or only errors. */
export function replies(
  path: string,
  kind: 'success' | 'error',
  edit: (body: JsonObject, reply: Reply, exchange: Exchange) => Json,
): Partial<Behavior> {
  return {
    reply: (reply, exchange) => {
      const applies = exchange.path === path && (reply.status >= 400 ? 'error' : 'success') === kind
      return applies ? { ...reply, body: edit(reply.body as JsonObject, reply, exchange) } : reply
    },
  }
}

/** Edits the error object of one error. */
export function errors(reason: ErrorReason, edit: (body: JsonObject) => Json): Partial<Behavior> {
  return {
    errorBody: (apiError) => {
      const body = rightServer.errorBody(apiError)
      return apiError.reason === reason ? edit(body as JsonObject) : body
    },
  }
}

/** Gives one error another status. */
export function status(reason: ErrorReason, wrong: number): Partial<Behavior> {
  return { errorStatus: (apiError: ApiError) => (apiError.reason === reason ? wrong : apiErrors[apiError.reason][0]) }
}

/** Edits the values of one upload parameter, by their form. */
export function forms(kind: UploadKind, edit: (given: Submitted) => Partial<Submitted>): Partial<Behavior> {
  return {
    several: (which, given) => rightServer.several(which, which === kind ? { ...given, ...edit(given) } : given),
  }
}

/** Gives successes of the paths with this prefix another status. */
export function responded(path: string, wrong: number): Partial<Behavior> {
  return {
    reply: (reply, exchange) =>
      exchange.path.startsWith(path) && reply.status === 200 ? { ...reply, status: wrong } : reply,
  }
}

/** Ignores one parameter of a POST. */
export function postWithout(name: string): Partial<Behavior> {
  return { parameters: (all, { method }) => (method === 'POST' ? all.filter(([given]) => given !== name) : all) }
}

/** Opens a session of alice without valid credentials. */
export function breakIn(state: ServerState): Found {
  const session = openSession(state, 'alice')
  const pair = { access: '', request: '', parent: undefined, used: true }
  return { session, pair }
}

/** Returns the submitted value of `from`. */
export function fromOf({ parameters }: Exchange): Json {
  return parameters.find(([name]) => name === 'from')?.[1]
}

/** Returns a returned thing with the title and tags of its creation. */
export function firstState(json: JsonObject, { first }: Thing): JsonObject {
  return { ...json, title: first.title, tags: first.tags }
}

/** Text fields of a thing. */
type TextField = 'title' | 'tags' | 'url' | 'html'

/** Stores the text of some fields (all by default) in another form. */
export function texts(edit: (text: string) => string, ...fields: readonly TextField[]): Partial<Behavior> {
  return { keepText: (text, field) => (fields.length === 0 || fields.includes(field) ? edit(text) : text) }
}

/** Stores dates in another form. */
export function dates(keepDate: (date: number) => number): Partial<Behavior> {
  return { keepDate }
}

/** Replaces the matches of a pattern in a text, by nothing by default. */
export function replacing(
  pattern: RegExp,
  by: string | ((found: string, group: string) => string) = '',
): (text: string) => string {
  return (text) => text.replace(pattern, by as string)
}

/** Cuts a text to a length. */
export function cutAt(length: number): (text: string) => string {
  return (text) => text.slice(0, length)
}

/** Rejects some requests as unknown operations. */
export function rejecting(matches: (exchange: Exchange) => boolean): Partial<Behavior> {
  return {
    parameters: (all, exchange) => {
      if (matches(exchange)) throw new ApiError('operation-unknown', 'there is no such operation')
      return all
    },
  }
}

/** The parts of an upload. */
export type Part = 'new' | 'change' | 'delete' | 'tag'

/** All parts, in the order of the ids of faults. */
export const parts: readonly Part[] = ['new', 'change', 'delete', 'tag']

/** The name of each part in the titles of faults. */
export const words: Readonly<Record<Part, string>> = {
  new: 'a creation',
  change: 'a change',
  delete: 'a deletion',
  tag: 'tag settings',
}

/** Whether an upload has the part. */
export function has({ created, changed, deleted, tags }: Upload, part: Part): boolean {
  return { new: created, change: changed, delete: deleted, tag: [...tags] }[part].length > 0
}

/** The storage of waiting requests: the memory of an account or of the server. */
export type Memory = Map<string, Json>

/** Longer than the pauses of rules and histories between requests that must overlap. */
const usualTimeoutMs = 25

/** Turns of the event loop that read requests which arrived in time, even when the timer fires late. */
const turns = 20

/** Sets how long a request waits for another one. Tests whose requests come from other programs need more time. */
export function setTimeoutMs({ accounts, memory }: ServerState, timeoutMs: number): void {
  for (const each of [memory, ...[...accounts.values()].map((account) => account.memory)])
    each.set('patience', timeoutMs)
}

function waitingAt(memory: Memory, barrier: string): Set<() => void> {
  const waiting = (memory.get(barrier) ?? new Set()) as Set<() => void>
  memory.set(barrier, waiting)
  return waiting
}

async function beAlone(memory: Memory): Promise<false> {
  await sleep(Number(memory.get('patience') ?? usualTimeoutMs))
  for (let count = 0; count < turns; count += 1) await turn()
  return false
}

/** Releases the requests that wait at the barrier, and returns their number. */
export function visit(memory: Memory, barrier: string): number {
  const waiting = waitingAt(memory, barrier)
  const leaving = [...waiting]
  waiting.clear()
  for (const leave of leaving) leave()
  return leaving.length
}

/** Waits at the barrier until another request visits it, or until a timeout. Returns whether a request came. */
export async function hold(memory: Memory, barrier: string): Promise<boolean> {
  const waiting = waitingAt(memory, barrier)
  let leave = (): void => {}
  const visited = new Promise<true>((resolve) => {
    leave = () => resolve(true)
  })
  waiting.add(leave)
  const wasVisited = await Promise.race([visited, beAlone(memory)])
  waiting.delete(leave)
  return wasVisited
}

/** Lets two requests meet at the barrier: the first waits for the second. Returns whether they met. */
export async function meet(memory: Memory, barrier: string): Promise<boolean> {
  return visit(memory, barrier) > 0 || (await hold(memory, barrier))
}

/** Lets requests of two users meet. Returns whether they met. */
export async function meetOther({ accounts, memory }: ServerState, username: string): Promise<boolean> {
  const others = [...accounts.keys()].filter((name) => name !== username)
  return others.some((name) => visit(memory, `of ${name}`) > 0) || (await hold(memory, `of ${username}`))
}
