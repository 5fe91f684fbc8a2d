import type { WebhookInfo } from '../../generated/types.ts'
import type { Handlers } from '../api/handlers.ts'
import type { Store } from '../store/store.ts'
import { listWebhooks, registerWebhook, unregisterWebhook, type Webhook } from '../things/subscriptions.ts'
import type { World } from '../world.ts'

/** webhook/register, webhook/unregister and webhook/list (interface 4.1, 6; contract, the other operations). */
export const webhookOperations = (
  store: Store,
  world: World,
): Pick<Handlers, 'registerWebhook' | 'unregisterWebhook' | 'listWebhooks'> => ({
  registerWebhook: async ({ parameters: { target_url: targetUrl, event }, session }) => {
    const key = { targetUrl, event, clientId: session.clientId }
    const secret = await store.write(session.userId, session.id, (draft) => registerWebhook(draft, key, world))
    return { status: 200, body: { registered: true, ...(secret === undefined ? {} : { secret }) } }
  },
  unregisterWebhook: async ({ parameters: { target_url: targetUrl, event }, session }) => {
    const key = { targetUrl, event, clientId: session.clientId }
    await store.write(session.userId, session.id, (draft) => unregisterWebhook(draft, key))
    return { status: 200, body: { unregistered: true } }
  },
  listWebhooks: async ({ session: { userId, clientId } }) => {
    const hooks = await listWebhooks(await store.read(userId))
    const own = hooks.filter((hook) => hook.clientId === clientId)
    const byAge = own.sort((one, other) => (one.registeredAt ?? 0) - (other.registeredAt ?? 0))
    return { status: 200, body: byAge.map(showWebhook) }
  },
})

/** Never its secret. */
const showWebhook = ({ targetUrl, event, registeredAt }: Webhook): WebhookInfo => ({
  target_url: targetUrl,
  event,
  state: 'working',
  waiting: false,
  ...(registeredAt !== undefined && { date: registeredAt }),
})
