import type { WebhookInfo } from '../../generated/types.ts'
import { findAppAccess } from '../accounts/app-access.ts'
import { findQuota, type QuotaForAll } from '../accounts/quotas.ts'
import type { Handlers } from '../api/handlers.ts'
import { describeState, type WebhookState } from '../delivery/describe-state.ts'
import {
  deleteWebhook,
  limitWebhooks,
  listWebhooks,
  registerWebhook,
  unregisterWebhook,
  type Webhook,
} from '../delivery/webhooks.ts'
import type { SubscriptionGuard } from '../outbound/subscription-guard.ts'
import type { Draft, Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { showFailure } from './show-failure.ts'

/** webhook/register, webhook/unregister and webhook/list (interface 4.1, 6; contract, the other operations). */
export const webhookOperations = (
  store: Store,
  world: World,
  guard: SubscriptionGuard,
  quotas: QuotaForAll,
): Pick<Handlers, 'registerWebhook' | 'unregisterWebhook' | 'listWebhooks'> => ({
  registerWebhook: async ({ parameters: { target_url: targetUrl, event }, session }) => {
    const key = { targetUrl, event, clientId: session.clientId }
    const secret = await store.write(session.userId, session.id, async (draft) => {
      await dropWebhooksOfGoneApps(store, draft, session.userId, world)
      const { hooks } = findQuota(await store.registry.findUser(session.userId), quotas)
      return registerWebhook(draft, key, world, guard, limitWebhooks(hooks))
    })
    return { status: 200, body: { registered: true, ...(secret === undefined ? {} : { secret }) } }
  },
  unregisterWebhook: async ({ parameters: { target_url: targetUrl, event }, session }) => {
    const key = { targetUrl, event, clientId: session.clientId }
    await store.write(session.userId, session.id, (draft) => unregisterWebhook(draft, key, world))
    return { status: 200, body: { unregistered: true } }
  },
  listWebhooks: async ({ session: { userId, clientId } }) => {
    const view = await store.read(userId)
    const own = (await listWebhooks(view)).filter((webhook) => webhook.clientId === clientId)
    const byAge = own.sort((one, other) => (one.registeredAt ?? 0) - (other.registeredAt ?? 0))
    const shown = byAge.map(async (webhook) => showWebhook(webhook, await describeState(view, webhook, 'living')))
    return { status: 200, body: await Promise.all(shown) }
  },
})

/** They are hidden until the next change finds them gone, and must not count until then. */
const dropWebhooksOfGoneApps = async (store: Store, draft: Draft, userId: string, world: World): Promise<void> => {
  for (const webhook of await listWebhooks(draft)) {
    if ((await findAppAccess(store, userId, webhook.clientId, world)) === 'gone') await deleteWebhook(draft, webhook)
  }
}

/** Never its secret. */
const showWebhook = (webhook: Webhook, { state, isWaiting, nextTryAt }: WebhookState): WebhookInfo => {
  const { targetUrl, event, registeredAt, lastSuccessAt, lastFailure } = webhook
  return {
    target_url: targetUrl,
    event,
    state,
    waiting: isWaiting,
    ...(registeredAt !== undefined && { date: registeredAt }),
    ...(lastSuccessAt !== undefined && { last_success: lastSuccessAt }),
    ...(lastFailure !== undefined && { last_failure: showFailure(lastFailure) }),
    ...(nextTryAt !== undefined && { next_try: nextTryAt }),
  }
}
