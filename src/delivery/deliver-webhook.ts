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
 * Tells one webhook, once: what was begun and not taken yet, else all that happened since it was told last. Its errand is
 * settled by the same write as what became of it. May give a time (Unix ms) before which nothing is to be tried.
 * @throws StoreFailed when that could not be kept: it is told again then
 */
export const deliverWebhook = async (
  context: DeliveryContext,
  entry: OutboxEntry,
  signal: AbortSignal,
): Promise<number | undefined> => {
  const view = await context.store.read(entry.userId)
  const webhook = await findWebhook(view, idOf(entry))
  if (webhook === undefined || hasNothingToSend(webhook)) {
    await change(context, entry, async (draft, current) => {
      // It may have been woken meanwhile.
      if (current === undefined || hasNothingToSend(current)) await draft.deleteOutboxEntry(entry.key)
    })
    return undefined
  }
  if ((await context.findAppAccess(entry.userId, webhook.clientId)) !== 'living') {
    await settleSuspended(context, entry)
    return undefined
  }
  const isTest = webhook.testAskedAt !== undefined
  const sending = isTest
    ? createTest(context, view)
    : (webhook.sending ?? (await beginSending(context, entry, view, webhook)))
  if (sending === undefined) return undefined

  const tried = await trySending(context, webhook, sending, signal)
  if (tried === undefined) return undefined
  if (tried.kind === 'busy') return context.environment.now() + busyWaitMs
  const settling = fixRandom(context)
  await change(context, entry, async (draft, current) => {
    if (current === undefined) return draft.deleteOutboxEntry(entry.key)
    if (tried.kind === 'gone') return deleteWebhook(draft, current)
    const settled = isTest ? settleTest(context, current, tried) : settleTry(settling, current, sending, tried)
    await putWebhook(draft, settled)
    await settleEntry(context, draft, entry, settled)
  })
  logResult(context, webhook, tried)
  return undefined
}

const isSilent = ({ pausedAt, restingSince }: Webhook): boolean => pausedAt !== undefined || restingSince !== undefined

const hasNothingToSend = (webhook: Webhook): boolean => isSilent(webhook) && webhook.testAskedAt === undefined

const change = <T>(
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

/** Keeps what is going to be sent before it is, so that each try is the same, also after a crash. */
const beginSending = async (
  context: DeliveryContext,
  entry: OutboxEntry,
  view: View,
  webhook: Webhook,
): Promise<Sending | undefined> => {
  const { environment, showThing } = context
  const message = await buildMessage(view, webhook, environment.now(), showThing)
  return change(context, entry, async (draft, current) => {
    if (current === undefined || isSilent(current) || current.told !== webhook.told) return undefined
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

/** Undefined when it was given up because the server stops: nobody knows then what became of it. */
const trySending = async (
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

const settleTry = (context: DeliveryContext, current: Webhook, sending: Sending, tried: AttemptResult): Webhook => {
  if (tried.kind !== 'failed') {
    const told = Math.max(current.told, sending.to)
    return { ...noteSuccess(context, dropFields(current, 'sending') as Webhook), told }
  }
  const tries = (current.sending ?? sending).tries + 1
  const failed = noteFailure(context, { ...current, sending: { ...sending, tries } }, tried.failure)
  const wait = findRetryWait(webhookRetrySeconds, tries, tried.failure, context.random)
  if (wait !== undefined) return { ...failed, notBefore: context.environment.now() + wait }
  return { ...failed, restingSince: Math.floor(context.environment.now() / 1000) }
}

/** A receiver that takes a test event works: what waits for it is tried at once. One that does not changes nothing. */
const settleTest = (context: DeliveryContext, current: Webhook, tried: AttemptResult): Webhook => {
  const tested = dropFields(current, 'testAskedAt') as Webhook
  if (tried.kind === 'failed') return noteFailure(context, tested, tried.failure)
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
 * Leaves one alone whose app may not act for the user: it stays told up to where it was, and the next change asks again. Of
 * one whose app is gone nothing is kept.
 */
const settleSuspended = (context: DeliveryContext, entry: OutboxEntry): Promise<void> =>
  change(context, entry, async (draft, current) => {
    if (current === undefined) return draft.deleteOutboxEntry(entry.key)
    // It may have signed in again meanwhile, and a change since has found the errand there.
    const access = await context.findAppAccess(entry.userId, current.clientId)
    if (access === 'living') return
    if (access === 'gone') return deleteWebhook(draft, current)
    const notBefore = Math.max(current.notBefore ?? 0, context.environment.now() + messageSpacingMs)
    await putWebhook(draft, { ...(dropFields(current, 'testAskedAt') as Webhook), notBefore })
    await draft.deleteOutboxEntry(entry.key)
  })

/** What is still to be told, or was asked for meanwhile, is due when the webhook may be called again. */
const settleEntry = async (
  { environment }: DeliveryContext,
  draft: Draft,
  { key }: OutboxEntry,
  webhook: Webhook,
): Promise<void> => {
  const { testAskedAt, sending, told, notBefore = 0 } = webhook
  if (testAskedAt !== undefined) return draft.putOutboxEntry(key, environment.now())
  const isMore = sending !== undefined || told < draft.position()
  if (isMore && !isSilent(webhook)) await draft.putOutboxEntry(key, Math.max(environment.now(), notBefore))
  else await draft.deleteOutboxEntry(key)
}

/** For who found nothing to tell: a write that came meanwhile has moved the position, and a person the errand. */
const settleUnlessNewer = async (
  { environment }: DeliveryContext,
  draft: Draft,
  { key, dueAt }: OutboxEntry,
  position: number,
): Promise<void> => {
  const isOld = draft.position() === position && (await draft.listOutboxEntries()).get(key) === dueAt
  if (isOld) await draft.deleteOutboxEntry(key)
  else await draft.putOutboxEntry(key, environment.now() + messageSpacingMs)
}

const logResult = ({ log }: DeliveryContext, { id, targetUrl }: Webhook, tried: AttemptResult): void => {
  const hostOf = () => new URL(targetUrl).host
  if (tried.kind === 'gone')
    log.info({ webhook: id, host: hostOf() }, 'a webhook was unregistered: its receiver answered 410')
  else if (tried.kind === 'failed')
    log.debug({ webhook: id, host: hostOf(), ...tried.failure }, 'a webhook was not taken')
}

/** What is signed. */
interface WebhookMessage {
  /** The same for each try, so that a receiver knows what it has had; without a full stop, which separates. */
  readonly id: string
  /** When this try is made, in milliseconds since 1970: a receiver refuses what is minutes old. */
  readonly now: number
  readonly body: string
  /** `whsec_` and base64; each makes a signature. While a secret is replaced both are given, the new one first. */
  readonly secrets: readonly string[]
}

const sign = (secret: string, content: string): string => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}

/** The headers that prove to a receiver who sent a body and when (Standard Webhooks 1.0). */
export const signWebhook = ({ id, now, body, secrets }: WebhookMessage): Record<string, string> => {
  const timestamp = String(Math.floor(now / 1000))
  const signatures = secrets.map((secret) => sign(secret, `${id}.${timestamp}.${body}`))
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
