import type { AnswerOf, Handlers, ParametersOf } from '../api/handlers.ts'
import { registerDevice, unregisterDevice } from '../delivery/devices.ts'
import type { SubscriptionGuard } from '../outbound/subscription-guard.ts'
import type { Session } from '../store/directory.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'

type DeviceOperation = 'registerDevice' | 'registerDeviceAlias' | 'unregisterDevice' | 'unregisterDeviceAlias'

/** register/device and unregister/device, each under two names (interface 4.1; contract, the other operations). */
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
      registerDevice(draft, { ...device, sessionId: call.session.id }, world, guard),
    )
    return { status: 200, body: { registered: true } }
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
  }
}
