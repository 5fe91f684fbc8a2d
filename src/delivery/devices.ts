import type { Environment } from '../environment.ts'
import type { Draft } from '../store/store.ts'
import type { SubscriptionGuard } from './subscriptions.ts'
import { type Failure, listKeyed, type RecordReader, recordGroup, recordKeyOf, rejectFault } from './subscriptions.ts'

/** A device that receives push notifications (interface 6). */
export type Device = {
  /** `webpush` or the name of another push service. */
  readonly type: string
  readonly id: string
  /** The URL and the keys for Web Push (RFC 8030, RFC 8291). */
  readonly endpoint?: string
  readonly p256dh?: string
  readonly auth?: string
}

/** A stored device. Times in Unix seconds. */
export type RegisteredDevice = Device & {
  readonly registeredAt: number
  /** The app that registered it. */
  readonly clientId: string
  /** The session that registered it. The device receives no push for its changes, and is deleted when it ends. */
  readonly sessionId: string
  /** Identifies the device in outbox entries. */
  readonly key: string
  /** The newest position that was pushed to it. */
  readonly told?: number
  /** Failed attempts since the last success. */
  readonly tries?: number
  /** Unix time in milliseconds before which the server does not push. */
  readonly notBefore?: number
  readonly lastSuccessAt?: number
  readonly lastFailure?: Failure
}

/** A device that this server can push to. */
export type ReachableDevice = RegisteredDevice & {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/** Maximum of devices of a user. */
export const maxDevices = 100

/** Returns the key of the outbox entry of a device. */
export const outboxKeyOfDevice = (key: string): string => `device/${key}`

type DeviceKey = Pick<RegisteredDevice, 'type' | 'id' | 'clientId'>

/** Returns the record key of a device. */
export const keyOfDevice = ({ type, id, clientId }: DeviceKey): string => recordKeyOf(clientId, type, id)

/** Finds the device that the app registered. */
const findRegistered = async (draft: Draft, device: DeviceKey): Promise<RegisteredDevice | undefined> =>
  (await draft.findRecord('device', recordGroup, keyOfDevice(device))) as RegisteredDevice | undefined

/** True for a device that this server pushes to. */
export const isPushed = ({ type, endpoint, p256dh, auth }: Device): boolean =>
  type === 'webpush' && Boolean(endpoint && p256dh && auth)

/** Returns a filter for the devices of the given sessions. */
export const isOfSession =
  (sessionIds: ReadonlySet<string>) =>
  ({ sessionId }: RegisteredDevice): boolean =>
    sessionIds.has(sessionId)

/** Stores a device. */
export const putDevice = (draft: Draft, device: RegisteredDevice): Promise<void> =>
  draft.putRecord('device', recordGroup, keyOfDevice(device), device)

/** Deletes a device and its outbox entry. */
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
 * Registers a device of a session, or replaces its registration. If a user has `maxDevices` already, the device with
 * the oldest registration is deleted. A device that still exists registers again.
 * @throws ApiError `parameterInvalid` if the endpoint or a key of a `webpush` device is missing or invalid; if the
 *   server may not send to the endpoint
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
  // A failed push may have failed because of the previous endpoint or keys.
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

/** Removes a device of the app. Does nothing if it is not registered. */
export const unregisterDevice = async (draft: Draft, device: DeviceKey): Promise<void> => {
  const known = await findRegistered(draft, device)
  if (known !== undefined) await deleteDevice(draft, known)
}

/** Lists all devices of the user. */
export const listDevices = async (reader: RecordReader): Promise<RegisteredDevice[]> => [
  ...(await listKeyed<RegisteredDevice>(reader, 'device')).values(),
]

/** Finds the device with this key. Undefined if it does not exist or this server cannot push to it. */
export const findDevice = async (reader: RecordReader, key: string): Promise<ReachableDevice | undefined> =>
  (await listDevices(reader)).find((device) => device.key === key && isPushed(device)) as ReachableDevice | undefined
