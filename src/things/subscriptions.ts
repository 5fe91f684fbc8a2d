import { Refused } from '../refused.ts'
import type { Draft, Json, View } from '../store/store.ts'
import type { World } from '../world.ts'

/** What a webhook can be called for (interface 6; contract, the other operations). */
export type WebhookEvent = 'new_thing' | 'changed_thing' | 'deleted_thing' | 'tag' | 'any'

/** A registered webhook: one address and one event (interface 6). A type and no interface, so that it is Json. */
export type Webhook = {
  readonly targetUrl: string
  readonly event: WebhookEvent
  /** What calls are signed with; known to the server and to who registered it. */
  readonly secret: string
}

/** A device that wants push notifications (interface 6). */
export type Device = {
  /** `webpush` or the name of another push service. */
  readonly type: string
  readonly id: string
  /** Where and with which keys to reach it by Web Push (RFC 8030, RFC 8291). */
  readonly endpoint?: string
  readonly p256dh?: string
  readonly auth?: string
}

type RecordReader = Pick<View, 'listRecords'>

const all = 'all'
const keyOf = (...parts: readonly string[]) => JSON.stringify(parts)

// Only the functions of this file write these records, so they hold what was put in.
const listAll = async <T extends Json>(reader: RecordReader, kind: string): Promise<T[]> =>
  [...(await reader.listRecords(kind, all)).values()] as T[]

/** Registers a webhook; one that is registered already stays, with its secret. */
export const registerWebhook = async (
  draft: Draft,
  { targetUrl, event }: Omit<Webhook, 'secret'>,
  world: World,
): Promise<Webhook> => {
  const known = await draft.findRecord('webhook', all, keyOf(event, targetUrl))
  if (known !== undefined) return known as Webhook
  const webhook: Webhook = { targetUrl, event, secret: world.newSecret() }
  await draft.putRecord('webhook', all, keyOf(event, targetUrl), webhook)
  return webhook
}

/** Removes a webhook; one that was never registered is fine. */
export const unregisterWebhook = (draft: Draft, { targetUrl, event }: Omit<Webhook, 'secret'>): Promise<void> =>
  draft.deleteRecord('webhook', all, keyOf(event, targetUrl))

/** All webhooks of the user. */
export const listWebhooks = (reader: RecordReader): Promise<Webhook[]> => listAll<Webhook>(reader, 'webhook')

/**
 * Registers a device, or replaces what is known of it.
 * @throws Refused `parameterInvalid` when a `webpush` device lacks its endpoint or one of its keys
 */
export const registerDevice = async (draft: Draft, device: Device): Promise<void> => {
  const { type, id, endpoint, p256dh, auth } = device
  for (const [parameter, value] of Object.entries({ endpoint, p256dh, auth })) {
    if (type === 'webpush' && !value) {
      throw new Refused('parameterInvalid', { parameter, reason: 'is required when type is webpush' })
    }
  }
  await draft.putRecord('device', all, keyOf(type, id), {
    type,
    id,
    ...(endpoint ? { endpoint } : {}),
    ...(p256dh ? { p256dh } : {}),
    ...(auth ? { auth } : {}),
  })
}

/** Removes a device; one that was never registered is fine. */
export const unregisterDevice = (draft: Draft, { type, id }: Pick<Device, 'type' | 'id'>): Promise<void> =>
  draft.deleteRecord('device', all, keyOf(type, id))

/** All devices of the user. */
export const listDevices = (reader: RecordReader): Promise<Device[]> => listAll<Device>(reader, 'device')
