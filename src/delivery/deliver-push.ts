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

/** How long a device whose last retry failed is left alone; then the next change is one more try. */
const pauseAfterLastRetryMs = 60 * 60 * 1000

/** What pushing needs beside. */
export interface PushContext extends DeliveryContext {
  /** The keys by which push services know this server. */
  readonly findPushKeys: () => Promise<VapidKeys>
  /** An address by which the people of a push service reach ours. */
  readonly contact?: string | undefined
  /** True while the account is disabled: its sessions come back when it is enabled, and its devices with them. */
  readonly isUserDisabled: (userId: string) => Promise<boolean>
  /** False once the session has ended that registered the device. */
  readonly isSessionActive: (userId: string, sessionId: string) => Promise<boolean>
}

/** What waits for a device at its push service is one message: the newest. */
const topic = 'pos'

const deviceKeyOf = ({ key }: OutboxEntry): string => key.slice(key.indexOf('/') + 1)

/**
 * Pushes the account's newest position to one device, once. Nothing is kept before: a retry says what is newest then. Its
 * errand is settled by the same write as what became of it. May give a time (Unix ms) before which nothing is to be tried.
 * @throws StoreFailed when that could not be kept: it is pushed again then
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
    await change(context, entry, (draft) => draft.deleteOutboxEntry(entry.key))
    return undefined
  }
  if (device === undefined || !(await isWanted(context, entry, device))) {
    await change(context, entry, (draft, current) =>
      current === undefined ? draft.deleteOutboxEntry(entry.key) : deleteDevice(draft, current),
    )
    return undefined
  }
  const tried = await tryPush(context, device, view.position, signal)
  if (tried === undefined) return undefined
  if (tried.kind === 'busy') return environment.now() + busyWaitMs
  const settling = fixRandom(context)
  await change(context, entry, async (draft, current) => {
    if (current === undefined) return draft.deleteOutboxEntry(entry.key)
    // It may have registered anew meanwhile, with another address.
    if (tried.kind === 'gone' && current.endpoint === device.endpoint) return deleteDevice(draft, current)
    if (tried.kind === 'failed') return settleFailure(settling, draft, entry, current, tried)
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

/** Not any more when its session has ended. */
const isWanted = (context: PushContext, { userId }: OutboxEntry, { sessionId }: ReachableDevice): Promise<boolean> =>
  context.isSessionActive(userId, sessionId)

const change = <T>(
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

/** Undefined when it was given up because the server stops. */
const tryPush = async (
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
  const wait = findRetryWait(pushRetrySeconds, tries, failure, random)
  const notBefore = environment.now() + (wait ?? pauseAfterLastRetryMs)
  await putDevice(draft, { ...device, tries, notBefore, lastFailure: toFailureRecord(failure, environment.now()) })
  if (wait === undefined) await draft.deleteOutboxEntry(key)
  else await draft.putOutboxEntry(key, notBefore)
}

/** What was pushed is the newest, but for a write of another session that came meanwhile: it has moved the errand. */
const settleUnlessNewer = async (draft: Draft, { key, dueAt }: OutboxEntry, notBefore: number): Promise<void> => {
  if ((await draft.listOutboxEntries()).get(key) === dueAt) await draft.deleteOutboxEntry(key)
  else await draft.putOutboxEntry(key, notBefore)
}

const keyName = 'vapid'

/** Creates the keys of this server. */
const createKey = (environment: Environment): Key => ({
  name: keyName,
  ...createVapidKeys(),
  createdAt: Math.floor(environment.now() / 1000),
})

/**
 * The keys by which push services know this server (VAPID, RFC 8292): made when they are first asked for, and kept, because
 * a browser that subscribed with one public key takes messages of no other.
 * @throws StoreFailed when they cannot be kept
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
