/*
 * Delivery: notifies webhooks and Web Push devices of changes.
 * Each write puts outbox entries into the store in the same durable step (`enqueueDeliveries`). The dispatcher in this
 * file takes due entries and runs one delivery per receiver at a time, within the limits of `limiter.ts`.
 * `deliver-webhook.ts` and `deliver-push.ts` make one attempt each; `attempts.ts` holds the retry delays.
 * The folder knows no HTTP server and no operation. Start with `openDelivery`.
 */
import { setMaxListeners } from 'node:events'
import type { Logger } from 'pino'
import type { Environment } from '../environment.ts'
import { parseUrl } from '../parse-url.ts'
import { createConcurrencyLimiter, loadOnce } from '../scheduling.ts'
import { type ChangeKind, type Draft, type Store, StoreError, type TakenEntry } from '../store/store.ts'
import type { PushContext } from './deliver-push.ts'
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
import { matchesEvent } from './webhook-message.ts'
import { findWebhook, outboxKeyOfWebhook, type Webhook } from './webhooks.ts'

/** The dependencies and options of delivery. */
export interface DeliveryOptions extends Omit<PushContext, 'log' | 'random'> {
  readonly log: Pick<Logger, 'info' | 'debug' | 'warn' | 'error'>
  readonly random?: () => number
  readonly setTimer?: SetTimer
  readonly limits?: DeliveryLimits
}

/** Notifies receivers of changes until it is closed. */
export interface Delivery {
  /**
   * Aborts all deliveries in progress at once. Their outbox entries stay due for the next process that opens the store.
   */
  readonly close: () => Promise<void>
}

/** Maximum of accounts that are read at a time: the store may have to load them from disk. */
const maxConcurrentReads = 8

interface Receiver {
  readonly host: string
  readonly pool: PoolName
}

// Without the port, as the outbound client counts requests per host.
const findHost = (url: string): string => parseUrl(url)?.hostname ?? ''

interface LastResults {
  readonly lastSuccessAt?: number
  readonly lastFailure?: { readonly at: number }
}

const findPool = ({ lastSuccessAt, lastFailure }: LastResults): PoolName => {
  if (lastSuccessAt === undefined && lastFailure === undefined) return 'new'
  return (lastFailure?.at ?? 0) >= (lastSuccessAt ?? 0) ? 'failed' : 'proven'
}

/**
 * Opens delivery: takes outbox entries from the store when they are due and notifies webhooks and devices. Each
 * receiver gets its messages in order and one at a time. After an error of the store, and after any other error, it
 * logs and retries later.
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
  // Each message in progress adds a listener, and there are many.
  setMaxListeners(0, stop.signal)
  const limiter = createLimiter(setTimer, limits)
  const limitReads = createConcurrencyLimiter(maxConcurrentReads)

  const findReceiver = async ({ userId, key }: TakenEntry): Promise<Receiver | undefined> => {
    const view = await store.read(userId)
    const [kind, id = ''] = key.split('/')
    const known = kind === 'webhook' ? await findWebhook(view, id) : await findDevice(view, id)
    if (known === undefined) return undefined
    return { host: findHost('targetUrl' in known ? known.targetUrl : known.endpoint), pool: findPool(known) }
  }
  const deliverOnce = async (entry: TakenEntry): Promise<number | undefined> => {
    const deliver = await (entry.key.startsWith('webhook/') ? loadDeliverWebhook() : loadDeliverPush())
    return deliver(context, entry, stop.signal)
  }

  const loop = openDispatchLoop({
    store,
    now: environment.now,
    setTimer,
    deliver: async (entry) => {
      const receiver = await limitReads(() => findReceiver(entry))
      // This deletes the outbox entry and sends nothing, so it needs no slot.
      if (receiver === undefined) return deliverOnce(entry)
      return new Promise((resolve, reject) => {
        const run = () => deliverOnce(entry).then(resolve, reject)
        limiter.add({ userId: entry.userId, ...receiver, run, drop: () => resolve(undefined) })
      })
    },
    onFault: (error) => {
      if (error instanceof StoreError) log.warn({ err: error }, 'deliveries wait, because the store is not available')
      else log.error({ err: error }, 'a delivery failed with a bug of the server; the next attempt is in a minute')
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

// Loaded when the first entry is due: most servers deliver nothing.
const loadDeliverWebhook = loadOnce(async () => (await import('./deliver-webhook.ts')).deliverWebhook)
const loadDeliverPush = loadOnce(async () => (await import('./deliver-push.ts')).deliverPush)

/** The dependencies of the dispatch loop. */
interface DispatchOptions {
  readonly store: Store
  readonly now: () => number
  readonly setTimer: SetTimer
  /**
   * Makes one delivery and updates its entry by a write. May return a Unix time (ms) before which it is not taken
   * again.
   */
  readonly deliver: (entry: TakenEntry) => Promise<number | undefined>
  /** Called with an error; the entry is taken again later. */
  readonly onFault: (error: unknown) => void
}

