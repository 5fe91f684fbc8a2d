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

/** The events of a webhook (interface 6; contract, the other operations). */
export type WebhookEvent = 'new_thing' | 'changed_thing' | 'deleted_thing' | 'tag' | 'any'

/** Identifies a webhook: a URL and an event, for one app (interface 6). */
export type WebhookKey = {
  readonly targetUrl: string
  readonly event: WebhookEvent
  readonly clientId: string
}

/** A message that is not delivered yet. Each attempt sends the same bytes under the same id. */
export type Sending = {
  /** `webhook-id`. */
  readonly id: string
  /** The position up to which the receiver knows all changes after this message. */
  readonly to: number
  readonly body: string
  /** Failed attempts. */
  readonly tries: number
  /** Unix time in seconds. */
  readonly firstTriedAt: number
}

/**
 * A registered webhook with its progress: a position, not a queue of messages. It is a type and no interface, so that
 * it is assignable to Json. Times in Unix seconds.
 */
export type Webhook = WebhookKey & {
  /** Signs the messages. Known to the server and to the app that registered the webhook. */
  readonly secret: string
  /** The replaced secrets, the newest first. Each signs the messages too, until its time `until`. */
  readonly previousSecrets?: readonly { readonly secret: string; readonly until: number }[]
  readonly registeredAt: number
  /** Identifies the webhook in outbox entries and commands. */
  readonly id: string
  /** The position up to which the receiver knows all changes. */
  readonly told: number
  readonly sending?: Sending
  /** Unix time in milliseconds before which no message is sent: about one message per second. */
  readonly notBefore?: number
  readonly lastSuccessAt?: number
  readonly lastFailure?: Failure
  /** When the server suspended it, after its last retry failed. */
  readonly restingSince?: number
  /** When its user or the administrator paused it. */
  readonly pausedAt?: number
  /** Absent if its user paused it. Only the administrator can resume a webhook that the administrator paused. */
  readonly pausedBy?: 'administrator'
  /**
   * When it was unregistered while paused by the administrator. It is kept, so that a new registration is paused too.
   */
  readonly unregisteredAt?: number
  /** When its user last requested a manual retry, Unix time in milliseconds. */
  readonly triedByHandAt?: number
  /** When its user requested a test event that was not sent yet. */
  readonly testAskedAt?: number
}

/** Maximum of webhooks of a user, unless a quota allows fewer (contract, delivery). */
export const maxWebhooks = 20

/** Returns the maximum of webhooks of a user with this quota. Null means that the user has no quota. */
export const findMaxWebhooks = (quota: number | null): number => Math.min(quota ?? maxWebhooks, maxWebhooks)

/** How long a replaced secret still signs, in seconds. */
export const previousSecretSeconds = 24 * 3600

/** Maximum of replaced secrets that still sign. Another replacement would drop one before its day is over. */
export const maxPreviousSecrets = 3

/** The minimum time between two manual retries, in milliseconds. */
export const manualRetrySpacingMs = 10_000

/** Returns the key of the outbox entry of a webhook. */
export const outboxKeyOfWebhook = (id: string): string => `webhook/${id}`

const secondsOf = (environment: Environment): number => Math.floor(environment.now() / 1000)

/** Creates a secret in the format of Standard Webhooks: base64 after a prefix. */
const createWebhookSecret = (environment: Environment): string => {
  const base64 = environment.newSecret().replaceAll('-', '+').replaceAll('_', '/')
  return `whsec_${base64.padEnd(Math.ceil(base64.length / 4) * 4, '=')}`
}

/** Returns the record key of a webhook. */
export const keyOfWebhook = ({ clientId, event, targetUrl }: WebhookKey): string =>
  recordKeyOf(clientId, event, targetUrl)

const findByKey = async (draft: Draft, key: string): Promise<Webhook | undefined> =>
  (await draft.findRecord('webhook', recordGroup, key)) as Webhook | undefined

/** Stores a webhook. */
export const putWebhook = (draft: Draft, webhook: Webhook): Promise<void> =>
  draft.putRecord('webhook', recordGroup, keyOfWebhook(webhook), webhook)

/** Deletes a webhook and its outbox entry. */
export const deleteWebhook = async (draft: Draft, webhook: Webhook): Promise<void> => {
  await draft.deleteRecord('webhook', recordGroup, keyOfWebhook(webhook))
  await draft.deleteOutboxEntry(outboxKeyOfWebhook(webhook.id))
}

