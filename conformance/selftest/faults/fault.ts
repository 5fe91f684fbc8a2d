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
} from '../server/behavior.ts'
import {
  ApiError,
  apiErrors,
  type ErrorReason,
  type Json,
  type JsonObject,
  type ServerState,
  type Session,
  type Thing,
} from '../server/state.ts'
import { openSession } from '../server/token-endpoint.ts'

/** One wrong server: the right one with one piece replaced. */
export interface Fault {
  /** Stable; rules name the faults that they must catch by it. */
  readonly id: string
  /** What the server does wrong, as a continuation of "a server that". */
  readonly title: string
  readonly behavior: Partial<Behavior>
}

/** Makes a fault from one row of a table. */
export function fault(id: string, title: string, behavior: Partial<Behavior>): Fault {
  return { id, title, behavior }
}

/** Makes faults of one kind: each row holds an id, a title, and what makes the behavior of this kind. */
export function createFaults<Kind extends (...given: never[]) => Partial<Behavior>>(
  kind: Kind,
  ...rows: readonly (readonly [id: string, title: string, ...given: Parameters<Kind>])[]
): readonly Fault[] {
  return rows.map(([id, title, ...given]) => fault(id, title, kind(...(given as never[]))))
}

/** An object without some of its keys. */
export function without(object: object, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}

/** Returned things edited. */
export function things(edit: (json: JsonObject, thing: Thing, of: ListingOf | undefined) => Json): Partial<Behavior> {
  return { thing: (thing, isTodo, of) => edit(rightServer.thing(thing, isTodo) as JsonObject, thing, of) }
}

/** Answers of sync edited. */
export function responses(edit: (response: JsonObject, exchange: Exchange) => Json): Partial<Behavior> {
  return { syncResponse: (response, exchange) => edit(response, exchange) }
}

/** Token answers edited. */
export function grants(edit: (response: JsonObject, session: Session) => Json): Partial<Behavior> {
  return { tokenResponse: edit }
}

/** Replies of one path edited: only those that succeed, or only errors. */
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

/** The error object of one reason edited. */
export function errors(reason: ErrorReason, edit: (body: JsonObject) => Json): Partial<Behavior> {
  return {
    errorBody: (apiError) => {
      const body = rightServer.errorBody(apiError)
      return apiError.reason === reason ? edit(body as JsonObject) : body
    },
  }
}

/** One reason answered with another status. */
export function status(reason: ErrorReason, wrong: number): Partial<Behavior> {
  return { errorStatus: (apiError: ApiError) => (apiError.reason === reason ? wrong : apiErrors[apiError.reason][0]) }
}

/** The values of one upload parameter edited, by the form in which they came. */
export function forms(kind: UploadKind, edit: (given: Submitted) => Partial<Submitted>): Partial<Behavior> {
  return {
    several: (which, given) => rightServer.several(which, which === kind ? { ...given, ...edit(given) } : given),
  }
}

/** Successes of the paths that begin so answered with another status. */
export function responded(path: string, wrong: number): Partial<Behavior> {
  return {
    reply: (reply, exchange) =>
      exchange.path.startsWith(path) && reply.status === 200 ? { ...reply, status: wrong } : reply,
  }
}

/** The parameters of a POST edited. */
export function postWithout(name: string): Partial<Behavior> {
  return { parameters: (all, { method }) => (method === 'POST' ? all.filter(([given]) => given !== name) : all) }
}

/** A session of alice for somebody who has no right to one. */
export function breakIn(state: ServerState): Found {
  const session = openSession(state, 'alice')
  const pair = { access: '', request: '', parent: undefined, used: true }
  return { session, pair }
}

/** The value of `from` as it was sent. */
export function fromOf({ parameters }: Exchange): Json {
  return parameters.find(([name]) => name === 'from')?.[1]
}

/** A returned thing with the title and tags that it was created with. */
export function firstState(json: JsonObject, { first }: Thing): JsonObject {
  return { ...json, title: first.title, tags: first.tags }
}

/** Text fields of a thing. */
type TextField = 'title' | 'tags' | 'url' | 'html'

