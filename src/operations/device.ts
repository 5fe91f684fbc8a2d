import type { DeviceInfo } from '../../generated/types.ts'
import { findPushKey } from '../accounts/push-key.ts'
import { listSessions } from '../accounts/sessions.ts'
import type { AnswerOf, Handlers, ParametersOf } from '../api/handlers.ts'
import {
  isOfSession,
  isPushed,
  listDevices,
  type RegisteredDevice,
  registerDevice,
  unregisterDevice,
} from '../delivery/devices.ts'
import type { SubscriptionGuard } from '../outbound/subscription-guard.ts'
import type { Session } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { showFailure } from './show-failure.ts'

type DeviceOperation =
  | 'registerDevice'
  | 'registerDeviceAlias'
  | 'unregisterDevice'
  | 'unregisterDeviceAlias'
  | 'listDevices'
  | 'getDeviceKey'

/**
 * register/device and unregister/device, each under two names, device/list and device/key (interface 4.1; contract,
 * delivery).
 */
export const deviceOperations = (
  store: Store,
  world: World,
  guard: SubscriptionGuard,
): Pick<Handlers, DeviceOperation> => {
  const register = async (call: {
    parameters: ParametersOf<'registerDevice'>
    session: Session
  }): Promise<AnswerOf<'registerDevice'>> => {
    const { access_token: _, ...device } = call.parameters
    await store.write(call.session.userId, call.session.id, (draft) =>
      registerDevice(draft, { ...device, sessionId: call.session.id, clientId: call.session.clientId }, world, guard),
    )
    return { status: 200, body: { registered: true, ...(isPushed(device) ? {} : { delivered: false }) } }
  }
  const unregister = async (call: {
    parameters: ParametersOf<'unregisterDevice'>
    session: Session
  }): Promise<AnswerOf<'unregisterDevice'>> => {
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
      const own = await listInReach(store, session, world)
      const byAge = own.sort((one, other) => (other.registeredAt ?? 0) - (one.registeredAt ?? 0))
      return { status: 200, body: byAge.map((device) => showDevice(device, session)) }
    },
    getDeviceKey: async () => ({ status: 200, body: { key: (await findPushKey(store, world)).publicKey } }),
  }
}

/**
 * Which devices of the user a token may see: an app's those that its sessions registered, a personal one that may do
 * everything all. Of whom nobody knows who registered them, everybody may. Those whose session has ended are gone.
 */
const listInReach = async (store: Store, { userId, clientId, personal }: Session, world: World) => {
  const sessions = await listSessions(store, userId, world)
  const isOfApp = ({ id, clientId: client = id }: (typeof sessions)[number]) => client === clientId
  const inReach = personal !== undefined && !personal.isReadOnly ? sessions : sessions.filter(isOfApp)
  const devices = await listDevices(await store.read(userId))
  return devices.filter(isOfSession(new Set(inReach.map(({ id }) => id))))
}

/** Never where it is, and no key. */
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
