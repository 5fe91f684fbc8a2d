import type { SyncAnswer, SyncThings, TagSettings, Thing } from '../../generated/types.ts'
import type { SyncEvent } from './sync-events.ts'

/** The whole answer again, as the server wrote it: parts that are empty are absent (interface 4.3, response). */
export const collectAnswer = async (events: AsyncIterable<SyncEvent>): Promise<SyncAnswer> => {
  const { position, thingCount, tags, assigned, changed, deleted } = await collectEvents(events)
  const things: SyncThings = {
    ...(assigned.size > 0 ? { new: Object.fromEntries(assigned) } : {}),
    ...(changed.length > 0 ? { changed } : {}),
    ...(deleted.length > 0 ? { deleted } : {}),
  }
  return {
    pos: position,
    ...(thingCount > 0 ? { thingCount } : {}),
    ...(tags.size > 0 ? { tags: Object.fromEntries(tags) } : {}),
    ...(Object.keys(things).length > 0 ? { things } : {}),
  }
}

/** The parts of an answer; names that clients chose are keys of maps. */
export const collectEvents = async (events: AsyncIterable<SyncEvent>) => {
  let position = 0
  let thingCount = 0
  const tags = new Map<string, TagSettings>()
  const assigned = new Map<string, string>()
  const changed: Thing[] = []
  const deleted: string[] = []
  for await (const event of events) {
    if (event.kind === 'position') position = event.position
    else if (event.kind === 'count') thingCount = event.thingCount
    else if (event.kind === 'tag') tags.set(event.name, event.settings)
    else if (event.kind === 'new') assigned.set(event.localId, event.id)
    else if (event.kind === 'changed') changed.push(event.thing)
    else deleted.push(event.id)
  }
  return { position, thingCount, tags, assigned, changed, deleted }
}
