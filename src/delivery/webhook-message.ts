import type { Thing } from '../store/model.ts'
import type { AccountEvent, ChangeKind, Listing, TagEntry, View } from '../store/store.ts'
import { outboxKeyOfWebhook, type Webhook, type WebhookEvent } from './webhooks.ts'

/** How many ids a message names; where there are more it says so. */
const maxMessageIds = 500

/** Things and tags are in a message only while it is shorter than this. */
export const maxMessageBytes = 16 * 1024

/** What a message says, and up to which position. */
interface Message {
  readonly to: number
  /** JSON text. */
  readonly body: string
}

/** Makes the returned form of a thing (interface 2.1) as JSON text. */
export type ShowThing = (thing: Thing, isTodo: boolean) => string

/** True when a webhook of this event is to be called for what a write did. */
export const isAbout = (event: WebhookEvent, kinds: ReadonlySet<ChangeKind>): boolean =>
  event === 'any' ? kinds.size > 0 : kinds.has(event)

type WebhookProgress = Pick<Webhook, 'event' | 'told'>

interface Changed {
  readonly ids: readonly string[]
  readonly isTruncated: boolean
  readonly hasDeletions: boolean
}

/** True for what a webhook is to be called for. */
const isWanted = ({ event, told }: WebhookProgress, { kind, position, createdPosition }: AccountEvent): boolean => {
  if (event === 'any') return true
  if (kind === 'deletion') return event === 'deleted_thing'
  return event === 'new_thing' ? createdPosition > told : event === 'changed_thing' && position > createdPosition
}

const listChanged = async (view: View, asked: WebhookProgress): Promise<Changed> => {
  const ids: string[] = []
  let hasDeletions = false
  if (asked.event === 'tag') return { ids, isTruncated: false, hasDeletions }
  for await (const one of view.listEvents(asked.told)) {
    if (!isWanted(asked, one)) continue
    if (ids.length === maxMessageIds) return { ids, isTruncated: true, hasDeletions }
    ids.push(one.id)
    hasDeletions ||= one.kind === 'deletion'
  }
  return { ids, isTruncated: false, hasDeletions }
}

async function* listTags(view: View, event: WebhookEvent, told: number): AsyncGenerator<readonly TagEntry[]> {
  if (event === 'tag' || event === 'any') yield* view.listTags(told)
}

/** The tags that changed, as JSON; undefined without any, and `isTooLong` as soon as they take too many bytes. */
const showTags = async (
  tags: AsyncIterable<readonly TagEntry[]>,
  mostBytes: number,
): Promise<{ readonly text: string; readonly isTooLong: boolean } | undefined> => {
  const shown: string[] = []
  let bytes = '"tags":{}'.length
  for await (const piece of tags)
    for (const [name, settings] of piece) {
      const text = `${JSON.stringify(name)}:${JSON.stringify(settings)}`
      bytes += Buffer.byteLength(text) + (shown.length === 0 ? 0 : 1)
      if (bytes >= mostBytes) return { text: '', isTooLong: true }
      shown.push(text)
    }
  return shown.length === 0 ? undefined : { text: `"tags":{${shown.join(',')}}`, isTooLong: false }
}

/** True when something happened that the webhook was not told of. */
export const hasNews = async (view: View, asked: WebhookProgress): Promise<boolean> => {
  const { event, told } = asked
  for await (const _ of listTags(view, event, told)) return true
  if (event === 'tag') return false
  for await (const one of view.listEvents(told)) if (isWanted(asked, one)) return true
  return false
}

const frameBytes = '"things":[],'.length

/** All things of a listing in their returned form, as they are kept; undefined as soon as they take too many bytes. */
const showListed = async (listing: Listing, mostBytes: number): Promise<string | undefined> => {
  let text = ''
  let bytes = frameBytes
  for await (const { json } of listing.changed()) {
    bytes += Buffer.byteLength(json)
    if (bytes >= mostBytes) return undefined
    text += json.toString()
  }
  return text
}

/** Some things in their returned form, or undefined as soon as they take too many bytes. */
const showSome = async (
  view: View,
  ids: readonly string[],
  showThing: ShowThing,
  mostBytes: number,
): Promise<string | undefined> => {
  const shown: string[] = []
  let bytes = frameBytes
  for (const id of ids) {
    const thing = await view.findThing(id)
    if (thing === undefined) return undefined
    const text = showThing(thing, await view.isTodo(thing))
    bytes += Buffer.byteLength(text) + 1
    if (bytes >= mostBytes) return undefined
    shown.push(text)
  }
  return shown.join(',')
}

