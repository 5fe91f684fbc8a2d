import type { Environment } from '../environment.ts'
import type { Draft } from '../store/store.ts'
import type { SubscriptionGuard } from './subscriptions.ts'
import { type Failure, listKeyed, type RecordReader, recordGroup, recordKeyOf, rejectFault } from './subscriptions.ts'

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

/** A device as it is kept. Times in Unix seconds. */
export type RegisteredDevice = Device & {
  readonly registeredAt: number
  /** The app that registered it. */
  readonly clientId: string
  /** The session that registered it: its own changes are not told to it, and it goes when the session ends. */
  readonly sessionId: string
  /** Names it in errands. */
  readonly key: string
  /** The newest position that was pushed to it. */
  readonly told?: number
  /** Tries that failed since the last success. */
  readonly tries?: number
  /** Unix time in milliseconds before which nothing more is pushed. */
  readonly notBefore?: number
  readonly lastSuccessAt?: number
  readonly lastFailure?: Failure
}

/** A device that can be told something. */
export type ReachableDevice = RegisteredDevice & {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/** Devices that a user may have. */
export const maxDevices = 100

/** The errand of a device. */
export const outboxKeyOfDevice = (key: string): string => `device/${key}`

type DeviceKey = Pick<RegisteredDevice, 'type' | 'id' | 'clientId'>

/** What a device is kept under. */
export const keyOfDevice = ({ type, id, clientId }: DeviceKey): string => recordKeyOf(clientId, type, id)

/** What the app registered. */
const findRegistered = async (draft: Draft, device: DeviceKey): Promise<RegisteredDevice | undefined> =>
  (await draft.findRecord('device', recordGroup, keyOfDevice(device))) as RegisteredDevice | undefined

/** True for a device that this server pushes to. */
export const isPushed = ({ type, endpoint, p256dh, auth }: Device): boolean =>
  type === 'webpush' && Boolean(endpoint && p256dh && auth)

/** True for a device whose session is one of these. */
export const isOfSession =
  (sessionIds: ReadonlySet<string>) =>
  ({ sessionId }: RegisteredDevice): boolean =>
    sessionIds.has(sessionId)

/** Keeps what is known of a device. */
export const putDevice = (draft: Draft, device: RegisteredDevice): Promise<void> =>
  draft.putRecord('device', recordGroup, keyOfDevice(device), device)

/** Forgets a device, and what was to be told to it. */
export const deleteDevice = async (draft: Draft, device: RegisteredDevice): Promise<void> => {
  await draft.deleteRecord('device', recordGroup, keyOfDevice(device))
  await draft.deleteOutboxEntry(outboxKeyOfDevice(device.key))
}

const deleteOldestDevices = async (draft: Draft): Promise<void> => {
  const oldest = (await listDevices(draft)).sort((a, b) => a.registeredAt - b.registeredAt)
  for (const device of oldest.slice(0, Math.max(0, oldest.length - (maxDevices - 1)))) {
    await deleteDevice(draft, device)
  }
}

/**
 * Registers a device of a session, or replaces what is known of it. Of more than 100 the one that was not registered for
 * the longest time is forgotten: it asks again when it is still there.
 * @throws ApiError `parameterInvalid` when a `webpush` device lacks its endpoint or one of its keys, nothing can be encrypted
 *   with them, or nothing may be sent to its endpoint
 */
export const registerDevice = async (
  draft: Draft,
  device: Device & Pick<RegisteredDevice, 'sessionId' | 'clientId'>,
  environment: Environment,
  guard: SubscriptionGuard,
): Promise<void> => {
  const { type, id, endpoint, p256dh, auth, sessionId, clientId } = device
  for (const [parameter, value] of Object.entries({ endpoint, p256dh, auth })) {
    if (type === 'webpush' && !value) rejectFault(parameter, 'is required when type is webpush')
  }
  if (endpoint) rejectFault('endpoint', guard.findUrlFault(endpoint))
  if (type === 'webpush') {
    rejectFault('p256dh', guard.findP256dhFault(p256dh ?? ''))
    rejectFault('auth', guard.findAuthFault(auth ?? ''))
  }
  const known = await findRegistered(draft, device)
  if (known === undefined) await deleteOldestDevices(draft)
  const key = known?.key ?? environment.newId()
  // What waits after a failure may have failed by the old address or keys.
  const entry = outboxKeyOfDevice(key)
  if ((await draft.listOutboxEntries()).has(entry)) await draft.putOutboxEntry(entry, environment.now())
  await putDevice(draft, {
    type,
    id,
    ...(endpoint ? { endpoint } : {}),
    ...(p256dh ? { p256dh } : {}),
    ...(auth ? { auth } : {}),
    registeredAt: Math.floor(environment.now() / 1000),
    sessionId,
    clientId,
    key,
  })
}

/** Removes a device of the app; one that was never registered is fine. */
export const unregisterDevice = async (draft: Draft, device: DeviceKey): Promise<void> => {
  const known = await findRegistered(draft, device)
  if (known !== undefined) await deleteDevice(draft, known)
}

/** All devices of the user. */
export const listDevices = async (reader: RecordReader): Promise<RegisteredDevice[]> => [
  ...(await listKeyed<RegisteredDevice>(reader, 'device')).values(),
]

/** The device with this key. */
export const findDevice = async (reader: RecordReader, key: string): Promise<ReachableDevice | undefined> =>
  (await listDevices(reader)).find((device) => device.key === key && isPushed(device)) as ReachableDevice | undefined
