import type { ChangeKind, Draft, Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { isAbout } from './build-message.ts'
import { errandOfDevice, isPushed, putDevice, type RegisteredDevice } from './devices.ts'
import { arm, listKeyed } from './records.ts'
import { errandOfWebhook, makeTellable, putWebhook, type Webhook } from './webhooks.ts'

interface Write {
  readonly kinds: ReadonlySet<ChangeKind>
  /** Before the write. */
  readonly position: number
  /** The session that writes. */
  readonly writer: string
  readonly world: World
}

const isTellable = ({ id, told }: Webhook): boolean => id !== undefined && told !== undefined

/** An errand that is there already tells this as well: who tells looks at the position when it has told. */
const armWebhooks = async (draft: Draft, { kinds, position, world }: Write): Promise<void> => {
  const webhooks = await listKeyed<Webhook>(draft, 'webhook')
  if (webhooks.size === 0) return
  const errands = await draft.listErrands()
  for (const webhook of webhooks.values()) {
    const { id, event, pausedAt, restingSince, unregisteredAt, notBefore = 0 } = webhook
    // Most writes end here: the one before has armed it.
    if (id !== undefined && errands.has(errandOfWebhook(id))) continue
    if (unregisteredAt !== undefined || !isAbout(event, kinds)) continue
    const tellable = makeTellable(webhook, position, world)
    if (!isTellable(webhook)) await putWebhook(draft, tellable)
    if (pausedAt !== undefined || restingSince !== undefined) continue
    await draft.putErrand(errandOfWebhook(tellable.id), Math.max(world.now(), notBefore))
  }
}

const armDevices = async (draft: Draft, { writer, world }: Write): Promise<void> => {
  for (const device of (await listKeyed<RegisteredDevice>(draft, 'device')).values()) {
    if (!isPushed(device) || device.sessionId === writer) continue
    const key = device.key ?? world.newId()
    if (device.key === undefined) await putDevice(draft, { ...device, key })
    await arm(draft, errandOfDevice(key), world.now(), device.notBefore)
  }
}

/**
 * A store whose writes hand over what has to be told of them, in the same durable step: errands for the webhooks that are
 * to be called for what the write did, and for the devices of other sessions. Whatever changes things or tags writes to
 * such a store, so that nothing can forget it.
 */
export const armWrites = (store: Store, world: World): Store => ({
  ...store,
  write: (userId, writer, work, haste) =>
    store.write(
      userId,
      writer,
      async (draft) => {
        const position = draft.position()
        const result = await work(draft)
        const kinds = draft.kinds()
        if (kinds.size === 0) return result
        await armWebhooks(draft, { kinds, position, writer, world })
        await armDevices(draft, { kinds, position, writer, world })
        return result
      },
      haste,
    ),
})
