import { signWebhook } from '../outbound/sign-webhook.ts'
import type { Draft, Errand, View } from '../store/store.ts'
import { buildMessage, buildTestMessage } from './build-message.ts'
import { describeOutcome, keepFailure, type Tried } from './describe-outcome.ts'
import { dropFields } from './records.ts'
import { type FailedTry, findRetryWait, webhookRetries } from './retry-times.ts'
import { busyWaitMs, deliveryWriter, drawChance, messageSpacingMs, type TellingPlace } from './telling-place.ts'
import { deleteWebhook, findWebhook, listSecrets, putWebhook, type Sending, type Webhook } from './webhooks.ts'

const idOf = ({ key }: Errand): string => key.slice(key.indexOf('/') + 1)

/**
 * Tells one webhook, once: what was begun and not taken yet, else all that happened since it was told last. Its errand is
 * settled by the same write as what became of it. May give a time (Unix ms) before which nothing is to be tried.
 * @throws StoreFailed when that could not be kept: it is told again then
 */
export const tellWebhook = async (
  place: TellingPlace,
  errand: Errand,
  signal: AbortSignal,
): Promise<number | undefined> => {
  const view = await place.store.read(errand.userId)
  const webhook = await findWebhook(view, idOf(errand))
  if (webhook === undefined || hasNothingToSend(webhook)) {
    await change(place, errand, async (draft, current) => {
      // It may have been woken meanwhile.
      if (current === undefined || hasNothingToSend(current)) await draft.deleteErrand(errand.key)
    })
    return undefined
  }
  if ((await place.findAppAccess(errand.userId, webhook.clientId)) !== 'living') {
    await settleUntold(place, errand)
    return undefined
  }
  const isTest = webhook.testAskedAt !== undefined
  const sending = isTest
    ? makeTest(place, view)
    : (webhook.sending ?? (await beginSending(place, errand, view, webhook)))
  if (sending === undefined) return undefined

  const tried = await trySending(place, webhook, sending, signal)
  if (tried === undefined) return undefined
  if (tried.kind === 'busy') return place.world.now() + busyWaitMs
  const settling = drawChance(place)
  await change(place, errand, async (draft, current) => {
    if (current === undefined) return draft.deleteErrand(errand.key)
    if (tried.kind === 'gone') return deleteWebhook(draft, current)
    const settled = isTest ? settleTest(place, current, tried) : settleTry(settling, current, sending, tried)
    await putWebhook(draft, settled)
    await settleErrand(place, draft, errand, settled)
  })
  note(place, webhook, tried)
  return undefined
}

const isSilent = ({ pausedAt, restingSince }: Webhook): boolean => pausedAt !== undefined || restingSince !== undefined

const hasNothingToSend = (webhook: Webhook): boolean => isSilent(webhook) && webhook.testAskedAt === undefined

const change = <T>(
  { store }: TellingPlace,
  errand: Errand,
  work: (draft: Draft, webhook: Webhook | undefined) => Promise<T>,
): Promise<T> =>
  store.write(
    errand.userId,
    deliveryWriter,
    async (draft) => work(draft, await findWebhook(draft, idOf(errand))),
    'soon',
  )

const makeTest = ({ world }: TellingPlace, view: View): Sending => ({
  id: `msg_${world.newId()}`,
  ...buildTestMessage(view.position, world.now()),
  tries: 0,
  firstTriedAt: Math.floor(world.now() / 1000),
})

/** Keeps what is going to be sent before it is, so that each try is the same, also after a crash. */
const beginSending = async (
  place: TellingPlace,
  errand: Errand,
  view: View,
  webhook: Webhook,
): Promise<Sending | undefined> => {
  const { world, showThing } = place
  const message = await buildMessage(view, webhook, world.now(), showThing)
  return change(place, errand, async (draft, current) => {
    if (current === undefined || isSilent(current) || current.told !== webhook.told) return undefined
    if (message === undefined) {
      await putWebhook(draft, { ...current, told: view.position })
      await settleUnlessNewer(place, draft, errand, view.position)
      return undefined
    }
    const firstTriedAt = Math.floor(world.now() / 1000)
    const sending: Sending = { id: `msg_${world.newId()}`, ...message, tries: 0, firstTriedAt }
    await putWebhook(draft, { ...current, sending })
    return sending
  })
}

