import { createHmac } from 'node:crypto'
import type { Draft, OutboxEntry, View } from '../store/store.ts'
import {
  type AttemptResult,
  busyWaitMs,
  type DeliveryContext,
  deliveryWriter,
  type FailedDelivery,
  findRetryWait,
  fixRandom,
  messageSpacingMs,
  toAttemptResult,
  toFailureRecord,
  webhookRetrySeconds,
} from './attempts.ts'
import { dropFields } from './subscriptions.ts'
import { buildMessage, buildTestMessage } from './webhook-message.ts'
import { deleteWebhook, findWebhook, listSecrets, putWebhook, type Sending, type Webhook } from './webhooks.ts'

const idOf = ({ key }: OutboxEntry): string => key.slice(key.indexOf('/') + 1)

/**
 * Sends one message to a webhook, once: the message that was not delivered yet, or else all changes since the last
 * message. One write stores the result and updates the outbox entry. May return a Unix time in milliseconds before
 * which there must be no attempt.
 * @throws StoreError if the result could not be stored; the same message is sent again later
 */
export const deliverWebhook = async (
  context: DeliveryContext,
  entry: OutboxEntry,
  signal: AbortSignal,
): Promise<number | undefined> => {
  const view = await context.store.read(entry.userId)
  const webhook = await findWebhook(view, idOf(entry))
  if (webhook === undefined || hasNothingToSend(webhook)) {
    await changeWebhook(context, entry, async (draft, current) => {
      // It may have been resumed meanwhile.
      if (current === undefined || hasNothingToSend(current)) await draft.deleteOutboxEntry(entry.key)
    })
    return undefined
  }
  if ((await context.findAppAccess(entry.userId, webhook.clientId)) !== 'active') {
    await settleWithoutAccess(context, entry)
    return undefined
  }
  const isTest = webhook.testAskedAt !== undefined
  const sending = isTest
    ? createTest(context, view)
    : (webhook.sending ?? (await beginSending(context, entry, view, webhook)))
  if (sending === undefined) return undefined

  const result = await sendOnce(context, webhook, sending, signal)
  if (result === undefined) return undefined
  if (result.kind === 'busy') return context.environment.now() + busyWaitMs
  const fixedContext = fixRandom(context)
  await changeWebhook(context, entry, async (draft, current) => {
    if (current === undefined) return draft.deleteOutboxEntry(entry.key)
    if (result.kind === 'gone') return deleteWebhook(draft, current)
    const settled = isTest
      ? settleTest(context, current, result)
      : settleAttempt(fixedContext, current, sending, result)
    await putWebhook(draft, settled)
    await settleEntry(context, draft, entry, settled)
  })
  logResult(context, webhook, result)
  return undefined
}

const isPausedOrSuspended = ({ pausedAt, restingSince }: Webhook): boolean =>
  pausedAt !== undefined || restingSince !== undefined

const hasNothingToSend = (webhook: Webhook): boolean =>
  isPausedOrSuspended(webhook) && webhook.testAskedAt === undefined

const changeWebhook = <T>(
  { store }: DeliveryContext,
  entry: OutboxEntry,
  work: (draft: Draft, webhook: Webhook | undefined) => Promise<T>,
): Promise<T> =>
  store.write(entry.userId, deliveryWriter, async (draft) => work(draft, await findWebhook(draft, idOf(entry))), 'soon')

const createTest = ({ environment }: DeliveryContext, view: View): Sending => ({
  id: `msg_${environment.newId()}`,
  ...buildTestMessage(view.position, environment.now()),
  tries: 0,
  firstTriedAt: Math.floor(environment.now() / 1000),
})

/** Stores the message before it is sent, so that each attempt sends the same bytes, even after a crash. */
const beginSending = async (
  context: DeliveryContext,
  entry: OutboxEntry,
  view: View,
  webhook: Webhook,
): Promise<Sending | undefined> => {
  const { environment, showThing } = context
  const message = await buildMessage(view, webhook, environment.now(), showThing)
  return changeWebhook(context, entry, async (draft, current) => {
    if (current === undefined || isPausedOrSuspended(current) || current.told !== webhook.told) return undefined
    if (message === undefined) {
      await putWebhook(draft, { ...current, told: view.position })
      await settleUnlessNewer(context, draft, entry, view.position)
      return undefined
    }
    const firstTriedAt = Math.floor(environment.now() / 1000)
    const sending: Sending = { id: `msg_${environment.newId()}`, ...message, tries: 0, firstTriedAt }
    await putWebhook(draft, { ...current, sending })
    return sending
  })
}

