import type { Handlers } from '../api/handlers.ts'
import type { Store } from '../store/store.ts'
import { registerWebhook, unregisterWebhook } from '../things/subscriptions.ts'
import type { World } from '../world.ts'

/** webhook/register and webhook/unregister (interface 4.1, 6; contract, the other operations). */
export const webhookOperations = (
  store: Store,
  world: World,
): Pick<Handlers, 'registerWebhook' | 'unregisterWebhook'> => ({
  registerWebhook: async ({ parameters: { target_url: targetUrl, event }, session }) => {
    const webhook = { targetUrl, event }
    const { secret } = await store.write(session.userId, session.id, (draft) => registerWebhook(draft, webhook, world))
    return { status: 200, body: { registered: true, secret } }
  },
  unregisterWebhook: async ({ parameters: { target_url: targetUrl, event }, session }) => {
    const webhook = { targetUrl, event }
    await store.write(session.userId, session.id, (draft) => unregisterWebhook(draft, webhook))
    return { status: 200, body: { unregistered: true } }
  },
})