/** Text of some fields (all when none is named) kept in another way. */
export function texts(edit: (text: string) => string, ...fields: readonly TextField[]): Partial<Behavior> {
  return { keepText: (text, field) => (fields.length === 0 || fields.includes(field) ? edit(text) : text) }
}

/** Dates kept in another way. */
export function dates(keepDate: (date: number) => number): Partial<Behavior> {
  return { keepDate }
}

/** Text without what a pattern finds, or with something in its place. */
export function replacing(
  pattern: RegExp,
  by: string | ((found: string, group: string) => string) = '',
): (text: string) => string {
  return (text) => text.replace(pattern, by as string)
}

/** The beginning of a text. */
export function cutAt(length: number): (text: string) => string {
  return (text) => text.slice(0, length)
}

/** Some requests answered as unknown operations. */
export function rejecting(matches: (exchange: Exchange) => boolean): Partial<Behavior> {
  return {
    parameters: (all, exchange) => {
      if (matches(exchange)) throw new ApiError('operation-unknown', 'there is no such operation')
      return all
    },
  }
}

/** What an upload can hold. */
export type Part = 'new' | 'change' | 'delete' | 'tag'

/** Every part, in the order of the ids of faults. */
export const parts: readonly Part[] = ['new', 'change', 'delete', 'tag']

/** How the titles of faults name each part. */
export const words: Readonly<Record<Part, string>> = {
  new: 'a creation',
  change: 'a change',
  delete: 'a deletion',
  tag: 'tag settings',
}

/** Whether an upload holds the part. */
export function has({ created, changed, deleted, tags }: Upload, part: Part): boolean {
  return { new: created, change: changed, delete: deleted, tag: [...tags] }[part].length > 0
}

/** Where faults remember who waits: the memory of an account or of the world. */
export type Memory = Map<string, Json>

/** Longer than the pauses that rules and histories make between requests that are to meet. */
const usualTimeoutMs = 25

/** Turns of the event loop in which what was sent in time is read, however late the clock was looked at. */
const turns = 20

/** How long a request waits for another one; a test whose requests come from other programs makes it longer. */
export function setTimeoutMs({ accounts, memory }: ServerState, timeoutMs: number): void {
  for (const each of [memory, ...[...accounts.values()].map((account) => account.memory)])
    each.set('patience', timeoutMs)
}

function waitingAt(memory: Memory, place: string): Set<() => void> {
  const waiting = (memory.get(place) ?? new Set()) as Set<() => void>
  memory.set(place, waiting)
  return waiting
}

async function beAlone(memory: Memory): Promise<false> {
  await sleep(Number(memory.get('patience') ?? usualTimeoutMs))
  for (let count = 0; count < turns; count += 1) await turn()
  return false
}

/** Lets the requests that wait at the place go on; how many there were. */
export function visit(memory: Memory, place: string): number {
  const waiting = waitingAt(memory, place)
  const leaving = [...waiting]
  waiting.clear()
  for (const leave of leaving) leave()
  return leaving.length
}

/** Waits at the place until another request visits it, or until none is on its way; whether one came. */
export async function hold(memory: Memory, place: string): Promise<boolean> {
  const waiting = waitingAt(memory, place)
  let leave = (): void => {}
  const visited = new Promise<true>((resolve) => {
    leave = () => resolve(true)
  })
  waiting.add(leave)
  const wasVisited = await Promise.race([visited, beAlone(memory)])
  waiting.delete(leave)
  return wasVisited
}

/** Lets two requests meet at the place: the first waits for the second. Whether they met. */
export async function meet(memory: Memory, place: string): Promise<boolean> {
  return visit(memory, place) > 0 || (await hold(memory, place))
}

/** Lets requests of two users meet. Whether they met. */
export async function meetOther({ accounts, memory }: ServerState, username: string): Promise<boolean> {
  const others = [...accounts.keys()].filter((name) => name !== username)
  return others.some((name) => visit(memory, `of ${name}`) > 0) || (await hold(memory, `of ${username}`))
}
