import { setMaxListeners } from 'node:events'
import type { Logger } from 'pino'
import type { Environment } from '../environment.ts'
import { parseUrl } from '../parse-url.ts'
import { createConcurrencyLimiter } from '../scheduling.ts'
import { type ChangeKind, type Draft, type Store, StoreError, type TakenEntry } from '../store/store.ts'
import { deliverPush, type PushContext } from './deliver-push.ts'
import { deliverWebhook } from './deliver-webhook.ts'
import { findDevice, isPushed, outboxKeyOfDevice, type RegisteredDevice } from './devices.ts'
import {
  createLimiter,
  type DeliveryLimits,
  defaultDeliveryLimits,
  type PoolName,
  type SetTimer,
  systemTimer,
} from './limiter.ts'
import { listKeyed, scheduleDelivery } from './subscriptions.ts'
import { isAbout } from './webhook-message.ts'
import { findWebhook, outboxKeyOfWebhook, type Webhook } from './webhooks.ts'

/** What delivery works with. */
export interface DeliveryOptions extends Omit<PushContext, 'log' | 'random'> {
  readonly log: Pick<Logger, 'info' | 'debug' | 'warn' | 'error'>
  readonly random?: () => number
  readonly setTimer?: SetTimer
  readonly limits?: DeliveryLimits
}

/** Tells the outside of what changed, for as long as it is open. */
export interface Delivery {
  /** Gives up what is being sent, at once: it stays due, and is told by whoever opens the store next. */
  readonly close: () => Promise<void>
}

/** Accounts that are read at a time to see what is due: one may have to be loaded from the disk first. */
const maxConcurrentReads = 8

interface Receiver {
  readonly host: string
  readonly pool: PoolName
}

// Without its port, as those are counted that are sent.
const findHost = (address: string): string => parseUrl(address)?.hostname ?? ''

interface LastResults {
  readonly lastSuccessAt?: number
  readonly lastFailure?: { readonly at: number }
}

const findPool = ({ lastSuccessAt, lastFailure }: LastResults): PoolName => {
  if (lastSuccessAt === undefined && lastFailure === undefined) return 'new'
  return (lastFailure?.at ?? 0) >= (lastSuccessAt ?? 0) ? 'failed' : 'proven'
}

/**
 * Begins to tell: takes errands of the store when they are due and tells webhooks and devices, each in order and one at a
 * time. A store that fails for a while is waited for; what goes wrong otherwise is logged, and tried again later.
 */
export const openDelivery = ({
  setTimer = systemTimer,
  limits = defaultDeliveryLimits,
  random = Math.random,
  ...options
}: DeliveryOptions): Delivery => {
  const { store, environment, log } = options
  const context: PushContext = { ...options, random }
  const stop = new AbortController()
  // Each message on its way listens, and there are many.
  setMaxListeners(0, stop.signal)
  const limiter = createLimiter(setTimer, limits)
  const readInTurn = createConcurrencyLimiter(maxConcurrentReads)

  const findReceiver = async ({ userId, key }: TakenEntry): Promise<Receiver | undefined> => {
    const view = await store.read(userId)
    const [kind, id = ''] = key.split('/')
    const known = kind === 'webhook' ? await findWebhook(view, id) : await findDevice(view, id)
    if (known === undefined) return undefined
    return { host: findHost('targetUrl' in known ? known.targetUrl : known.endpoint), pool: findPool(known) }
  }
  const deliverOnce = (entry: TakenEntry): Promise<number | undefined> =>
    (entry.key.startsWith('webhook/') ? deliverWebhook : deliverPush)(context, entry, stop.signal)

  const loop = openDispatchLoop({
    store,
    now: environment.now,
    setTimer,
    deliver: async (entry) => {
      const receiver = await readInTurn(() => findReceiver(entry))
      // Its errand is settled, and nothing is sent.
      if (receiver === undefined) return deliverOnce(entry)
      return new Promise((resolve, reject) => {
        const run = () => deliverOnce(entry).then(resolve, reject)
        limiter.add({ userId: entry.userId, ...receiver, run, drop: () => resolve(undefined) })
      })
    },
    onFault: (error) => {
      if (error instanceof StoreError) log.warn({ err: error }, 'delivery waits for the store')
      else log.error({ err: error }, 'a delivery went wrong and is tried again in a minute')
    },
  })

  return {
    close: async () => {
      stop.abort()
      limiter.close()
      await loop.close()
    },
  }
}

/** What takes errands works with. */
interface DispatchOptions {
  readonly store: Store
  readonly now: () => number
  readonly setTimer: SetTimer
  /** Does one errand, and has it settled by a write; may give a time (Unix ms) before which it is not to be taken again. */
  readonly deliver: (entry: TakenEntry) => Promise<number | undefined>
  /** Told of what went wrong; the errand is told again later. */
  readonly onFault: (error: unknown) => void
}

