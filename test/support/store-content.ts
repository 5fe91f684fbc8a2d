import { putDevice } from '../../src/delivery/devices.ts'
import { putWebhook } from '../../src/delivery/webhooks.ts'
import type { StoreItem } from '../../src/store/record/backup-format.ts'
import { passRegistryItem } from '../../src/store/record/backup-format.ts'
import { registryIds, registryKinds } from '../../src/store/registry/registry-state.ts'
import type { Store } from '../../src/store/store.ts'
import type { StoreContent } from './any-item.ts'

/** The writer of all that `writeContent` writes. */
export const contentWriter = 'writer'

/** Puts everything into an empty store. */
export const writeContent = async (store: Store, content: StoreContent): Promise<void> => {
  const { registry, things, tags, webhooks, devices } = content
  await store.registry.change(async (draft) => {
    for (const kind of registryKinds) for (const item of registry[kind]) await draft.put(kind, item)
  })
  await store.write(registry.users[0]?.id ?? '', contentWriter, async (draft) => {
    for (const [name, settings] of tags) await draft.putTag(name, settings)
    for (const thing of things) await draft.putThing(thing)
    for (const webhook of webhooks) await putWebhook(draft, webhook)
    for (const device of devices) await putDevice(draft, device)
  })
}

/** Everything by a name of its own, so that two stores can be compared whatever their orders. */
export type ComparedContent = Readonly<Record<string, unknown>>

/** What `readContent` finds once `writeContent` has written this. */
export const toCompared = (content: StoreContent): ComparedContent => {
  const { registry, things, tags, webhooks, devices } = content
  return Object.fromEntries([
    ...registryKinds.flatMap((kind) =>
      registry[kind].map((item) => [`${kind} ${registryIds[kind](item as never)}`, item] as const),
    ),
    ...things.map((thing) => [`thing ${thing.id}`, { ...thing, writer: contentWriter }] as const),
    ...[...tags].map(([name, settings]) => [`tag ${name}`, settings] as const),
    ...webhooks.map((webhook) => [`webhook ${webhook.id}`, webhook] as const),
    ...devices.map((device) => [`device ${device.key}`, device] as const),
  ])
}

const nameItem = (item: StoreItem): readonly [string, unknown] | undefined => {
  const named = passRegistryItem(item, (kind, value) => [`${kind} ${registryIds[kind](value)}`, value] as const)
  if (named !== undefined) return named
  if ('thing' in item) {
    // A restore and a repair raise positions.
    const { position: _, createdPosition: __, othersPosition: ___, ...thing } = item.thing
    return [`thing ${thing.id}`, thing]
  }
  if ('tag' in item) return [`tag ${item.tag.name}`, item.tag.settings]
  if (!('record' in item)) return undefined
  const { kind, key, value } = item.record
  if (kind === 'webhook') return [`webhook ${(value as { id: string }).id}`, value]
  if (kind === 'device') return [`device ${(value as { key: string }).key}`, value]
  return [`${kind} ${key}`, value]
}

/** All that a store holds, without positions. */
export const readContent = async (store: Store): Promise<ComparedContent> => {
  const named: (readonly [string, unknown])[] = []
  for await (const item of store.listItems()) named.push(...[nameItem(item)].flatMap((one) => (one ? [one] : [])))
  return Object.fromEntries(named)
}
