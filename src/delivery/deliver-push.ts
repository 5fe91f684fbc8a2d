import type { Environment } from '../environment.ts'
import { createPush, createVapidKeys, type VapidKeys } from '../outbound/web-push.ts'
import type { Key } from '../store/registry/registry.ts'
import type { Draft, OutboxEntry, Store } from '../store/store.ts'
import {
  type AttemptResult,
  busyWaitMs,
  type DeliveryContext,
  deliveryWriter,
  findRetryWait,
  fixRandom,
  messageSpacingMs,
  pushRetrySeconds,
  toAttemptResult,
  toFailureRecord,
} from './attempts.ts'
import { deleteDevice, findDevice, putDevice, type ReachableDevice, type RegisteredDevice } from './devices.ts'
import { dropFields } from './subscriptions.ts'

/** The pause in milliseconds after the last retry failed. After it, the next change causes one more attempt. */
const pauseAfterLastRetryMs = 60 * 60 * 1000

/** The dependencies of push delivery. */
export interface PushContext extends DeliveryContext {
  /** Finds the keys that identify this server to push services. */
  readonly findPushKeys: () => Promise<VapidKeys>
  /** A `mailto:` or `https:` URI by which the operator of a push service can reach the administrator. */
  readonly contact?: string | undefined
  /** True if the user is disabled. Sessions and devices work again when the user is enabled. */
  readonly isUserDisabled: (userId: string) => Promise<boolean>
  /** False if the session that registered the device has ended. */
  readonly isSessionActive: (userId: string, sessionId: string) => Promise<boolean>
}

/** All messages have the same topic: the push service keeps only the newest for a device. */
const topic = 'pos'

const deviceKeyOf = ({ key }: OutboxEntry): string => key.slice(key.indexOf('/') + 1)

/**
 * Pushes the account's newest position to one device, once. The message is not stored: a retry pushes the position that
 * is the newest then. One write stores the result and updates the outbox entry. May return a Unix time in milliseconds
 * before which there must be no attempt.
 * @throws StoreError if the result could not be stored; the device is pushed again later
 */
export const deliverPush = async (
  context: PushContext,
  entry: OutboxEntry,
  signal: AbortSignal,
): Promise<number | undefined> => {
  const { store, environment } = context
  const view = await store.read(entry.userId)
  const device = await findDevice(view, deviceKeyOf(entry))
  if (await context.isUserDisabled(entry.userId)) {
    await changeDevice(context, entry, (draft) => draft.deleteOutboxEntry(entry.key))
    return undefined
  }
  if (device === undefined || !(await isWanted(context, entry, device))) {
    await changeDevice(context, entry, (draft, current) =>
      current === undefined ? draft.deleteOutboxEntry(entry.key) : deleteDevice(draft, current),
    )
    return undefined
  }
  const result = await pushOnce(context, device, view.position, signal)
  if (result === undefined) return undefined
  if (result.kind === 'busy') return environment.now() + busyWaitMs
  const fixedContext = fixRandom(context)
  await changeDevice(context, entry, async (draft, current) => {
    if (current === undefined) return draft.deleteOutboxEntry(entry.key)
    // The device may have registered again meanwhile, with another endpoint.
    if (result.kind === 'gone' && current.endpoint === device.endpoint) return deleteDevice(draft, current)
    if (result.kind === 'failed') return settleFailure(fixedContext, draft, entry, current, result)
    await putDevice(draft, {
      ...(dropFields(current, 'tries') as RegisteredDevice),
      told: view.position,
      lastSuccessAt: Math.floor(environment.now() / 1000),
      notBefore: environment.now() + messageSpacingMs,
    })
    await settleUnlessNewer(draft, entry, environment.now() + messageSpacingMs)
  })
  return undefined
}

/** False if the device's session has ended. */
const isWanted = (context: PushContext, { userId }: OutboxEntry, { sessionId }: ReachableDevice): Promise<boolean> =>
  context.isSessionActive(userId, sessionId)

const changeDevice = <T>(
  { store }: PushContext,
  entry: OutboxEntry,
  work: (draft: Draft, device: ReachableDevice | undefined) => Promise<T>,
): Promise<T> =>
  store.write(
    entry.userId,
    deliveryWriter,
    async (draft) => work(draft, await findDevice(draft, deviceKeyOf(entry))),
    'soon',
  )

/** Returns undefined if the server stops and aborts it. */
const pushOnce = async (
  { findPushKeys, contact, environment, send }: PushContext,
  { endpoint, p256dh, auth }: ReachableDevice,
  position: number,
  signal: AbortSignal,
): Promise<AttemptResult | undefined> => {
  const push = createPush({
    endpoint,
    keys: { p256dh, auth },
    message: JSON.stringify({ pos: position }),
    topic,
    vapid: await findPushKeys(),
    ...(contact === undefined ? {} : { contact }),
    now: environment.now(),
  })
  try {
    return toAttemptResult(await send({ ...push, signal }), [404, 410])
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}

const settleFailure = async (
  { environment, random }: PushContext,
  draft: Draft,
  { key }: OutboxEntry,
  device: RegisteredDevice,
  { failure }: Extract<AttemptResult, { kind: 'failed' }>,
): Promise<void> => {
  const tries = (device.tries ?? 0) + 1
  const waitMs = findRetryWait(pushRetrySeconds, tries, failure, random)
  const notBefore = environment.now() + (waitMs ?? pauseAfterLastRetryMs)
  await putDevice(draft, { ...device, tries, notBefore, lastFailure: toFailureRecord(failure, environment.now()) })
  if (waitMs === undefined) await draft.deleteOutboxEntry(key)
  else await draft.putOutboxEntry(key, notBefore)
}

/** Deletes the entry if nothing is newer: a write of another session meanwhile has moved the entry. */
const settleUnlessNewer = async (draft: Draft, { key, dueAt }: OutboxEntry, notBefore: number): Promise<void> => {
  if ((await draft.listOutboxEntries()).get(key) === dueAt) await draft.deleteOutboxEntry(key)
  else await draft.putOutboxEntry(key, notBefore)
}

const keyName = 'vapid'

/** Creates the VAPID keys of this server. */
const createKey = (environment: Environment): Key => ({
  name: keyName,
  ...createVapidKeys(),
  createdAt: Math.floor(environment.now() / 1000),
})

/**
 * Finds the keys that identify this server to push services (VAPID, RFC 8292). The first call creates and stores them:
 * a browser that subscribed with a public key accepts messages with this key only.
 * @throws StoreError if the keys cannot be stored
 */
export const findPushKeys = async (store: Store, environment: Environment): Promise<Key> => {
  const known = await store.registry.findKey(keyName)
  if (known !== undefined) return known
  return store.registry.change(async (registry) => {
    const newest = await registry.findKey(keyName)
    if (newest !== undefined) return newest
    const key = createKey(environment)
    await registry.put('keys', key)
    return key
  })
}
