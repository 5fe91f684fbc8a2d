import type { TagSettings } from '../../generated/types.ts'
import type { LocalStore } from './local-store.ts'
import type { PendingEdits } from './pending-edits.ts'
import {
  applyFields,
  applyTagChange,
  blankThing,
  type KnownThing,
  keys,
  type ReplicaThing,
  type ThingContent,
} from './replica-records.ts'

/** What the replica shows: what the server is known to have, and on top of it what waits to be sent. */
export interface ReplicaView {
  /** The thing with this `_id` or local id; undefined when there is none, or when it is deleted. */
  readonly findThing: (id: string) => Promise<ReplicaThing | undefined>
  readonly listThings: () => AsyncGenerator<ReplicaThing, void>
  /** Tags that differ from a tag that was never set. */
  readonly listTags: () => Promise<ReadonlyMap<string, TagSettings>>
  /** Whether one of the tags in this text makes its thing a todo (interface 2.2). */
  readonly isTodo: (tags: string) => Promise<boolean>
  /** The id under which the thing is known now. */
  readonly resolveId: (id: string) => Promise<string>
}

/** A view of the store and of the edits that come on top. */
export const createReplicaView = (store: LocalStore, { sending, queued }: PendingEdits): ReplicaView => {
  const stages = [sending, queued]

  const findTag = async (name: string): Promise<TagSettings> => {
    const known = (await store.get(keys.tag(name))) as TagSettings | undefined
    return stages.reduce((settings, { tags }) => applyTagChange(settings, tags.get(name)), applyTagChange(known))
  }
  const isTodo = async (tags: string, find = findTag): Promise<boolean> => {
    for (const name of tagsOf(tags)) if ((await find(name)).todo !== false) return true
    return false
  }
  const show = async (id: string, known: KnownThing | undefined, find = findTag): Promise<ReplicaThing | undefined> => {
    let thing: ThingContent | undefined = known && applyFields(known, {})
    let isPending = false
    for (const { things } of stages) {
      const edit = things.get(id)
      if (edit === undefined) continue
      if (edit.kind === 'delete') return undefined
      if (edit.kind === 'new') thing ??= blankThing
      if (thing === undefined) return undefined
      thing = applyFields(thing, edit.fields)
      isPending = true
    }
    if (thing === undefined) return undefined
    const { todoStatus, ...fields } = thing
    return { id, ...fields, ...((await isTodo(thing.tags, find)) ? { todoStatus } : {}), isPending }
  }
  const resolveId = async (id: string) => ((await store.get(keys.givenId(id))) as string | undefined) ?? id

  return {
    isTodo,
    resolveId,
    findThing: async (id) => {
      const now = await resolveId(id)
      return show(now, (await store.get(keys.thing(now))) as KnownThing | undefined)
    },
    async *listThings() {
      const local = stages.flatMap(({ things }) => [...things]).filter(([, { kind }]) => kind === 'new')
      const prefix = keys.thing('')
      // Many things share few tags; a store on disk would be asked for each of them again with each thing.
      const settings = new Map<string, TagSettings>()
      const find = async (name: string): Promise<TagSettings> => {
        const found = settings.get(name) ?? (await findTag(name))
        settings.set(name, found)
        return found
      }
      for await (const [key, known] of store.list(prefix)) {
        const thing = await show(key.slice(prefix.length), known as KnownThing, find)
        if (thing !== undefined) yield thing
      }
      for (const [id] of local) {
        // The server may have given it an _id while the others were listed.
        const thing = stages.some(({ things }) => things.get(id)?.kind === 'new')
          ? await show(id, undefined, find)
          : undefined
        if (thing !== undefined) yield thing
      }
    },
    listTags: async () => {
      const names = new Set(stages.flatMap(({ tags }) => [...tags.keys()]))
      for await (const [key] of store.list(keys.tag(''))) names.add(key.slice(keys.tag('').length))
      const settings = await Promise.all([...names].map(async (name) => [name, await findTag(name)] as const))
      return new Map(settings.filter(([, { favorite, color, todo }]) => favorite || color !== false || todo !== false))
    },
  }
}

/** The tags that a text of tags names, each once (interface 2.1). */
export const tagsOf = (text: string): ReadonlySet<string> => new Set(text.split(' ').filter((name) => name !== ''))
