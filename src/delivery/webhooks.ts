import type { Environment } from '../environment.ts'
import type { Draft } from '../store/store.ts'
import type { SubscriptionGuard } from './subscriptions.ts'
import {
  dropFields,
  type Failure,
  listKeyed,
  type RecordReader,
  recordGroup,
  recordKeyOf,
  rejectFault,
  scheduleDelivery,
  scheduleDeliveryNow,
} from './subscriptions.ts'

/** What a webhook can be called for (interface 6; contract, the other operations). */
export type WebhookEvent = 'new_thing' | 'changed_thing' | 'deleted_thing' | 'tag' | 'any'

/** What a webhook is registered by: an address and an event, for one app (interface 6). */
export type WebhookKey = {
  readonly targetUrl: string
  readonly event: WebhookEvent
  readonly clientId: string
}

/** A message that its receiver has not taken yet. Each try sends the same bytes under the same id. */
export type Sending = {
  /** `webhook-id`. */
  readonly id: string
  /** The position up to which its receiver knows everything once it has taken it. */
  readonly to: number
  readonly body: string
  /** Tries that failed. */
  readonly tries: number
  /** Unix time in seconds. */
  readonly firstTriedAt: number
}

/**
 * A registered webhook, and how far its receiver has been told: a position, not a queue. A type and no interface, so that
 * it is Json. Times in Unix seconds.
 */
export type Webhook = WebhookKey & {
  /** What calls are signed with; known to the server and to the app that registered it. */
  readonly secret: string
  /** What were the secrets before, the newest first; calls are signed with each `until` then, too. */
  readonly previousSecrets?: readonly { readonly secret: string; readonly until: number }[]
  readonly registeredAt: number
  /** Names it in errands and commands. */
  readonly id: string
  /** The position up to which the receiver knows everything. */
  readonly told: number
  readonly sending?: Sending
  /** Unix time in milliseconds before which nothing more is sent: about one message a second. */
  readonly notBefore?: number
  readonly lastSuccessAt?: number
  readonly lastFailure?: Failure
  /** Since when it has failed so often that it is not tried any more. */
  readonly restingSince?: number
  /** Since when its owner, or the operator of the server, wants nothing sent. */
  readonly pausedAt?: number
  /** Absent where its owner paused it. What the operator paused only the operator resumes. */
  readonly pausedBy?: 'operator'
  /** When it was unregistered while the operator had it paused: it is kept, so that it is paused when it comes back. */
  readonly unregisteredAt?: number
  /** When its owner last had it tried by hand, Unix time in milliseconds. */
  readonly triedByHandAt?: number
  /** When its owner asked for a test event that was not sent yet. */
  readonly testAskedAt?: number
}

/** Webhooks that a user may have, unless a quota allows fewer (contract, delivery). */
export const maxWebhooks = 20

/** Webhooks that a user with this quota may have; null is none of one's own. */
export const limitWebhooks = (quota: number | null): number => Math.min(quota ?? maxWebhooks, maxWebhooks)

/** How long a secret that was replaced still signs, in seconds. */
export const previousSecretSeconds = 24 * 3600

/** Secrets that were replaced and still sign; a further one would be dropped before its day is over. */
export const maxPreviousSecrets = 3

/** The least time between two tries by hand, in milliseconds. */
export const manualTrySpacingMs = 10_000

/** The errand of a webhook. */
export const outboxKeyOfWebhook = (id: string): string => `webhook/${id}`

const secondsOf = (environment: Environment): number => Math.floor(environment.now() / 1000)

/** As Standard Webhooks has them: base64 behind a prefix. */
const createWebhookSecret = (environment: Environment): string => {
  const base64 = environment.newSecret().replaceAll('-', '+').replaceAll('_', '/')
  return `whsec_${base64.padEnd(Math.ceil(base64.length / 4) * 4, '=')}`
}

/** What a webhook is kept under. */
export const keyOfWebhook = ({ clientId, event, targetUrl }: WebhookKey): string =>
  recordKeyOf(clientId, event, targetUrl)