/** Maximum of entries that are taken at a time, queued or in progress. Each needs a few hundred bytes of memory. */
const maxInFlight = 10_000

/** Delays after an error. An error of the store may be temporary; a bug stays. */
const afterStoreErrorMs = 5_000
const afterBugMs = 60_000

/** If the store was slow, the next entry may already be due: a delay of 0 would loop without a pause. */
const minWaitMs = 1

/**
 * Takes outbox entries when they are due, until it is closed. A single timer waits for the next entry of all accounts,
 * so that nothing runs while nothing is due.
 */
const openDispatchLoop = ({ store, now, setTimer, deliver, onFault }: DispatchOptions) => {
  const inProgress = new Set<Promise<void>>()
  let isClosed = false
  let isChecking = false
  let mustCheckAgain = false
  let stopTimer = () => {}

  const work = async (entry: TakenEntry): Promise<void> => {
    let until: number | undefined
    try {
      until = await deliver(entry)
    } catch (error) {
      until = now() + (error instanceof StoreError ? afterStoreErrorMs : afterBugMs)
      onFault(error)
    }
    await entry.release(until)
  }

  const takeDue = async (): Promise<void> => {
    while (!isClosed && inProgress.size < maxInFlight) {
      const entry = await store.takeOutboxEntry(now())
      if (entry === undefined) break
      const working = work(entry)
        .catch(onFault)
        .then(() => {
          const wasFull = inProgress.size >= maxInFlight
          inProgress.delete(working)
          if (wasFull) check()
        })
      inProgress.add(working)
    }
    const next = isClosed || inProgress.size >= maxInFlight ? undefined : await store.nextOutboxEntryAt()
    if (next !== undefined && !isClosed) stopTimer = setTimer(Math.max(minWaitMs, next - now()), check)
  }

  const check = (): void => {
    mustCheckAgain = true
    if (isChecking || isClosed) return
    isChecking = true
    void (async () => {
      while (mustCheckAgain && !isClosed) {
        mustCheckAgain = false
        stopTimer()
        stopTimer = () => {}
        try {
          await takeDue()
        } catch (error) {
          onFault(error)
          stopTimer = setTimer(afterStoreErrorMs, check)
        }
      }
      isChecking = false
    })()
  }

  const stopWatching = store.watchOutbox(check)
  check()

  return {
    /** Takes no more entries. Resolves when all deliveries in progress have ended. */
    close: async (): Promise<void> => {
      isClosed = true
      stopTimer()
      stopWatching()
      while (inProgress.size > 0) await Promise.all(inProgress)
    },
  }
}

interface Write {
  readonly kinds: ReadonlySet<ChangeKind>
  /** The session that writes. */
  readonly writer: string
  readonly environment: Environment
}

/** An existing entry covers this write too: after a delivery the dispatcher compares the position of the account. */
const enqueueForWebhooks = async (draft: Draft, { kinds, environment }: Write): Promise<void> => {
  const webhooks = await listKeyed<Webhook>(draft, 'webhook')
  if (webhooks.size === 0) return
  const entries = await draft.listOutboxEntries()
  for (const webhook of webhooks.values()) {
    const { id, event, pausedAt, restingSince, unregisteredAt, notBefore = 0 } = webhook
    // Most writes end here: the previous write has created the entry.
    if (entries.has(outboxKeyOfWebhook(id))) continue
    if (unregisteredAt !== undefined || !matchesEvent(event, kinds)) continue
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
 * Wraps a store: each write also puts its outbox entries, in the same durable step. It adds entries for the webhooks
 * whose event matches the write, and for the devices of other sessions. All code that changes things or tags gets the
 * wrapped store, so that no code can forget the outbox.
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
