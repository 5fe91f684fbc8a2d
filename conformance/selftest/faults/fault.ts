import { type Behaviour, right } from '../server/behaviour.ts'
import type { Refusal, RefusalReason } from '../server/refusal.ts'
import { refusals } from '../server/refusal.ts'
import type { ListingOf } from '../server/right-listings.ts'
import type { Exchange, Reply } from '../server/right-requests.ts'
import type { Found } from '../server/right-tokens.ts'
import type { Submitted, UploadKind } from '../server/right-uploads.ts'
import { openSession } from '../server/token-endpoint.ts'
import type { Json, JsonObject, Session, Thing, World } from '../server/world.ts'

/** One wrong server: the right one with one piece replaced. */
export interface Fault {
  /** Stable; rules name the faults that they must catch by it. */
  readonly id: string
  /** What the server does wrong, as a continuation of "a server that". */
  readonly title: string
  readonly behaviour: Partial<Behaviour>
}

/** Makes a fault from one row of a table. */
export function fault(id: string, title: string, behaviour: Partial<Behaviour>): Fault {
  return { id, title, behaviour }
}

/** Makes faults of one kind: each row holds an id, a title, and what makes the behavior of this kind. */
export function makeFaults<Kind extends (...given: never[]) => Partial<Behaviour>>(
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
export function things(edit: (json: JsonObject, thing: Thing, of: ListingOf | undefined) => Json): Partial<Behaviour> {
  return { thing: (thing, isTodo, of) => edit(right.thing(thing, isTodo) as JsonObject, thing, of) }
}

/** Answers of sync edited. */
export function answers(edit: (answer: JsonObject, exchange: Exchange) => Json): Partial<Behaviour> {
  return { syncAnswer: (answer, exchange) => edit(answer, exchange) }
}

/** Token answers edited. */
export function grants(edit: (answer: JsonObject, session: Session) => Json): Partial<Behaviour> {
  return { tokenAnswer: edit }
}

/** Replies of one path edited: only those that succeed, or only errors. */
export function replies(
  path: string,
  kind: 'success' | 'error',
  edit: (body: JsonObject, reply: Reply, exchange: Exchange) => Json,
): Partial<Behaviour> {
  return {
    reply: (reply, exchange) => {
      const applies = exchange.path === path && (reply.status >= 400 ? 'error' : 'success') === kind
      return applies ? { ...reply, body: edit(reply.body as JsonObject, reply, exchange) } : reply
    },
  }
}

/** The error object of one reason edited. */
export function errors(reason: RefusalReason, edit: (body: JsonObject) => Json): Partial<Behaviour> {
  return {
    errorBody: (refusal) => {
      const body = right.errorBody(refusal)
      return refusal.reason === reason ? edit(body as JsonObject) : body
    },
  }
}

/** One reason answered with another status. */
export function status(reason: RefusalReason, wrong: number): Partial<Behaviour> {
  return { errorStatus: (refusal: Refusal) => (refusal.reason === reason ? wrong : refusals[refusal.reason][0]) }
}

/** The values of one upload parameter edited, by the form in which they came. */
export function forms(kind: UploadKind, edit: (given: Submitted) => Partial<Submitted>): Partial<Behaviour> {
  return { several: (which, given) => right.several(which, which === kind ? { ...given, ...edit(given) } : given) }
}

/** Successes of the paths that begin so answered with another status. */
export function answered(path: string, wrong: number): Partial<Behaviour> {
  return {
    reply: (reply, exchange) =>
      exchange.path.startsWith(path) && reply.status === 200 ? { ...reply, status: wrong } : reply,
  }
}

/** The parameters of a POST edited. */
export function postWithout(name: string): Partial<Behaviour> {
  return { parameters: (all, { method }) => (method === 'POST' ? all.filter(([given]) => given !== name) : all) }
}

/** A session of alice for somebody who has no right to one. */
export function breakIn(world: World): Found {
  const session = openSession(world, 'alice')
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
export function texts(edit: (text: string) => string, ...fields: readonly TextField[]): Partial<Behaviour> {
  return { keepText: (text, field) => (fields.length === 0 || fields.includes(field) ? edit(text) : text) }
}

/** Dates kept in another way. */
export function dates(keepDate: (date: number) => number): Partial<Behaviour> {
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