const findByKey = async (draft: Draft, key: string): Promise<Webhook | undefined> =>
  (await draft.findRecord('webhook', recordGroup, key)) as Webhook | undefined

/** Keeps what is known of a webhook. */
export const putWebhook = (draft: Draft, webhook: Webhook): Promise<void> =>
  draft.putRecord('webhook', recordGroup, keyOfWebhook(webhook), webhook)

/** Forgets a webhook, and what was to be told to it. */
export const deleteWebhook = async (draft: Draft, webhook: Webhook): Promise<void> => {
  await draft.deleteRecord('webhook', recordGroup, keyOfWebhook(webhook))
  await draft.deleteOutboxEntry(outboxKeyOfWebhook(webhook.id))
}

/** Tries again at once what failed, and wakes a webhook that rests. What is tried keeps its id; its tries begin anew. */
export const retryWebhook = async (draft: Draft, webhook: Webhook, environment: Environment): Promise<void> => {
  const woken = dropFields(webhook, 'restingSince', 'notBefore') as Webhook
  const { sending } = woken
  await putWebhook(draft, sending === undefined ? woken : { ...woken, sending: { ...sending, tries: 0 } })
  if (woken.pausedAt === undefined) await scheduleDeliveryNow(draft, outboxKeyOfWebhook(woken.id), environment.now())
}

const keepPause = (kept: Webhook | undefined): Partial<Webhook> => {
  if (kept === undefined) return {}
  const { id, pausedAt, pausedBy } = kept
  return {
    id,
    ...(pausedAt === undefined ? {} : { pausedAt }),
    ...(pausedBy === undefined ? {} : { pausedBy }),
  }
}

/**
 * Registers a webhook and gives its secret, this once: undefined when the app has it already, which is woken then if it
 * rests, and told what it missed while the app was signed out.
 * @throws ApiError `parameterInvalid` when nothing may be sent to the address, or the user has `most` already
 */
export const registerWebhook = async (
  draft: Draft,
  key: WebhookKey,
  environment: Environment,
  guard: SubscriptionGuard,
  max: number = maxWebhooks,
): Promise<string | undefined> => {
  rejectFault('target_url', guard.findUrlFault(key.targetUrl))
  const known = await findByKey(draft, keyOfWebhook(key))
  if (known !== undefined && known.unregisteredAt === undefined) {
    if (known.restingSince !== undefined) await retryWebhook(draft, known, environment)
    else if (known.pausedAt === undefined) {
      await scheduleDelivery(draft, outboxKeyOfWebhook(known.id), environment.now(), known.notBefore)
    }
    return undefined
  }
  if (known === undefined && (await draft.listRecords('webhook', recordGroup)).size >= max) {
    const those = max === maxWebhooks ? 'a user may have' : 'this user may have (quota_hooks)'
    rejectFault('target_url', `is one more than the ${max} webhooks that ${those}; unregister another`)
  }
  const { targetUrl, event, clientId } = key
  const secret = createWebhookSecret(environment)
  await putWebhook(draft, {
    ...{ targetUrl, event, clientId, secret },
    registeredAt: secondsOf(environment),
    id: environment.newId(),
    told: draft.position(),
    ...keepPause(known),
  })
  return secret
}

/** Removes a webhook for its owner. What the operator paused leaves that behind, so that to register anew is no way around. */
export const removeWebhook = async (draft: Draft, webhook: Webhook, environment: Environment): Promise<void> => {
  await deleteWebhook(draft, webhook)
  if (webhook.pausedBy !== 'operator') return
  const kept = dropFields(webhook, 'sending', 'previousSecrets', 'testAskedAt') as Webhook
  await putWebhook(draft, { ...kept, unregisteredAt: webhook.unregisteredAt ?? secondsOf(environment) })
}

