import { createPush } from '../outbound/create-push.ts'
import type { VapidKeys } from '../outbound/vapid.ts'
import type { Draft, Errand } from '../store/store.ts'
import { describeOutcome, keepFailure, type Tried } from './describe-outcome.ts'
import { deleteDevice, findDevice, putDevice, type RegisteredDevice, type TellableDevice } from './devices.ts'
import { dropFields } from './records.ts'
import { findRetryWait, pushRetries } from './retry-times.ts'
import { busyWaitMs, deliveryWriter, drawChance, messageSpacingMs, type TellingPlace } from './telling-place.ts'

/** How long a device whose last retry failed is left alone; then the next change is one more try. */
const restMs = 60 * 60 * 1000

/** What pushing needs beside. */
export interface PushingPlace extends TellingPlace {
  /** The keys by which push services know this server. */
  readonly findPushKeys: () => Promise<VapidKeys>
  /** An address by which the people of a push service reach ours. */
  readonly contact?: string | undefined
  /** True while the account is disabled: its sessions come back when it is enabled, and its devices with them. */
  readonly isUserDisabled: (userId: string) => Promise<boolean>
  /** False once the session has ended that registered the device. */
  readonly isSessionLiving: (userId: string, sessionId: string) => Promise<boolean>
}

/** What waits for a device at its push service is one message: the newest. */
const topic = 'pos'

const keyOf = ({ key }: Errand): string => key.slice(key.indexOf('/') + 1)

/**
 * Pushes the account's newest position to one device, once. Nothing is kept before: a retry says what is newest then. Its
 * errand is settled by the same write as what became of it. May give a time (Unix ms) before which nothing is to be tried.
 * @throws StoreFailed when that could not be kept: it is pushed again then
 */
export const tellDevice = async (
  place: PushingPlace,
  errand: Errand,
  signal: AbortSignal,
): Promise<number | undefined> => {
  const { store, world } = place
  const view = await store.read(errand.userId)
  const device = await findDevice(view, keyOf(errand))
  if (await place.isUserDisabled(errand.userId)) {
    await change(place, errand, (draft) => draft.deleteErrand(errand.key))
    return undefined
  }
  if (device === undefined || !(await isWanted(place, errand, device))) {
    await change(place, errand, (draft, current) =>
      current === undefined ? draft.deleteErrand(errand.key) : deleteDevice(draft, current),
    )
    return undefined
  }
  const tried = await tryPush(place, device, view.position, signal)
  if (tried === undefined) return undefined
  if (tried.kind === 'busy') return world.now() + busyWaitMs
  const settling = drawChance(place)
  await change(place, errand, async (draft, current) => {
    if (current === undefined) return draft.deleteErrand(errand.key)
    // It may have registered anew meanwhile, with another address.
    if (tried.kind === 'gone' && current.endpoint === device.endpoint) return deleteDevice(draft, current)
    if (tried.kind === 'failed') return settleFailure(settling, draft, errand, current, tried)
    await putDevice(draft, {
      ...(dropFields(current, 'tries') as RegisteredDevice),
      told: view.position,
      lastSuccessAt: Math.floor(world.now() / 1000),
      notBefore: world.now() + messageSpacingMs,
    })
    await settleUnlessNewer(draft, errand, world.now() + messageSpacingMs)
  })
  return undefined
}

/** Not any more when its session has ended. */
const isWanted = (place: PushingPlace, { userId }: Errand, { sessionId }: TellableDevice): Promise<boolean> =>
  place.isSessionLiving(userId, sessionId)

const change = <T>(
  { store }: PushingPlace,
  errand: Errand,
  work: (draft: Draft, device: TellableDevice | undefined) => Promise<T>,
): Promise<T> =>
  store.write(
    errand.userId,
    deliveryWriter,
    async (draft) => work(draft, await findDevice(draft, keyOf(errand))),
    'soon',
  )

/** Undefined when it was given up because the server stops. */
const tryPush = async (
  { findPushKeys, contact, world, send }: PushingPlace,
  { endpoint, p256dh, auth }: TellableDevice,
  position: number,
  signal: AbortSignal,
): Promise<Tried | undefined> => {
  const push = createPush({
    endpoint,
    keys: { p256dh, auth },
    message: JSON.stringify({ pos: position }),
    topic,
    vapid: await findPushKeys(),
    ...(contact === undefined ? {} : { contact }),
    now: world.now(),
  })
  try {
    return describeOutcome(await send({ ...push, signal }), [404, 410])
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}

const settleFailure = async (
  { world, random }: PushingPlace,
  draft: Draft,
  { key }: Errand,
  device: RegisteredDevice,
  { failure }: Extract<Tried, { kind: 'failed' }>,
): Promise<void> => {
  const tries = (device.tries ?? 0) + 1
  const wait = findRetryWait(pushRetries, tries, failure, random)
  const notBefore = world.now() + (wait ?? restMs)
  await putDevice(draft, { ...device, tries, notBefore, lastFailure: keepFailure(failure, world.now()) })
  if (wait === undefined) await draft.deleteErrand(key)
  else await draft.putErrand(key, notBefore)
}

/** What was pushed is the newest, but for a write of another session that came meanwhile: it has moved the errand. */
const settleUnlessNewer = async (draft: Draft, { key, dueAt }: Errand, notBefore: number): Promise<void> => {
  if ((await draft.listErrands()).get(key) === dueAt) await draft.deleteErrand(key)
  else await draft.putErrand(key, notBefore)
}
