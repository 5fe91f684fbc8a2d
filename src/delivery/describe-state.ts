import type { View } from '../store/store.ts'
import { hasNews } from './build-message.ts'
import { errandOfWebhook, type Webhook } from './webhooks.ts'

/** How it is going with a webhook. */
export interface WebhookState {
  /** `retrying` after a failure, `resting` after the last of its tries, `paused` by its owner. */
  readonly state: 'working' | 'retrying' | 'resting' | 'paused'
  /** There is something that its receiver was not told of. */
  readonly isWaiting: boolean
  /** When it is tried next, Unix time in seconds; only while it is `retrying`. */
  readonly nextTryAt?: number
}

const nameState = ({ pausedAt, restingSince, sending }: Webhook): WebhookState['state'] => {
  if (pausedAt !== undefined) return 'paused'
  if (restingSince !== undefined) return 'resting'
  return (sending?.tries ?? 0) > 0 ? 'retrying' : 'working'
}

/** Says how it is going with a webhook of the account. */
export const describeState = async (view: View, webhook: Webhook): Promise<WebhookState> => {
  const { id, told, sending, event } = webhook
  const state = nameState(webhook)
  // One of an earlier version has been told nothing, and nothing happened since.
  if (id === undefined || told === undefined) return { state, isWaiting: false }
  const dueAt = (await view.listErrands()).get(errandOfWebhook(id))
  const mayWait = dueAt !== undefined || state !== 'working'
  const isWaiting = sending !== undefined || (mayWait && (await hasNews(view, { event, told })))
  const nextTryAt = state === 'retrying' && dueAt !== undefined ? { nextTryAt: Math.ceil(dueAt / 1000) } : {}
  return { state, isWaiting, ...nextTryAt }
}