/** Removes a webhook of the app; one that was never registered is fine. */
export const unregisterWebhook = async (draft: Draft, key: WebhookKey, environment: Environment): Promise<void> => {
  const webhook = await findByKey(draft, keyOfWebhook(key))
  if (webhook !== undefined) await removeWebhook(draft, webhook, environment)
}

/** All webhooks of the user, and those that are kept because the operator paused them. */
export const listAllWebhooks = async (reader: RecordReader): Promise<Webhook[]> => [
  ...(await listKeyed<Webhook>(reader, 'webhook')).values(),
]

/** All webhooks of the user. */
export const listWebhooks = async (reader: RecordReader): Promise<Webhook[]> =>
  (await listAllWebhooks(reader)).filter(({ unregisteredAt }) => unregisteredAt === undefined)

/** The webhook with this id. */
export const findWebhook = async (reader: RecordReader, id: string): Promise<Webhook | undefined> =>
  (await listWebhooks(reader)).find((webhook) => webhook.id === id)

/** Sends nothing more until `resumeWebhook`. What happens meanwhile is told then. */
export const pauseWebhook = async (draft: Draft, webhook: Webhook, environment: Environment): Promise<void> => {
  await putWebhook(draft, { ...webhook, pausedAt: webhook.pausedAt ?? secondsOf(environment) })
  await draft.deleteOutboxEntry(outboxKeyOfWebhook(webhook.id))
}

/** The same for the operator: the owner cannot resume it. */
export const pauseByOperator = (draft: Draft, webhook: Webhook, environment: Environment): Promise<void> =>
  pauseWebhook(draft, { ...webhook, pausedBy: 'operator' }, environment)

/** Sends again, at once what was not told; forgets what is kept of one that was unregistered. */
export const resumeWebhook = (draft: Draft, webhook: Webhook, environment: Environment): Promise<void> =>
  webhook.unregisteredAt === undefined
    ? retryWebhook(draft, dropFields(webhook, 'pausedAt', 'pausedBy') as Webhook, environment)
    : deleteWebhook(draft, webhook)

/** In how many seconds its owner may have it tried by hand again; 0: now. */
export const findManualTryWait = ({ triedByHandAt }: Webhook, environment: Environment): number =>
  Math.max(0, Math.ceil(((triedByHandAt ?? Number.NEGATIVE_INFINITY) + manualTrySpacingMs - environment.now()) / 1000))

/** Asks for a test event, also to a webhook that rests or is paused. */
export const requestTestEvent = async (draft: Draft, webhook: Webhook, environment: Environment): Promise<void> => {
  await putWebhook(draft, { ...webhook, testAskedAt: secondsOf(environment) })
  await scheduleDeliveryNow(draft, outboxKeyOfWebhook(webhook.id), environment.now())
}

const listActivePreviousSecrets = ({ previousSecrets = [] }: Webhook, environment: Environment) =>
  previousSecrets.filter(({ until }) => until > secondsOf(environment))

/**
 * Makes a new secret and gives it, this once; for a day calls are signed with the old one too.
 * @throws ApiError `parameterInvalid` when three were replaced within a day
 */
export const replaceSecret = async (draft: Draft, webhook: Webhook, environment: Environment): Promise<string> => {
  const living = listActivePreviousSecrets(webhook, environment)
  if (living.length >= maxPreviousSecrets) {
    const often = `${maxPreviousSecrets} times within a day, and calls are signed with all of these`
    rejectFault('secret', `was replaced ${often}; wait until a day after the first`)
  }
  const secret = createWebhookSecret(environment)
  const replaced = { secret: webhook.secret, until: secondsOf(environment) + previousSecretSeconds }
  await putWebhook(draft, { ...webhook, secret, previousSecrets: [replaced, ...living] })
  return secret
}

/** The secrets that sign a call now, the newest first. */
export const listSecrets = (webhook: Webhook, environment: Environment): readonly string[] => [
  webhook.secret,
  ...listActivePreviousSecrets(webhook, environment).map(({ secret }) => secret),
]
