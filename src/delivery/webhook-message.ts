import type { Thing } from '../store/model.ts'
import type { AccountEvent, ChangeKind, Listing, TagEntry, View } from '../store/store.ts'
import { outboxKeyOfWebhook, type Webhook, type WebhookEvent } from './webhooks.ts'

/** Maximum of IDs in a message. A message with more changes says `truncated`. */
const maxMessageIds = 500

/** A message contains things and tags only if it stays shorter than this. */
export const maxMessageBytes = 16 * 1024

/** The body of a message. */
interface Message {
  /** The position up to which it lists all changes. */
  readonly to: number
  /** JSON text. */
  readonly body: string
}

/** Converts a thing to its returned form (interface 2.1) as JSON text. */
export type ShowThing = (thing: Thing, isTodo: boolean) => string

/** True if a write with these changes must notify a webhook of this event. */
export const matchesEvent = (event: WebhookEvent, kinds: ReadonlySet<ChangeKind>): boolean =>
  event === 'any' ? kinds.size > 0 : kinds.has(event)

type WebhookProgress = Pick<Webhook, 'event' | 'told'>

interface Changed {
  readonly ids: readonly string[]
  readonly isTruncated: boolean
  readonly hasDeletions: boolean
}

/** True if the webhook must be notified of this change. */
const isWanted = ({ event, told }: WebhookProgress, { kind, position, createdPosition }: AccountEvent): boolean => {
  if (event === 'any') return true
  if (kind === 'deletion') return event === 'deleted_thing'
  return event === 'new_thing' ? createdPosition > told : event === 'changed_thing' && position > createdPosition
}

const listChanged = async (view: View, progress: WebhookProgress): Promise<Changed> => {
  const ids: string[] = []
  let hasDeletions = false
  if (progress.event === 'tag') return { ids, isTruncated: false, hasDeletions }
  for await (const event of view.listEvents(progress.told)) {
    if (!isWanted(progress, event)) continue
    if (ids.length === maxMessageIds) return { ids, isTruncated: true, hasDeletions }
    ids.push(event.id)
    hasDeletions ||= event.kind === 'deletion'
  }
  return { ids, isTruncated: false, hasDeletions }
}

async function* listTags(view: View, event: WebhookEvent, told: number): AsyncGenerator<readonly TagEntry[]> {
  if (event === 'tag' || event === 'any') yield* view.listTags(told)
}

/**
 * Writes the changed tags as JSON. Undefined if there are none; `isTooLong` as soon as they need `maxBytes` or more.
 */
const showTags = async (
  tags: AsyncIterable<readonly TagEntry[]>,
  maxBytes: number,
): Promise<{ readonly text: string; readonly isTooLong: boolean } | undefined> => {
  const shown: string[] = []
  let bytes = '"tags":{}'.length
  for await (const batch of tags)
    for (const [name, settings] of batch) {
      const text = `${JSON.stringify(name)}:${JSON.stringify(settings)}`
      bytes += Buffer.byteLength(text) + (shown.length === 0 ? 0 : 1)
      if (bytes >= maxBytes) return { text: '', isTooLong: true }
      shown.push(text)
    }
  return shown.length === 0 ? undefined : { text: `"tags":{${shown.join(',')}}`, isTooLong: false }
}

/** True if there are changes that the webhook was not notified of. */
export const hasUndeliveredChanges = async (view: View, progress: WebhookProgress): Promise<boolean> => {
  const { event, told } = progress
  for await (const _ of listTags(view, event, told)) return true
  if (event === 'tag') return false
  for await (const change of view.listEvents(told)) if (isWanted(progress, change)) return true
  return false
}

const frameBytes = '"things":[],'.length

/** Writes all things of a listing in their stored returned form. Undefined as soon as they need `maxBytes` or more. */
const showListed = async (listing: Listing, maxBytes: number): Promise<string | undefined> => {
  let text = ''
  let bytes = frameBytes
  for await (const { json } of listing.changed()) {
    bytes += Buffer.byteLength(json)
    if (bytes >= maxBytes) return undefined
    text += json.toString()
  }
  return text
}

/** Writes some things in their returned form. Undefined as soon as they need `maxBytes` or more. */
const showSome = async (
  view: View,
  ids: readonly string[],
  showThing: ShowThing,
  maxBytes: number,
): Promise<string | undefined> => {
  const shown: string[] = []
  let bytes = frameBytes
  for (const id of ids) {
    const thing = await view.findThing(id)
    if (thing === undefined) return undefined
    const text = showThing(thing, await view.isTodo(thing))
    bytes += Buffer.byteLength(text) + 1
    if (bytes >= maxBytes) return undefined
    shown.push(text)
  }
  return shown.join(',')
}

