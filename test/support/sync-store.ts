import type { Environment } from '../../src/environment.ts'
import { openMemoryStore } from '../../src/store/memory-store.ts'
import type { Json, TagSettings } from '../../src/store/model.ts'
import { type ChangesQuery, listChanges } from '../../src/things/list-changes.ts'
import { thingForm } from '../../src/things/thing.ts'
import type { ChangedThing, NewThing, TagSettingsChange, TitledFields, Upload } from '../../src/things/upload.ts'
import { applyUpload } from '../../src/things/upload.ts'

/** A sync request of a test: its upload, with tags as an object, and its query. */
export type TestRequest = Partial<Pick<Upload, 'from' | 'deletedThings'>> &
  Omit<ChangesQuery, 'userId' | 'session'> & {
    readonly newThings?: readonly (Pick<NewThing, 'localId'> & TitledFields)[]
    readonly changedThings?: readonly (Pick<ChangedThing, 'id'> & TitledFields)[]
    readonly tags?: Readonly<Record<string, TagSettingsChange>>
  }

/** A sync response of a test, in words of the rules; empty parts are left out. */
export interface TestResponse {
  readonly position: number
  readonly thingCount?: number
  readonly assigned?: Readonly<Record<string, string>>
  readonly changed?: readonly Json[]
  readonly deleted?: readonly string[]
  readonly tags?: Readonly<Record<string, TagSettings>>
}

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

/**
 * Opens a memory store, and an environment with a clock that stands and ids `id1`, `id2`, …, for tests of the rules:
 * `sync` does what the sync operation does.
 */
export const openSyncStore = async () => {
  const clock = { now: 1_000_000 }
  const store = await openMemoryStore({ form: thingForm, monotonicMs: () => clock.now })
  let lastId = 0
  let lastSecret = 0
  const environment: Environment = {
    now: () => clock.now,
    newId: () => `id${++lastId}`,
    newSecret: () => `secret${++lastSecret}`,
  }

  const sync = async (session: string, request: TestRequest = {}, userId = 'anna'): Promise<TestResponse> => {
    const { newThings = [], changedThings = [], deletedThings = [], tags = {}, ...query } = request
    const upload: Upload = {
      newThings: newThings.map(({ localId, ...fields }) => ({ localId, fields })),
      changedThings: changedThings.map(({ id, ...fields }) => ({ id, fields })),
      deletedThings,
      tags: new Map(Object.entries(tags)),
      ...(query.from === undefined ? {} : { from: query.from }),
    }
    const hasUpload = newThings.length + changedThings.length + deletedThings.length + upload.tags.size > 0
    const uploaded = hasUpload
      ? await store.write(userId, session, (draft) => applyUpload(draft, upload, session, environment))
      : undefined
    const response = await listChanges(store, { ...query, userId, session }, uploaded)
    const runs = (await collect(response.listing.changed())).map(({ json }) => Buffer.from(json).toString())
    const listedTags = (await collect(response.tags)).flat()
    const deleted = [...(await collect(response.listing.deleted())), ...response.missingIds]
    return {
      position: response.position,
      ...(response.thingCount > 0 ? { thingCount: response.thingCount } : {}),
      ...(response.assigned.size > 0 ? { assigned: Object.fromEntries(response.assigned) } : {}),
      ...(runs.length > 0 ? { changed: JSON.parse(`[${runs.join('')}]`) as Json[] } : {}),
      ...(deleted.length > 0 ? { deleted } : {}),
      ...(listedTags.length > 0 ? { tags: Object.fromEntries(listedTags) } : {}),
    }
  }
  return { store, environment, clock, sync }
}