const writeBody = (event: string, now: number, data: readonly string[]): string =>
  `{"type":${JSON.stringify(event)},"timestamp":"${new Date(now).toISOString()}","data":{${data.join(',')}}}`

/**
 * What a webhook is to be told of the account, all at once (contract, delivery); undefined when nothing of it concerns
 * the webhook. `things` are all that `ids` name, or absent: where one is deleted, and where they would be too long.
 * `now` is the time in milliseconds.
 */
export const buildMessage = async (
  view: View,
  { event, told }: WebhookProgress,
  now: number,
  showThing: ShowThing,
): Promise<Message | undefined> => {
  const { ids, isTruncated, hasDeletions } = await listChanged(view, { event, told })
  const roomIn = (data: readonly string[]) => maxMessageBytes - Buffer.byteLength(writeBody(event, now, data))

  const data = [`"pos":${view.position}`, `"ids":${JSON.stringify(ids)}`]
  const tags = await showTags(listTags(view, event, told), roomIn(data) - ',"truncated":true'.length - 1)
  if (ids.length === 0 && tags === undefined) return undefined
  if (tags !== undefined && !tags.isTooLong) data.push(tags.text)
  if (isTruncated || tags?.isTooLong === true) data.push('"truncated":true')
  const mayShowThings = ids.length > 0 && !hasDeletions && !isTruncated
  if (mayShowThings) {
    const listing = await view.list({ after: told })
    // Nearly always: then nothing has to be made that is not there.
    const isAll = listing.changedCount === ids.length
    const room = roomIn(data)
    const things = isAll ? await showListed(listing, room) : await showSome(view, ids, showThing, room)
    if (things !== undefined) data.push(`"things":[${things}]`)
  }
  return { to: view.position, body: writeBody(event, now, data) }
}

/** What the button "send a test event" sends. It tells of nothing, and the webhook's position stays. */
export const buildTestMessage = (position: number, now: number): Message => ({
  to: position,
  body: writeBody('test', now, [`"pos":${position}`, '"ids":[]']),
})

/** What the app of a webhook may do for its user; a webhook is told while its app lives (`accounts/app-access.ts`). */
export type WebhookAccess = 'living' | 'signedOut' | 'disabled' | 'gone'

/** Why nothing is sent, where the account and not the receiver is the cause; in the middle of a sentence. */
export const suspendedReasons = {
  living: undefined,
  signedOut: 'the app is signed out',
  disabled: 'the user is disabled',
  gone: 'the app is gone',
} as const satisfies Readonly<Record<WebhookAccess, string | undefined>>

/** How it is going with a webhook. */
export interface WebhookState {
  /** `retrying` after a failure, `resting` after the last of its tries or without a living app, `paused` by a person. */
  readonly state: 'working' | 'retrying' | 'resting' | 'paused'
  /** There is something that its receiver was not told of. */
  readonly isWaiting: boolean
  /** When it is tried next, Unix time in seconds; only while it is `retrying`. */
  readonly nextTryAt?: number
  /** Why nothing is sent whatever the receiver answers; in the middle of a sentence. */
  readonly reason?: string
}

const nameState = ({ pausedAt, restingSince, sending }: Webhook, access: WebhookAccess): WebhookState['state'] => {
  if (pausedAt !== undefined) return 'paused'
  if (restingSince !== undefined || access !== 'living') return 'resting'
  return (sending?.tries ?? 0) > 0 ? 'retrying' : 'working'
}

/** Says how it is going with a webhook of the account, whose app may do this. */
export const describeWebhookState = async (
  view: View,
  webhook: Webhook,
  access: WebhookAccess,
): Promise<WebhookState> => {
  const { id, told, sending, event } = webhook
  const state = nameState(webhook, access)
  const untold = suspendedReasons[access]
  const reason = untold === undefined ? {} : { reason: untold }
  const dueAt = (await view.listErrands()).get(outboxKeyOfWebhook(id))
  const mayWait = dueAt !== undefined || state !== 'working'
  const isWaiting = sending !== undefined || (mayWait && (await hasNews(view, { event, told })))
  const nextTryAt = state === 'retrying' && dueAt !== undefined ? { nextTryAt: Math.ceil(dueAt / 1000) } : {}
  return { state, isWaiting, ...nextTryAt, ...reason }
}