/** How many errands are in hand at a time, waiting for their turn or under way: a few hundred bytes each. */
const maxInFlight = 10_000

/** How long an errand rests that was not settled: the store may be full for a while, a mistake of ours stays one. */
const afterStoreFailedMs = 5_000
const afterFaultMs = 60_000

/** A store that was slow to say when the next is due must not keep us busy. */
const minWaitMs = 1

/**
 * Takes errands when they are due, until it is closed. One timer waits for the next of all, so that nothing is done while
 * nothing is due.
 */
const openDispatchLoop = ({ store, now, setTimer, deliver, onFault }: DispatchOptions) => {
  const underWay = new Set<Promise<void>>()
  let isClosed = false
  let isLooking = false
  let isToLookAgain = false
  let stopTimer = () => {}

  const work = async (entry: TakenEntry): Promise<void> => {
    let until: number | undefined
    try {
      until = await deliver(entry)
    } catch (error) {
      until = now() + (error instanceof StoreError ? afterStoreFailedMs : afterFaultMs)
      onFault(error)
    }
    await entry.release(until)
  }

  const takeDue = async (): Promise<void> => {
    while (!isClosed && underWay.size < maxInFlight) {
      const entry = await store.takeOutboxEntry(now())
      if (entry === undefined) break
      const working = work(entry)
        .catch(onFault)
        .then(() => {
          const wasFull = underWay.size >= maxInFlight
          underWay.delete(working)
          if (wasFull) look()
        })
      underWay.add(working)
    }
    const next = isClosed || underWay.size >= maxInFlight ? undefined : await store.nextOutboxEntryAt()
    if (next !== undefined && !isClosed) stopTimer = setTimer(Math.max(minWaitMs, next - now()), look)
  }

  const look = (): void => {
    isToLookAgain = true
    if (isLooking || isClosed) return
    isLooking = true
    void (async () => {
      while (isToLookAgain && !isClosed) {
        isToLookAgain = false
        stopTimer()
        stopTimer = () => {}
        try {
          await takeDue()
        } catch (error) {
          onFault(error)
          stopTimer = setTimer(afterStoreFailedMs, look)
        }
      }
      isLooking = false
    })()
  }

  const stopWatching = store.watchOutbox(look)
  look()

  return {
    /** Takes nothing more; resolves when what is under way has ended. */
    close: async (): Promise<void> => {
      isClosed = true
      stopTimer()
      stopWatching()
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

interface Write {
  readonly kinds: ReadonlySet<ChangeKind>
  /** The session that writes. */
  readonly writer: string
  readonly environment: Environment
}

/** An errand that is there already tells this as well: who tells looks at the position when it has told. */
const enqueueForWebhooks = async (draft: Draft, { kinds, environment }: Write): Promise<void> => {
  const webhooks = await listKeyed<Webhook>(draft, 'webhook')
  if (webhooks.size === 0) return
  const entries = await draft.listOutboxEntries()
  for (const webhook of webhooks.values()) {
    const { id, event, pausedAt, restingSince, unregisteredAt, notBefore = 0 } = webhook
    // Most writes end here: the one before has armed it.
    if (entries.has(outboxKeyOfWebhook(id))) continue
    if (unregisteredAt !== undefined || !isAbout(event, kinds)) continue
    if (pausedAt !== undefined || restingSince !== undefined) continue
    await draft.putOutboxEntry(outboxKeyOfWebhook(id), Math.max(environment.now(), notBefore))
  }
}

const enqueueForDevices = async (draft: Draft, { writer, environment }: Write): Promise<void> => {
  for (const device of (await listKeyed<RegisteredDevice>(draft, 'device')).values()) {
    if (!isPushed(device) || device.sessionId === writer) continue
    await scheduleDelivery(draft, outboxKeyOfDevice(device.key), environment.now(), device.notBefore)
  }
}

/**
 * A store whose writes hand over what has to be told of them, in the same durable step: errands for the webhooks that are
 * to be called for what the write did, and for the devices of other sessions. Whatever changes things or tags writes to
 * such a store, so that nothing can forget it.
 */
export const enqueueDeliveries = (store: Store, environment: Environment): Store => ({
  ...store,
  write: (userId, writer, work, priority) =>
    store.write(
      userId,
      writer,
      async (draft) => {
        const result = await work(draft)
        const kinds = draft.kinds()
        if (kinds.size === 0) return result
        await enqueueForWebhooks(draft, { kinds, writer, environment })
        await enqueueForDevices(draft, { kinds, writer, environment })
        return result
      },
      priority,
    ),
})