/** Retries a failed message at once and ends a suspension. The message keeps its id, and its retries start again. */
export const retryWebhook = async (draft: Draft, webhook: Webhook, environment: Environment): Promise<void> => {
  const active = dropFields(webhook, 'restingSince', 'notBefore') as Webhook
  const { sending } = active
  await putWebhook(draft, sending === undefined ? active : { ...active, sending: { ...sending, tries: 0 } })
  if (active.pausedAt === undefined) await scheduleDeliveryNow(draft, outboxKeyOfWebhook(active.id), environment.now())
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
 * Registers a webhook and returns its secret, which is never returned again. If the app has registered it already, it
 * returns undefined, ends a suspension, and schedules what the webhook missed while the app was signed out.
 * @throws ApiError `parameterInvalid` if the server may not send to the URL, or the user has `max` webhooks already
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
    const allowed = max === maxWebhooks ? 'a user may have' : 'this user may have (quota_hooks)'
    rejectFault('target_url', `is one more than the ${max} webhooks that ${allowed}; unregister another`)
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

/**
 * Removes a webhook for its user. A pause by the administrator is kept, so that a new registration does not bypass it.
 */
export const removeWebhook = async (draft: Draft, webhook: Webhook, environment: Environment): Promise<void> => {
  await deleteWebhook(draft, webhook)
  if (webhook.pausedBy !== 'administrator') return
  const kept = dropFields(webhook, 'sending', 'previousSecrets', 'testAskedAt') as Webhook
  await putWebhook(draft, { ...kept, unregisteredAt: webhook.unregisteredAt ?? secondsOf(environment) })
}

/** Removes a webhook of the app. Does nothing if it is not registered. */
export const unregisterWebhook = async (draft: Draft, key: WebhookKey, environment: Environment): Promise<void> => {
  const webhook = await findByKey(draft, keyOfWebhook(key))
  if (webhook !== undefined) await removeWebhook(draft, webhook, environment)
}

/** Lists all webhooks of the user, including unregistered ones that are kept because the administrator paused them. */
export const listAllWebhooks = async (reader: RecordReader): Promise<Webhook[]> => [
  ...(await listKeyed<Webhook>(reader, 'webhook')).values(),
]

/** Lists all webhooks of the user. */
export const listWebhooks = async (reader: RecordReader): Promise<Webhook[]> =>
  (await listAllWebhooks(reader)).filter(({ unregisteredAt }) => unregisteredAt === undefined)

/** Finds the webhook with this id. */
export const findWebhook = async (reader: RecordReader, id: string): Promise<Webhook | undefined> =>
  (await listWebhooks(reader)).find((webhook) => webhook.id === id)

/** Pauses a webhook until `resumeWebhook`. The changes during the pause are delivered then. */
export const pauseWebhook = async (draft: Draft, webhook: Webhook, environment: Environment): Promise<void> => {
  await putWebhook(draft, { ...webhook, pausedAt: webhook.pausedAt ?? secondsOf(environment) })
  await draft.deleteOutboxEntry(outboxKeyOfWebhook(webhook.id))
}

/** Pauses a webhook for the administrator. Its user cannot resume it. */
export const pauseByAdministrator = (draft: Draft, webhook: Webhook, environment: Environment): Promise<void> =>
  pauseWebhook(draft, { ...webhook, pausedBy: 'administrator' }, environment)

/** Resumes a webhook and delivers the missed changes at once. Deletes a webhook that was unregistered meanwhile. */
export const resumeWebhook = (draft: Draft, webhook: Webhook, environment: Environment): Promise<void> =>
  webhook.unregisteredAt === undefined
    ? retryWebhook(draft, dropFields(webhook, 'pausedAt', 'pausedBy') as Webhook, environment)
    : deleteWebhook(draft, webhook)

/** Returns in how many seconds its user may request the next manual retry; 0 means now. */
export const findManualRetryWait = ({ triedByHandAt }: Webhook, environment: Environment): number =>
  Math.max(
    0,
    Math.ceil(((triedByHandAt ?? Number.NEGATIVE_INFINITY) + manualRetrySpacingMs - environment.now()) / 1000),
  )

/** Requests a test event, also for a suspended or paused webhook. */
export const requestTestEvent = async (draft: Draft, webhook: Webhook, environment: Environment): Promise<void> => {
  await putWebhook(draft, { ...webhook, testAskedAt: secondsOf(environment) })
  await scheduleDeliveryNow(draft, outboxKeyOfWebhook(webhook.id), environment.now())
}

const listActivePreviousSecrets = ({ previousSecrets = [] }: Webhook, environment: Environment) =>
  previousSecrets.filter(({ until }) => until > secondsOf(environment))

/**
 * Creates a new secret and returns it, which is never returned again. For a day the previous secret signs too.
 * @throws ApiError `parameterInvalid` if `maxPreviousSecrets` were replaced within a day
 */
export const replaceSecret = async (draft: Draft, webhook: Webhook, environment: Environment): Promise<string> => {
  const active = listActivePreviousSecrets(webhook, environment)
  if (active.length >= maxPreviousSecrets) {
    const limit = `${maxPreviousSecrets} times within a day, and all of these secrets still sign messages`
    rejectFault('secret', `was replaced ${limit}; wait until a day after the first replacement`)
  }
  const secret = createWebhookSecret(environment)
  const replaced = { secret: webhook.secret, until: secondsOf(environment) + previousSecretSeconds }
  await putWebhook(draft, { ...webhook, secret, previousSecrets: [replaced, ...active] })
  return secret
}

/** Lists the secrets that sign a message now, the newest first. */
export const listSecrets = (webhook: Webhook, environment: Environment): readonly string[] => [
  webhook.secret,
  ...listActivePreviousSecrets(webhook, environment).map(({ secret }) => secret),
]
