import type { View } from '../store/store.ts'
import { hasNews } from './build-message.ts'
import { errandOfWebhook, type Webhook } from './webhooks.ts'

/** What the app of a webhook may do for its user; a webhook is told while its app lives (`accounts/app-access.ts`). */
export type HookAccess = 'living' | 'signedOut' | 'disabled' | 'gone'

/** Why nothing is sent, where the account and not the receiver is the cause; in the middle of a sentence. */
export const untoldReasons = {
  living: undefined,
  signedOut: 'the app is signed out',
  disabled: 'the user is disabled',
  gone: 'the app is gone',
} as const satisfies Readonly<Record<HookAccess, string | undefined>>

/** How it is going with a webhook. */
export interface WebhookState {
  /** `retrying` after a failure, `resting` after the last of its tries or without a living app, `paused` by a person. */
  readonly state: 'working' | 'retrying' | 'resting' | 'paused'
  /** There is something that its receiver was not told of. */
  readonly isWaiting: boolean
  /** When it is tried next, Unix time in seconds; only while it is `retrying`. */
  readonly nextTryAt?: number
  /** Why nothing is sent whatever the receiver answers; in the middle of a sentence. */
  readonly reason?: string
}

const nameState = ({ pausedAt, restingSince, sending }: Webhook, access: HookAccess): WebhookState['state'] => {
  if (pausedAt !== undefined) return 'paused'
  if (restingSince !== undefined || access !== 'living') return 'resting'
  return (sending?.tries ?? 0) > 0 ? 'retrying' : 'working'
}

/** Says how it is going with a webhook of the account, whose app may do this. */
export const describeState = async (view: View, webhook: Webhook, access: HookAccess): Promise<WebhookState> => {
  const { id, told, sending, event } = webhook
  const state = nameState(webhook, access)
  const untold = untoldReasons[access]
  const reason = untold === undefined ? {} : { reason: untold }
  const dueAt = (await view.listErrands()).get(errandOfWebhook(id))
  const mayWait = dueAt !== undefined || state !== 'working'
  const isWaiting = sending !== undefined || (mayWait && (await hasNews(view, { event, told })))
  const nextTryAt = state === 'retrying' && dueAt !== undefined ? { nextTryAt: Math.ceil(dueAt / 1000) } : {}
  return { state, isWaiting, ...nextTryAt, ...reason }
}
