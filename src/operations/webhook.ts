import type { Handlers } from '../api/handlers.ts'
import { registerWebhook, unregisterWebhook } from '../delivery/webhooks.ts'
import type { SubscriptionGuard } from '../outbound/subscription-guard.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'

/** webhook/register and webhook/unregister (interface 4.1, 6; contract, the other operations). */
export const webhookOperations = (
  store: Store,
  world: World,
  guard: SubscriptionGuard,
): Pick<Handlers, 'registerWebhook' | 'unregisterWebhook'> => ({
  registerWebhook: async ({ parameters: { target_url: targetUrl, event }, session }) => {
    const key = { targetUrl, event, clientId: session.clientId }
    const secret = await store.write(session.userId, session.id, (draft) => registerWebhook(draft, key, world, guard))
    return { status: 200, body: { registered: true, ...(secret === undefined ? {} : { secret }) } }
  },
  unregisterWebhook: async ({ parameters: { target_url: targetUrl, event }, session }) => {
    const key = { targetUrl, event, clientId: session.clientId }
    await store.write(session.userId, session.id, (draft) => unregisterWebhook(draft, key))
    return { status: 200, body: { unregistered: true } }
  },
})
