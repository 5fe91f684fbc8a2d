import type { RunningWorld } from './behaviour.ts'
import { announce } from './delivery.ts'
import { plainTag } from './right-listings.ts'
import type { Upload } from './right-uploads.ts'
import type { ThingFields } from './thing-fields.ts'
import { type Account, createThing, type Json, type Session, type Thing } from './world.ts'

/** What an upload did: what its own answer does not repeat, and what it must say. */
export interface Written {
  /** Ids that need no listing: this request changed them, and no other session did after `from`. */
  readonly own: Set<Json>
  readonly ownTags: Set<string>
  /** Those of them that another session set after `from`. */
  readonly sharedTags: Set<string>
  readonly newIds: Map<Json, Json>
  /** Ids of changes whose things are gone. */
  readonly gone: Set<string>
}

/** Puts a thing into an account; fields that are not given are empty. */
export function addThing(
  account: Account,
  session: Session,
  id: Json,
  given: Partial<ThingFields>,
  position: number,
): Thing {
  const thing = createThing(session, id, given, position)
  account.things.set(id, thing)
  return thing
}

/** Applies a whole upload to an account: new, changed, deleted, tags (contract, sync 10). */
export async function applyUpload(
  world: RunningWorld,
  account: Account,
  session: Session,
  given: Upload,
  from: number,
): Promise<Written> {
  const { behaviour } = world
  const upload = behaviour.applied(given, session, account, world)
  const written: Written = {
    own: new Set(),
    ownTags: new Set(),
    sharedTags: new Set(),
    newIds: new Map(),
    gone: new Set(),
  }
  const { created, changed, deleted, tags } = upload
  if (created.length + changed.length + deleted.length + tags.size === 0) return written
  const before = account.position
  await behaviour.commit(
    account,
    (take) => {
      const next = (kind: string, old: number): number => (behaviour.moves.includes(kind) ? take() : old)
      const touch = (thing: Thing, kind: string): void => {
        const others = [...thing.writers].filter(([writer, at]) => writer !== session && at > from)
        if (others.length === 0) written.own.add(thing.id)
        thing.position = next(kind, thing.position)
        thing.writers.set(session, thing.position)
      }
      const change = (id: string, fields: Partial<ThingFields>): boolean => {
        const thing = behaviour.findToChange(account, id, world)
        if (thing === undefined) return false
        touch(thing, 'change')
        thing.fields = behaviour.changedFields(thing.fields, fields)
        return true
      }
      const parts = {
        new: () => {
          for (const { localId, id, fields, retried } of upload.created) {
            written.newIds.set(localId, id)
            if (retried && behaviour.retryApplies) change(id as string, fields)
            if (retried) continue
            addThing(account, session, id, fields, next('new', account.position))
            written.own.add(id)
          }
        },
        changed: () => {
          for (const changed of upload.changed) {
            if (change(changed.id, changed.fields)) continue
            behaviour.onUnknownChange(account, changed, take, session)
            if (behaviour.reportsUnknownChange) written.gone.add(changed.id)
          }
        },
        deleted: () => {
          for (const id of upload.deleted) {
            const thing = behaviour.findToDelete(account, id, world)
            if (thing === undefined) continue
            touch(thing, 'deletion')
            written.own.add(thing.id)
            behaviour.remove(thing, account)
          }
        },
        tags: () => {
          for (const [name, settings] of upload.tags) {
            const kept = behaviour.keepTagName(name)
            if (kept === undefined) continue
            const tags = behaviour.tagsOf(account, world)
            const old = tags.get(kept)
            const position = next('tag', old?.position ?? 0)
            const earlier = [...(old?.writers ?? [])]
            const writers = new Map([...earlier, [session, position]])
            tags.set(kept, { settings: behaviour.changedTag(old?.settings ?? plainTag, settings), position, writers })
            written.ownTags.add(kept)
            if (earlier.some(([writer, at]) => writer !== session && at > from)) written.sharedTags.add(kept)
          }
        },
      }
      for (const part of behaviour.uploadOrder) parts[part]()
    },
    upload,
    world,
  )
  behaviour.afterWrite(account, upload, before)
  const hasThings = created.length + changed.length > 0
  announce(world, account, session, hasThings ? 'things' : deleted.length > 0 ? 'deletions' : 'tags')
  return written
}
