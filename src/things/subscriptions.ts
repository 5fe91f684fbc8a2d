import { Refused } from '../refused.ts'
import type { Draft, Json, View } from '../store/store.ts'
import type { World } from '../world.ts'

/** What a webhook can be called for (interface 6; contract, the other operations). */
export type WebhookEvent = 'new_thing' | 'changed_thing' | 'deleted_thing' | 'tag' | 'any'

/** What a webhook is registered by: an address and an event, for one app (interface 6). */
export type WebhookKey = {
  readonly targetUrl: string
  readonly event: WebhookEvent
  readonly clientId: string
}

/** A registered webhook. A type and no interface, so that it is Json. */
export type Webhook = Omit<WebhookKey, 'clientId'> & {
  /** The app that registered it; absent in hooks that were registered before this was kept. */
  readonly clientId?: string
  /** What calls are signed with; known to the server and to the app that registered it. */
  readonly secret: string
  /** Unix time in seconds; absent in hooks that were registered before this was kept. */
  readonly registeredAt?: number
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

/** A device as it is kept. */
export type RegisteredDevice = Device & {
  /** Unix time in seconds; absent in devices that were registered before this was kept. */
  readonly registeredAt?: number
  /** The session that registered it; absent as before. */
  readonly sessionId?: string
}

/** Webhooks that a user may have (contract, delivery). */
export const mostWebhooks = 20

/** Devices that a user may have. */
export const mostDevices = 100

type RecordReader = Pick<View, 'listRecords'>

const all = 'all'
const keyOf = (...parts: readonly string[]) => JSON.stringify(parts)

// Only the functions of this file write these records, so they hold what was put in.
const listAll = async <T extends Json>(reader: RecordReader, kind: string): Promise<T[]> =>
  [...(await reader.listRecords(kind, all)).values()] as T[]

const invalid = (parameter: string, reason: string) => new Refused('parameterInvalid', { parameter, reason })

// URL takes line breaks and tabs out of an address without a word, reads a backslash as a slash and half a character as
// another one, and adds slashes: other programs would call another host.
const isAddress = (text: string): boolean =>
  !/[\s\p{Cc}\p{Cs}\\]/u.test(text) && /^https?:\/\/[^/]/i.test(text) && URL.canParse(text) && hasPlace(new URL(text))

/** False where nothing can listen: a name with an empty label, but for the root's at its end, and port 0. */
const hasPlace = ({ hostname, port }: URL): boolean => !/^\.|\.\./.test(hostname) && port !== '0'

/** Also of an empty user name, which URL drops. */
const namesUser = (address: string): boolean => /^[^/]*\/\/[^/?#]*@/.test(address)

const refuseBadAddress = (parameter: string, address: string): void => {
  if (!isAddress(address)) throw invalid(parameter, 'must be an absolute http or https address')
  if (namesUser(address)) throw invalid(parameter, 'must not hold a user name or password')
}

/** As Standard Webhooks has them: base64 behind a prefix. */
const makeWebhookSecret = (world: World): string => {
  const base64 = world.newSecret().replaceAll('-', '+').replaceAll('_', '/')
  return `whsec_${base64.padEnd(Math.ceil(base64.length / 4) * 4, '=')}`
}

const findOlderWebhook = (draft: Draft, { event, targetUrl }: WebhookKey): Promise<Json | undefined> =>
  draft.findRecord('webhook', all, keyOf(event, targetUrl))

const deleteOlderWebhook = (draft: Draft, { event, targetUrl }: WebhookKey): Promise<void> =>
  draft.deleteRecord('webhook', all, keyOf(event, targetUrl))

const keyOfWebhook = ({ clientId, event, targetUrl }: WebhookKey): string => keyOf(clientId, event, targetUrl)

/**
 * Registers a webhook and gives its secret, this once: undefined when the app has it already. One that was registered
 * before apps were kept belongs from now on to the first app that registers it, with a new secret.
 * @throws Refused `parameterInvalid` when nothing can be called at the address, or the user has 20 already
 */
export const registerWebhook = async (draft: Draft, key: WebhookKey, world: World): Promise<string | undefined> => {
  refuseBadAddress('target_url', key.targetUrl)
  if ((await draft.findRecord('webhook', all, keyOfWebhook(key))) !== undefined) return undefined
  if ((await findOlderWebhook(draft, key)) !== undefined) await deleteOlderWebhook(draft, key)
  if ((await draft.listRecords('webhook', all)).size >= mostWebhooks) {
    throw invalid(
      'target_url',
      `is one more than the ${mostWebhooks} webhooks that a user may have; unregister another`,
    )
  }
  const { targetUrl, event, clientId } = key
  const secret = makeWebhookSecret(world)
  const webhook: Webhook = { targetUrl, event, clientId, secret, registeredAt: Math.floor(world.now() / 1000) }
  await draft.putRecord('webhook', all, keyOfWebhook(key), webhook)
  return webhook.secret
}

/** Removes a webhook of the app, or one of no known app; one that was never registered is fine. */
export const unregisterWebhook = async (draft: Draft, key: WebhookKey): Promise<void> => {
  if ((await draft.findRecord('webhook', all, keyOfWebhook(key))) === undefined) return deleteOlderWebhook(draft, key)
  await draft.deleteRecord('webhook', all, keyOfWebhook(key))
}

/** All webhooks of the user. */
export const listWebhooks = (reader: RecordReader): Promise<Webhook[]> => listAll<Webhook>(reader, 'webhook')

const makePlaceForDevice = async (draft: Draft): Promise<void> => {
  const devices = (await draft.listRecords('device', all)) as ReadonlyMap<string, RegisteredDevice>
  const oldest = [...devices].sort(([, a], [, b]) => (a.registeredAt ?? 0) - (b.registeredAt ?? 0))
  for (const [key] of oldest.slice(0, Math.max(0, devices.size - (mostDevices - 1)))) {
    await draft.deleteRecord('device', all, key)
  }
}

/**
 * Registers a device, or replaces what is known of it. Of more than 100 the one that was not registered for the longest
 * time is forgotten: it asks again when it is still there.
 * @throws Refused `parameterInvalid` when a `webpush` device lacks its endpoint or one of its keys, or nothing can be
 *   called at its endpoint
 */
export const registerDevice = async (
  draft: Draft,
  device: Device & { readonly sessionId?: string },
  world: World,
): Promise<void> => {
  const { type, id, endpoint, p256dh, auth, sessionId } = device
  for (const [parameter, value] of Object.entries({ endpoint, p256dh, auth })) {
    if (type === 'webpush' && !value) throw invalid(parameter, 'is required when type is webpush')
  }
  if (endpoint) refuseBadAddress('endpoint', endpoint)
  const key = keyOf(type, id)
  if ((await draft.findRecord('device', all, key)) === undefined) await makePlaceForDevice(draft)
  const registered: RegisteredDevice = {
    type,
    id,
    ...(endpoint ? { endpoint } : {}),
    ...(p256dh ? { p256dh } : {}),
    ...(auth ? { auth } : {}),
    registeredAt: Math.floor(world.now() / 1000),
    ...(sessionId === undefined ? {} : { sessionId }),
  }
  await draft.putRecord('device', all, key, registered)
}

/** Removes a device; one that was never registered is fine. */
export const unregisterDevice = (draft: Draft, { type, id }: Pick<Device, 'type' | 'id'>): Promise<void> =>
  draft.deleteRecord('device', all, keyOf(type, id))

/** All devices of the user. */
export const listDevices = (reader: RecordReader): Promise<RegisteredDevice[]> =>
  listAll<RegisteredDevice>(reader, 'device')
