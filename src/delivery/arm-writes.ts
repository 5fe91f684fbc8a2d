import type { ChangeKind, Draft, Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { isAbout } from './build-message.ts'
import { errandOfDevice, isPushed, type RegisteredDevice } from './devices.ts'
import { arm, listKeyed } from './records.ts'
import { errandOfWebhook, type Webhook } from './webhooks.ts'

interface Write {
  readonly kinds: ReadonlySet<ChangeKind>
  /** The session that writes. */
  readonly writer: string
  readonly world: World
}

/** An errand that is there already tells this as well: who tells looks at the position when it has told. */
const armWebhooks = async (draft: Draft, { kinds, world }: Write): Promise<void> => {
  const webhooks = await listKeyed<Webhook>(draft, 'webhook')
  if (webhooks.size === 0) return
  const errands = await draft.listErrands()
  for (const webhook of webhooks.values()) {
    const { id, event, pausedAt, restingSince, unregisteredAt, notBefore = 0 } = webhook
    // Most writes end here: the one before has armed it.
    if (errands.has(errandOfWebhook(id))) continue
    if (unregisteredAt !== undefined || !isAbout(event, kinds)) continue
    if (pausedAt !== undefined || restingSince !== undefined) continue
    await draft.putErrand(errandOfWebhook(id), Math.max(world.now(), notBefore))
  }
}

const armDevices = async (draft: Draft, { writer, world }: Write): Promise<void> => {
  for (const device of (await listKeyed<RegisteredDevice>(draft, 'device')).values()) {
    if (!isPushed(device) || device.sessionId === writer) continue
    await arm(draft, errandOfDevice(device.key), world.now(), device.notBefore)
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
        const result = await work(draft)
        const kinds = draft.kinds()
        if (kinds.size === 0) return result
        await armWebhooks(draft, { kinds, writer, world })
        await armDevices(draft, { kinds, writer, world })
        return result
      },
      haste,
    ),
})