/** Undefined when it was given up because the server stops: nobody knows then what became of it. */
const trySending = async (
  { world, send }: TellingPlace,
  webhook: Webhook,
  { id, body }: Sending,
  signal: AbortSignal,
): Promise<Tried | undefined> => {
  const signed = signWebhook({ id, now: world.now(), body, secrets: listSecrets(webhook, world) })
  const headers = { 'content-type': 'application/json', ...signed }
  try {
    return describeOutcome(await send({ url: webhook.targetUrl, headers, body, signal }), [410])
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}

const settleTry = (place: TellingPlace, current: Webhook, sending: Sending, tried: Tried): Webhook => {
  if (tried.kind !== 'failed') {
    const told = Math.max(current.told, sending.to)
    return { ...noteSuccess(place, dropFields(current, 'sending') as Webhook), told }
  }
  const tries = (current.sending ?? sending).tries + 1
  const failed = noteFailure(place, { ...current, sending: { ...sending, tries } }, tried.failure)
  const wait = findRetryWait(webhookRetries, tries, tried.failure, place.random)
  if (wait !== undefined) return { ...failed, notBefore: place.world.now() + wait }
  return { ...failed, restingSince: Math.floor(place.world.now() / 1000) }
}

/** A receiver that takes a test event works: what waits for it is tried at once. One that does not changes nothing. */
const settleTest = (place: TellingPlace, current: Webhook, tried: Tried): Webhook => {
  const tested = dropFields(current, 'testAskedAt') as Webhook
  if (tried.kind === 'failed') return noteFailure(place, tested, tried.failure)
  const { sending } = tested
  return noteSuccess(place, sending === undefined ? tested : { ...tested, sending: { ...sending, tries: 0 } })
}

const noteSuccess = ({ world }: TellingPlace, webhook: Webhook): Webhook => ({
  ...(dropFields(webhook, 'restingSince') as Webhook),
  lastSuccessAt: Math.floor(world.now() / 1000),
  notBefore: world.now() + messageSpacingMs,
})

const noteFailure = ({ world }: TellingPlace, webhook: Webhook, failure: FailedTry): Webhook => ({
  ...webhook,
  lastFailure: keepFailure(failure, world.now()),
})

/**
 * Leaves one alone whose app may not act for the user: it stays told up to where it was, and the next change asks again. Of
 * one whose app is gone nothing is kept.
 */
const settleUntold = (place: TellingPlace, errand: Errand): Promise<void> =>
  change(place, errand, async (draft, current) => {
    if (current === undefined) return draft.deleteErrand(errand.key)
    // It may have signed in again meanwhile, and a change since has found the errand there.
    const access = await place.findAppAccess(errand.userId, current.clientId)
    if (access === 'living') return
    if (access === 'gone') return deleteWebhook(draft, current)
    const notBefore = Math.max(current.notBefore ?? 0, place.world.now() + messageSpacingMs)
    await putWebhook(draft, { ...(dropFields(current, 'testAskedAt') as Webhook), notBefore })
    await draft.deleteErrand(errand.key)
  })

/** What is still to be told, or was asked for meanwhile, is due when the webhook may be called again. */
const settleErrand = async (
  { world }: TellingPlace,
  draft: Draft,
  { key }: Errand,
  webhook: Webhook,
): Promise<void> => {
  const { testAskedAt, sending, told, notBefore = 0 } = webhook
  if (testAskedAt !== undefined) return draft.putErrand(key, world.now())
  const isMore = sending !== undefined || told < draft.position()
  if (isMore && !isSilent(webhook)) await draft.putErrand(key, Math.max(world.now(), notBefore))
  else await draft.deleteErrand(key)
}

/** For who found nothing to tell: a write that came meanwhile has moved the position, and a person the errand. */
const settleUnlessNewer = async (
  { world }: TellingPlace,
  draft: Draft,
  { key, dueAt }: Errand,
  position: number,
): Promise<void> => {
  const isOld = draft.position() === position && (await draft.listErrands()).get(key) === dueAt
  if (isOld) await draft.deleteErrand(key)
  else await draft.putErrand(key, world.now() + messageSpacingMs)
}

const note = ({ log }: TellingPlace, { id, targetUrl }: Webhook, tried: Tried): void => {
  const hostOf = () => new URL(targetUrl).host
  if (tried.kind === 'gone')
    log.info({ webhook: id, host: hostOf() }, 'a webhook was unregistered: its receiver answered 410')
  else if (tried.kind === 'failed')
    log.debug({ webhook: id, host: hostOf(), ...tried.failure }, 'a webhook was not taken')
}
