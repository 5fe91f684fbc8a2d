import type { DeliveryFailure, DeviceInfo, WebhookInfo } from '../../generated/types.ts'
import { findAppAccess } from '../accounts/apps.ts'
import { findQuota, type QuotaForAll } from '../accounts/quotas.ts'
import { listSessions } from '../accounts/session-management.ts'
import type { Handlers, ParametersOf, ResponseOf } from '../api/handlers.ts'
import {
  isOfSession,
  isPushed,
  listDevices,
  type RegisteredDevice,
  registerDevice,
  unregisterDevice,
} from '../delivery/devices.ts'
import type { SubscriptionGuard } from '../delivery/subscriptions.ts'
import { describeWebhookState, type WebhookState } from '../delivery/webhook-message.ts'
import {
  deleteWebhook,
  findMaxWebhooks,
  listWebhooks,
  registerWebhook,
  unregisterWebhook,
  type Webhook,
} from '../delivery/webhooks.ts'
import type { Environment } from '../environment.ts'
import type { Session } from '../store/registry/registry.ts'
import type { Draft, Store } from '../store/store.ts'

/**
 * Creates the operations webhook/register, webhook/unregister and webhook/list (interface 4.1, 6; contract, the other
 * operations).
 */
export const webhookOperations = (
  store: Store,
  environment: Environment,
  guard: SubscriptionGuard,
  quotas: QuotaForAll,
): Pick<Handlers, 'registerWebhook' | 'unregisterWebhook' | 'listWebhooks'> => ({
  registerWebhook: async ({ parameters: { target_url: targetUrl, event }, session }) => {
    const key = { targetUrl, event, clientId: session.clientId }
    const secret = await store.write(session.userId, session.id, async (draft) => {
      await deleteWebhooksOfRemovedApps(store, draft, session.userId, environment)
      const { hooks } = findQuota(await store.registry.findUser(session.userId), quotas)
      return registerWebhook(draft, key, environment, guard, findMaxWebhooks(hooks))
    })
    return { status: 200, body: { registered: true, ...(secret === undefined ? {} : { secret }) } }
  },
  unregisterWebhook: async ({ parameters: { target_url: targetUrl, event }, session }) => {
    const key = { targetUrl, event, clientId: session.clientId }
    await store.write(session.userId, session.id, (draft) => unregisterWebhook(draft, key, environment))
    return { status: 200, body: { unregistered: true } }
  },
  listWebhooks: async ({ session: { userId, clientId } }) => {
    const view = await store.read(userId)
    const own = (await listWebhooks(view)).filter((webhook) => webhook.clientId === clientId)
    const byAge = own.sort((one, other) => (one.registeredAt ?? 0) - (other.registeredAt ?? 0))
    const shown = byAge.map(async (webhook) =>
      showWebhook(webhook, await describeWebhookState(view, webhook, 'active')),
    )
    return { status: 200, body: await Promise.all(shown) }
  },
})

/**
 * Deletes webhooks of removed apps. The next change would delete them; until then they are hidden and must not count.
 */
const deleteWebhooksOfRemovedApps = async (
  store: Store,
  draft: Draft,
  userId: string,
  environment: Environment,
): Promise<void> => {
  for (const webhook of await listWebhooks(draft)) {
    if ((await findAppAccess(store, userId, webhook.clientId, environment)) === 'revoked')
      await deleteWebhook(draft, webhook)
  }
}

/** Renders a webhook without its secret. */
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

type DeviceOperation =
  | 'registerDevice'
  | 'registerDeviceAlias'
  | 'unregisterDevice'
  | 'unregisterDeviceAlias'
  | 'listDevices'
  | 'getDeviceKey'

/**
 * Creates the operations register/device and unregister/device, each under two names, device/list and device/key
 * (interface 4.1; contract, delivery).
 */
export const deviceOperations = (
  store: Store,
  environment: Environment,
  guard: SubscriptionGuard,
): Pick<Handlers, DeviceOperation> => {
  const register = async (call: {
    parameters: ParametersOf<'registerDevice'>
    session: Session
  }): Promise<ResponseOf<'registerDevice'>> => {
    const { access_token: _, ...device } = call.parameters
    await store.write(call.session.userId, call.session.id, (draft) =>
      registerDevice(
        draft,
        { ...device, sessionId: call.session.id, clientId: call.session.clientId },
        environment,
        guard,
      ),
    )
    return { status: 200, body: { registered: true, ...(isPushed(device) ? {} : { delivered: false }) } }
  }
  const unregister = async (call: {
    parameters: ParametersOf<'unregisterDevice'>
    session: Session
  }): Promise<ResponseOf<'unregisterDevice'>> => {
    const { type, id } = call.parameters
    await store.write(call.session.userId, call.session.id, (draft) =>
      unregisterDevice(draft, { type, id, clientId: call.session.clientId }),
    )
    return { status: 200, body: { unregistered: true } }
  }
  return {
    registerDevice: register,
    registerDeviceAlias: register,
    unregisterDevice: unregister,
    unregisterDeviceAlias: unregister,
    listDevices: async ({ session }) => {
      const own = await listVisibleDevices(store, session, environment)
      const byAge = own.sort((one, other) => (other.registeredAt ?? 0) - (one.registeredAt ?? 0))
      return { status: 200, body: byAge.map((device) => showDevice(device, session)) }
    },
    getDeviceKey: async () => {
      const { findPushKeys } = await import('../delivery/deliver-push.ts')
      return { status: 200, body: { key: (await findPushKeys(store, environment)).publicKey } }
    },
  }
}

/**
 * Lists the devices of the user that a token may see: an app's token the devices that sessions of its app registered, a
 * personal token that may write all devices. All tokens may see devices without a known session. Devices of ended
 * sessions are left out.
 */
const listVisibleDevices = async (store: Store, { userId, clientId, personal }: Session, environment: Environment) => {
  const sessions = await listSessions(store, userId, environment)
  const isOfApp = ({ id, clientId: client = id }: (typeof sessions)[number]) => client === clientId
  const visible = personal !== undefined && !personal.isReadOnly ? sessions : sessions.filter(isOfApp)
  const devices = await listDevices(await store.read(userId))
  return devices.filter(isOfSession(new Set(visible.map(({ id }) => id))))
}

/** Renders a device without its address and keys. */
const showDevice = (device: RegisteredDevice, current: Session): DeviceInfo => {
  const { type, id, registeredAt, sessionId, lastSuccessAt, lastFailure } = device
  return {
    type,
    id,
    current: sessionId === current.id,
    delivered: isPushed(device),
    ...(registeredAt !== undefined && { date: registeredAt }),
    ...(lastSuccessAt !== undefined && { last_success: lastSuccessAt }),
    ...(lastFailure !== undefined && { last_failure: showFailure(lastFailure) }),
  }
}

/** Renders the last failure of a webhook or a device for its app. */
const showFailure = ({ at, reason }: NonNullable<Webhook['lastFailure']>): DeliveryFailure => ({
  date: at,
  reason,
})
