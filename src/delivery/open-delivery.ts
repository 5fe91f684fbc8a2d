import { setMaxListeners } from 'node:events'
import type { Logger } from 'pino'
import { parseUrl } from '../parse-url.ts'
import { createRunLimited } from '../run-limited.ts'
import { StoreFailed, type TakenErrand } from '../store/store.ts'
import { findDevice } from './devices.ts'
import { createLimiter, type DeliveryLimits, defaultDeliveryLimits, type PoolName } from './limiter.ts'
import { openTaking } from './take-errands.ts'
import { type PushingPlace, tellDevice } from './tell-device.ts'
import { tellWebhook } from './tell-webhook.ts'
import { type SetTimer, systemTimer } from './timer.ts'
import { findWebhook } from './webhooks.ts'

/** What delivery works with. */
export interface DeliveryOptions extends Omit<PushingPlace, 'log' | 'random'> {
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
const readsAtOnce = 8

interface Receiver {
  readonly host: string
  readonly pool: PoolName
}

// Without its port, as those are counted that are sent.
const findHost = (address: string): string => parseUrl(address)?.hostname ?? ''

interface Told {
  readonly lastSuccessAt?: number
  readonly lastFailure?: { readonly at: number }
}

const findPool = ({ lastSuccessAt, lastFailure }: Told): PoolName => {
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
  const { store, world, log } = options
  const place: PushingPlace = { ...options, random }
  const stop = new AbortController()
  // Each message on its way listens, and there are many.
  setMaxListeners(0, stop.signal)
  const limiter = createLimiter(setTimer, limits)
  const readInTurn = createRunLimited(readsAtOnce)

  const findReceiver = async ({ userId, key }: TakenErrand): Promise<Receiver | undefined> => {
    const view = await store.read(userId)
    const [kind, id = ''] = key.split('/')
    const known = kind === 'webhook' ? await findWebhook(view, id) : await findDevice(view, id)
    if (known === undefined) return undefined
    return { host: findHost('targetUrl' in known ? known.targetUrl : known.endpoint), pool: findPool(known) }
  }
  const tellOnce = (errand: TakenErrand): Promise<number | undefined> =>
    (errand.key.startsWith('webhook/') ? tellWebhook : tellDevice)(place, errand, stop.signal)

  const taking = openTaking({
    store,
    now: world.now,
    setTimer,
    tell: async (errand) => {
      const receiver = await readInTurn(() => findReceiver(errand))
      // Its errand is settled, and nothing is sent.
      if (receiver === undefined) return tellOnce(errand)
      return new Promise((resolve, reject) => {
        const run = () => tellOnce(errand).then(resolve, reject)
        limiter.add({ userId: errand.userId, ...receiver, run, drop: () => resolve(undefined) })
      })
    },
    onFault: (error) => {
      if (error instanceof StoreFailed) log.warn({ err: error }, 'delivery waits for the store')
      else log.error({ err: error }, 'a delivery went wrong and is tried again in a minute')
    },
  })

  return {
    close: async () => {
      stop.abort()
      limiter.close()
      await taking.close()
    },
  }
}
