import { createReplica, type Replica } from './known-account.ts'
import type { TestDevice } from './open-test-server.ts'

type Fields = Readonly<Record<string, unknown>>

/** A client that works without the server and uploads what was done when it syncs, as interface 4.3 has it. */
export interface OfflineClient {
  readonly replica: Replica
  /** Creates a thing that has no `_id` until the next sync; `date` and `title` are always given. */
  readonly create: (fields: Fields) => void
  /** Changes one of the things that are known here, counted by `which`, if there is one. */
  readonly change: (which: number, fields: Fields) => void
  readonly remove: (which: number) => void
  readonly setTag: (name: string, change: Fields) => void
  /** Uploads and lists; with `isLost` the response is lost, and the next sync repeats the request. */
  readonly sync: (isLost?: boolean) => Promise<void>
}

/** What was done since the last response that arrived. */
const createOutbox = () => ({
  created: new Map<string, Fields>(),
  changed: new Map<string, Fields>(),
  deleted: new Set<string>(),
  tags: new Map<string, Fields>(),
})

/** A client that has never synchronised. */
export const createOfflineClient = (device: Pick<TestDevice, 'sync'>): OfflineClient => {
  const replica = createReplica()
  let outbox = createOutbox()
  let from = 0
  let lastLocalId = 0

  const pick = (which: number): string | undefined =>
    [...replica.things.keys()][which % Math.max(1, replica.things.size)]

  const change: OfflineClient['change'] = (which, fields) => {
    const _id = pick(which)
    const known = _id === undefined ? undefined : replica.things.get(_id)
    if (_id === undefined || known === undefined) return
    // A missing archived means false, so every upload says what it is.
    const { archived, title } = { ...known, ...fields } as Fields
    const upload = { ...outbox.changed.get(_id), ...fields, _id, title, ...(archived ? { archived } : {}) }
    outbox.changed.set(_id, upload)
    replica.things.set(_id, { ...known, ...fields })
  }

  const sync: OfflineClient['sync'] = async (isLost = false) => {
    const response = await device.sync({
      from,
      new_thing: [...outbox.created].map(([local_id, fields]) => ({ local_id, ...fields })),
      changed_thing: [...outbox.changed.values()],
      deleted_thing: [...outbox.deleted],
      tag: Object.fromEntries(outbox.tags),
    })
    if (isLost) return
    for (const [localId, fields] of outbox.created) {
      const _id = String(response.things?.new?.[localId])
      replica.things.set(_id, { _id, tags: '', ...fields })
    }
    replica.fold(response)
    from = Number(response.pos)
    outbox = createOutbox()
  }

  return {
    replica,
    create: (fields) => {
      outbox.created.set(`local ${++lastLocalId}`, fields)
    },
    change,
    remove: (which) => {
      const _id = pick(which)
      if (_id === undefined) return
      replica.things.delete(_id)
      outbox.changed.delete(_id)
      outbox.deleted.add(_id)
    },
    setTag: (name, settings) => {
      outbox.tags.set(name, { ...outbox.tags.get(name), ...settings })
    },
    sync,
  }
}
