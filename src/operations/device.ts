import type { DeviceInfo } from '../../generated/types.ts'
import { findPushKey } from '../accounts/push-key.ts'
import type { AnswerOf, Handlers, ParametersOf } from '../api/handlers.ts'
import type { Session } from '../store/directory.ts'
import type { Store } from '../store/store.ts'
import { listDevices, type RegisteredDevice, registerDevice, unregisterDevice } from '../things/subscriptions.ts'
import type { World } from '../world.ts'

type DeviceOperation =
  | 'registerDevice'
  | 'registerDeviceAlias'
  | 'unregisterDevice'
  | 'unregisterDeviceAlias'
  | 'listDevices'
  | 'getDeviceKey'

/** The type of devices that this server tells something. */
const pushedType = 'webpush'

/** register/device and unregister/device, each under two names, device/list and device/key (interface 4.1; contract, delivery). */
export const deviceOperations = (store: Store, world: World): Pick<Handlers, DeviceOperation> => {
  const register = async (call: {
    parameters: ParametersOf<'registerDevice'>
    session: Session
  }): Promise<AnswerOf<'registerDevice'>> => {
    const { access_token: _, ...device } = call.parameters
    await store.write(call.session.userId, call.session.id, (draft) =>
      registerDevice(draft, { ...device, sessionId: call.session.id }, world),
    )
    return { status: 200, body: { registered: true, ...(device.type === pushedType ? {} : { delivered: false }) } }
  }
  const unregister = async (call: {
    parameters: ParametersOf<'unregisterDevice'>
    session: Session
  }): Promise<AnswerOf<'unregisterDevice'>> => {
    const { type, id } = call.parameters
    await store.write(call.session.userId, call.session.id, (draft) => unregisterDevice(draft, { type, id }))
    return { status: 200, body: { unregistered: true } }
  }
  return {
    registerDevice: register,
    registerDeviceAlias: register,
    unregisterDevice: unregister,
    unregisterDeviceAlias: unregister,
    listDevices: async ({ session }) => {
      const isInReach = await createIsInReach(store, session)
      const devices = await listDevices(await store.read(session.userId))
      const own = devices.filter(isInReach)
      const byAge = own.sort((one, other) => (other.registeredAt ?? 0) - (one.registeredAt ?? 0))
      return { status: 200, body: byAge.map((device) => showDevice(device, session)) }
    },
    getDeviceKey: async () => ({ status: 200, body: { key: (await findPushKey(store, world)).publicKey } }),
  }
}

/**
 * Which devices of the user a token may see: an app's those that its sessions registered, a personal one that may do
 * everything all. Of whom nobody knows who registered them, everybody may.
 */
const createIsInReach = async (store: Store, { userId, clientId, personal }: Session) => {
  const sessions = await store.directory.listSessions(userId)
  const clients = new Map(sessions.map((session) => [session.id, session.clientId]))
  return ({ sessionId = '' }: RegisteredDevice): boolean =>
    (personal !== undefined && !personal.isReadOnly) || (clients.get(sessionId) ?? clientId) === clientId
}

/** Never where it is, and no key. */
const showDevice = ({ type, id, registeredAt, sessionId }: RegisteredDevice, current: Session): DeviceInfo => ({
  type,
  id,
  current: sessionId === current.id,
  delivered: type === pushedType,
  ...(registeredAt !== undefined && { date: registeredAt }),
})
