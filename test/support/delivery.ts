import { onTestFinished, vi } from 'vitest'
import { type DeliveryOptions, enqueueDeliveries, openDelivery } from '../../src/delivery/dispatcher.ts'
import { createSubscriptionGuard } from '../../src/delivery/subscriptions.ts'
import { findWebhook, registerWebhook, type Webhook, type WebhookEvent } from '../../src/delivery/webhooks.ts'
import { createDeliveryRules } from '../../src/outbound/address-guard.ts'
import type { Thing } from '../../src/store/model.ts'
import type { Draft, Store } from '../../src/store/store.ts'
import { thingForm } from '../../src/things/thing.ts'
import { fixtureSending } from './sending.ts'
import { openSyncStore } from './sync-store.ts'

const guard = createSubscriptionGuard(createDeliveryRules(['127.0.0.0/8']))

/** A clock that stands until a test moves it; what waits for a time is called when it comes. */
export const createFakeClock = (clock: { now: number }) => {
  const timers = new Set<{ readonly at: number; readonly onTime: () => void }>()
  return {
    setTimer: (afterMs: number, onTime: () => void) => {
      const timer = { at: clock.now + afterMs, onTime }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    advance: (ms: number) => {
      clock.now += ms
      for (const timer of [...timers].sort((a, b) => a.at - b.at)) {
        if (timer.at <= clock.now && timers.delete(timer)) timer.onTime()
      }
    },
    /** Times that something waits for. */
    waits: () => [...timers].map(({ at }) => at - clock.now),
  }
}

/** A thing to be put. */
export const createThing = (id: string, fields: Partial<Thing> = {}): Thing => ({
  id,
  title: `thing ${id}`,
  tags: '',
  date: 1,
  archived: false,
  todoStatus: false,
  ...fields,
})

/** A memory store whose writes arm, with a clock that stands, and delivery that is open from `open` on. */
export const openDeliveryFixture = async (given: Partial<DeliveryOptions> = {}) => {
  const fixture = await openSyncStore()
  const { environment, clock } = fixture
  const raw: Store = given.store ?? fixture.store
  const store = enqueueDeliveries(raw, environment)
  const timer = createFakeClock(clock)
  const logged: object[] = []
  const log = (details: object) => void logged.push(details)

  const open = async (options: Partial<DeliveryOptions> = {}) => {
    const delivery = openDelivery({
      store: raw,
      environment,
      ...fixtureSending,
      showThing: thingForm.showThing,
      findAppAccess: async () => 'active',
      isUserDisabled: async () => false,
      isSessionActive: async () => true,
      random: () => 0,
      setTimer: timer.setTimer,
      log: { info: log, debug: log, warn: log, error: log },
      ...given,
      ...options,
    })
    onTestFinished(delivery.close)
    return delivery
  }
  const write = <T>(work: (draft: Draft) => Promise<T>, userId = 'anna', writer = 'web'): Promise<T> =>
    store.write(userId, writer, work)
  const put = (id: string, fields: Partial<Thing> = {}, userId = 'anna') =>
    write((draft) => draft.putThing(createThing(id, fields)), userId)
  /** Registers a webhook; gives its id. */
  const register = async (targetUrl: string, event: WebhookEvent = 'any', userId = 'anna', clientId = 'app') => {
    await write((draft) => registerWebhook(draft, { targetUrl, event, clientId }, environment, guard), userId)
    const listed = await (await store.read(userId)).listRecords('webhook', 'all')
    return (listed.get(JSON.stringify([clientId, event, targetUrl])) as Webhook).id
  }
  const find = async (id: string, userId = 'anna') => {
    const webhook = await findWebhook(await store.read(userId), id)
    if (webhook === undefined) throw new Error(`there is no webhook ${id}`)
    return webhook
  }
  const change = (id: string, work: (draft: Draft, webhook: Webhook) => Promise<unknown>, userId = 'anna') =>
    write(async (draft) => work(draft, await find(id, userId)), userId)
  /** When the outbox entries are due, in milliseconds from now. */
  const dueIn = async (userId = 'anna') =>
    [...(await (await store.read(userId)).listOutboxEntries()).values()].map((at) => at - clock.now)
  const until = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 60_000, interval: 2 })
  return { raw, store, environment, clock, timer, logged, open, write, put, register, find, change, dueIn, until }
}