const writeBody = (event: string, now: number, data: readonly string[]): string =>
  `{"type":${JSON.stringify(event)},"timestamp":"${new Date(now).toISOString()}","data":{${data.join(',')}}}`

/**
 * Builds the message with all changes that a webhook was not notified of (contract, delivery). Undefined if there are
 * none. `things` has all things of `ids`. It is absent if one of them is deleted, or if the body would be too long.
 * `now` is Unix time in milliseconds.
 */
export const buildMessage = async (
  view: View,
  { event, told }: WebhookProgress,
  now: number,
  showThing: ShowThing,
): Promise<Message | undefined> => {
  const { ids, isTruncated, hasDeletions } = await listChanged(view, { event, told })
  const remainingBytes = (data: readonly string[]) => maxMessageBytes - Buffer.byteLength(writeBody(event, now, data))

  const data = [`"pos":${view.position}`, `"ids":${JSON.stringify(ids)}`]
  const tags = await showTags(listTags(view, event, told), remainingBytes(data) - ',"truncated":true'.length - 1)
  if (ids.length === 0 && tags === undefined) return undefined
  if (tags !== undefined && !tags.isTooLong) data.push(tags.text)
  if (isTruncated || tags?.isTooLong === true) data.push('"truncated":true')
  const mayShowThings = ids.length > 0 && !hasDeletions && !isTruncated
  if (mayShowThings) {
    const listing = await view.list({ after: told })
    // The usual case: the listing has the returned forms already, and no thing has to be converted.
    const isAll = listing.changedCount === ids.length
    const maxBytes = remainingBytes(data)
    const things = isAll ? await showListed(listing, maxBytes) : await showSome(view, ids, showThing, maxBytes)
    if (things !== undefined) data.push(`"things":[${things}]`)
  }
  return { to: view.position, body: writeBody(event, now, data) }
}

/** Builds the message of the button "send a test event". It has no changes, and the webhook's position stays. */
export const buildTestMessage = (position: number, now: number): Message => ({
  to: position,
  body: writeBody('test', now, [`"pos":${position}`, '"ids":[]']),
})

/** The access of an app to the account of its user. A webhook is notified only if the access of its app is `active`. */
export type WebhookAccess = 'active' | 'signedOut' | 'disabled' | 'revoked'

/** Why nothing is sent because of the app or the user; in the middle of a sentence. */
export const suspendedReasons = {
  active: undefined,
  signedOut: 'the app is signed out',
  disabled: 'the user is disabled',
  revoked: 'the app was removed',
} as const satisfies Readonly<Record<WebhookAccess, string | undefined>>

/** The state of a webhook. */
export interface WebhookState {
  /**
   * `retrying` after a failure, `resting` (suspended) after the last retry or without access of the app, `paused` by
   * the user or the administrator.
   */
  readonly state: 'working' | 'retrying' | 'resting' | 'paused'
  /** True if there are changes that the receiver was not notified of. */
  readonly isWaiting: boolean
  /** Unix time in seconds of the next attempt; only if the state is `retrying`. */
  readonly nextTryAt?: number
  /** Why nothing is sent because of the app or the user; in the middle of a sentence. */
  readonly reason?: string
}

const findState = ({ pausedAt, restingSince, sending }: Webhook, access: WebhookAccess): WebhookState['state'] => {
  if (pausedAt !== undefined) return 'paused'
  if (restingSince !== undefined || access !== 'active') return 'resting'
  return (sending?.tries ?? 0) > 0 ? 'retrying' : 'working'
}

/** Describes the state of a webhook of the account. `access` is the access of its app. */
export const describeWebhookState = async (
  view: View,
  webhook: Webhook,
  access: WebhookAccess,
): Promise<WebhookState> => {
  const { id, told, sending, event } = webhook
  const state = findState(webhook, access)
  const suspendedReason = suspendedReasons[access]
  const reason = suspendedReason === undefined ? {} : { reason: suspendedReason }
  const dueAt = (await view.listOutboxEntries()).get(outboxKeyOfWebhook(id))
  const mayWait = dueAt !== undefined || state !== 'working'
  const isWaiting = sending !== undefined || (mayWait && (await hasUndeliveredChanges(view, { event, told })))
  const nextTryAt = state === 'retrying' && dueAt !== undefined ? { nextTryAt: Math.ceil(dueAt / 1000) } : {}
  return { state, isWaiting, ...nextTryAt, ...reason }
}