/** Returns undefined if the server stops and aborts it: the outcome is then unknown. */
const sendOnce = async (
  { environment, send }: DeliveryContext,
  webhook: Webhook,
  { id, body }: Sending,
  signal: AbortSignal,
): Promise<AttemptResult | undefined> => {
  const signed = signWebhook({ id, now: environment.now(), body, secrets: listSecrets(webhook, environment) })
  const headers = { 'content-type': 'application/json', ...signed }
  try {
    return toAttemptResult(await send({ url: webhook.targetUrl, headers, body, signal }), [410])
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}

const settleAttempt = (
  context: DeliveryContext,
  current: Webhook,
  sending: Sending,
  result: AttemptResult,
): Webhook => {
  if (result.kind !== 'failed') {
    const told = Math.max(current.told, sending.to)
    return { ...noteSuccess(context, dropFields(current, 'sending') as Webhook), told }
  }
  const tries = (current.sending ?? sending).tries + 1
  const failed = noteFailure(context, { ...current, sending: { ...sending, tries } }, result.failure)
  const waitMs = findRetryWait(webhookRetrySeconds, tries, result.failure, context.random)
  if (waitMs !== undefined) return { ...failed, notBefore: context.environment.now() + waitMs }
  return { ...failed, restingSince: Math.floor(context.environment.now() / 1000) }
}

/** A receiver that accepts a test event works: its waiting message is sent at once. A failed test changes no state. */
const settleTest = (context: DeliveryContext, current: Webhook, result: AttemptResult): Webhook => {
  const tested = dropFields(current, 'testAskedAt') as Webhook
  if (result.kind === 'failed') return noteFailure(context, tested, result.failure)
  const { sending } = tested
  return noteSuccess(context, sending === undefined ? tested : { ...tested, sending: { ...sending, tries: 0 } })
}

const noteSuccess = ({ environment }: DeliveryContext, webhook: Webhook): Webhook => ({
  ...(dropFields(webhook, 'restingSince') as Webhook),
  lastSuccessAt: Math.floor(environment.now() / 1000),
  notBefore: environment.now() + messageSpacingMs,
})

const noteFailure = ({ environment }: DeliveryContext, webhook: Webhook, failure: FailedDelivery): Webhook => ({
  ...webhook,
  lastFailure: toFailureRecord(failure, environment.now()),
})

/**
 * Deletes the outbox entry of a webhook whose app may not act for the user. The webhook keeps its position, and the
 * next change checks the access again. If the access is revoked, the webhook is deleted.
 */
const settleWithoutAccess = (context: DeliveryContext, entry: OutboxEntry): Promise<void> =>
  changeWebhook(context, entry, async (draft, current) => {
    if (current === undefined) return draft.deleteOutboxEntry(entry.key)
    // The app may have signed in again meanwhile, and a change after that relied on the existing entry.
    const access = await context.findAppAccess(entry.userId, current.clientId)
    if (access === 'active') return
    if (access === 'revoked') return deleteWebhook(draft, current)
    const notBefore = Math.max(current.notBefore ?? 0, context.environment.now() + messageSpacingMs)
    await putWebhook(draft, { ...(dropFields(current, 'testAskedAt') as Webhook), notBefore })
    await draft.deleteOutboxEntry(entry.key)
  })

/** Schedules what remains to be sent, or was requested meanwhile, for the next time when the webhook may be called. */
const settleEntry = async (
  { environment }: DeliveryContext,
  draft: Draft,
  { key }: OutboxEntry,
  webhook: Webhook,
): Promise<void> => {
  const { testAskedAt, sending, told, notBefore = 0 } = webhook
  if (testAskedAt !== undefined) return draft.putOutboxEntry(key, environment.now())
  const hasMore = sending !== undefined || told < draft.position()
  if (hasMore && !isPausedOrSuspended(webhook)) await draft.putOutboxEntry(key, Math.max(environment.now(), notBefore))
  else await draft.deleteOutboxEntry(key)
}

/** Deletes the entry if nothing is newer: a write meanwhile has moved the position, a user's request the entry. */
const settleUnlessNewer = async (
  { environment }: DeliveryContext,
  draft: Draft,
  { key, dueAt }: OutboxEntry,
  position: number,
): Promise<void> => {
  const isUnchanged = draft.position() === position && (await draft.listOutboxEntries()).get(key) === dueAt
  if (isUnchanged) await draft.deleteOutboxEntry(key)
  else await draft.putOutboxEntry(key, environment.now() + messageSpacingMs)
}

const logResult = ({ log }: DeliveryContext, { id, targetUrl }: Webhook, result: AttemptResult): void => {
  const hostOf = () => new URL(targetUrl).host
  if (result.kind === 'gone')
    log.info({ webhook: id, host: hostOf() }, 'a webhook was unregistered: its receiver responded with status 410')
  else if (result.kind === 'failed')
    log.debug({ webhook: id, host: hostOf(), ...result.failure }, 'the delivery to a webhook failed')
}

/** A message to sign. */
interface WebhookMessage {
  /**
   * The same for each attempt, so that a receiver can ignore repetitions. Contains no period, which is the separator.
   */
  readonly id: string
  /** Unix time of this attempt in milliseconds. A receiver rejects a message that is minutes old. */
  readonly now: number
  readonly body: string
  /** `whsec_` and base64; each creates a signature. After a replacement there are several, the newest first. */
  readonly secrets: readonly string[]
}

const sign = (secret: string, content: string): string => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}

/** Creates the headers that prove to a receiver who sent the body and when (Standard Webhooks 1.0). */
export const signWebhook = ({ id, now, body, secrets }: WebhookMessage): Record<string, string> => {
  const timestamp = String(Math.floor(now / 1000))
  const signatures = secrets.map((secret) => sign(secret, `${id}.${timestamp}.${body}`))
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
