import { Refused } from '../refused.ts'
import type { TagSettings } from '../store/model.ts'
import type { Draft } from '../store/store.ts'
import type { World } from '../world.ts'
import { mergeTagSettings } from './tag-settings.ts'
import { blankThing, mergeUploadedFields } from './thing-fields.ts'
import type { Upload, UploadOutcome } from './upload.ts'
import { recallUploads } from './upload-memory.ts'

/**
 * Applies what a sync request uploads: new things, changes, deletions, tag settings, in this order (interface 4.3;
 * contract, sync 7 to 12). `session` is the id of the session that uploads.
 * @throws Refused `localIdTwice` when two new things share a local id; the draft is of no use then
 */
export const applyUpload = async (
  draft: Draft,
  upload: Upload,
  session: string,
  world: World,
): Promise<UploadOutcome> => {
  const positionBefore = draft.position()
  const assigned = new Map<string, string>()
  const changedIds = new Set<string>()
  const deletedIds = new Set<string>()
  const goneIds = new Set<string>()
  const tags = new Map<string, TagSettings>()

  const memory = await recallUploads(draft, session, upload)
  for (const { localId: givenId, fields } of upload.newThings) {
    const localId = String(givenId)
    if (assigned.has(localId)) throw new Refused('localIdTwice', { parameter: `new_thing[${assigned.size}].local_id` })
    const earlierId = memory === undefined ? undefined : await memory.findRetried(localId, fields)
    const id = earlierId ?? world.newId()
    const thing = earlierId === undefined ? blankThing(id, world.now()) : await draft.findThing(id)
    assigned.set(localId, id)
    if (thing === undefined) {
      goneIds.add(id)
      continue
    }
    await draft.putThing(mergeUploadedFields(thing, fields))
    if (memory !== undefined && earlierId === undefined) await memory.remember(localId, fields, id)
  }

  for (const { id, fields } of upload.changedThings) {
    const thing = await draft.findThing(id)
    if (thing === undefined) {
      goneIds.add(id)
      continue
    }
    await draft.putThing(mergeUploadedFields(thing, fields))
    changedIds.add(id)
  }

  for (const id of upload.deletedThings) {
    await draft.deleteThing(id)
    deletedIds.add(id)
  }

  for (const [name, change] of upload.tags) {
    const settings = mergeTagSettings(change, await draft.findTag(name))
    await draft.putTag(name, settings)
    tags.set(name, settings)
  }

  return {
    positionBefore,
    positionAfter: draft.position(),
    assigned,
    changedIds,
    deletedIds,
    goneIds,
    tags,
  }
}
