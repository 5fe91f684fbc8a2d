import { randomBytes } from 'node:crypto'
import type { ThingFields } from './thing-fields.ts'
import type { Account, Json, JsonObject, Remembered, Session, StoredTag, TagSettings, Thing, World } from './world.ts'

/** Parameters in which several things of one kind can be submitted. */
export type UploadKind = 'new_thing' | 'changed_thing' | 'deleted_thing' | 'skip_id'

/** The values of one upload parameter, by the form in which they came. */
export interface Submitted {
  /** `kind=…`, each time it was given. */
  readonly plain: readonly Json[]
  /** `kind[]=…` */
  readonly repeated: readonly Json[]
  /** `kind[0]=…` */
  readonly indexed: readonly Json[]
}

/** A thing to create: its local id as text, and the id it will have. */
export interface NewThing {
  readonly localId: Json
  readonly id: Json
  /** All fields of a new thing; of a retry those that were given. */
  readonly fields: Partial<ThingFields>
  readonly given: Partial<ThingFields>
  readonly retried: boolean
}

/** A change: fields that were left out are absent. */
export interface ChangedThing {
  readonly id: string
  readonly fields: Partial<ThingFields>
}

/** Everything that one sync uploads. */
export interface Upload {
  created: readonly NewThing[]
  changed: readonly ChangedThing[]
  deleted: readonly string[]
  tags: ReadonlyMap<string, Partial<TagSettings>>
}

/** Values of one parameter that hold objects, as a flat list of objects. */
function flatten(values: readonly Json[]): readonly Json[] {
  return values.flatMap((value) => (Array.isArray(value) ? value : [value]))
}

/** How uploads are read and applied (interface 4.3). */
export const rightUploads = {
  /** All values of one upload parameter, in the order given, arrays flattened. */
  several: (_kind: UploadKind, { plain, repeated, indexed }: Submitted): readonly Json[] =>
    flatten([...plain, ...repeated, ...indexed]),
  /** An object of the upload as the server reads it. */
  submittedThing: (thing: JsonObject, _kind: 'new_thing' | 'changed_thing'): JsonObject => thing,
  /** Text as the server keeps it. */
  keepText: (text: string, _field: 'title' | 'tags' | 'url' | 'html'): string => text,
  /** The local id as the key in `things.new`. */
  keepLocalId: (localId: string | number): Json => String(localId),
  /** The date of a thing that came without one. */
  defaultDate: (now: number): number => Math.floor(now / 1000),
  keepDate: (date: number): number => date,
  newId: (_account: Account, _world: World): Json => randomBytes(9).toString('hex'),
  /** All the work of one upload; `take` gives the next position. Nothing else runs in between. */
  commit: async (account: Account, work: (take: () => number) => void, _upload: Upload, world: World): Promise<void> =>
    work(() => world.nextPosition(account)),
  /** The upload as it is applied. */
  applied: (upload: Upload, _session: Session, _account: Account, _world: World): Upload => upload,
  nextPosition: (account: Account): number => {
    account.position += 1
    return account.position
  },
  /** Kinds of change that take a position. */
  moves: ['new', 'change', 'deletion', 'tag'] as readonly string[],
  /** The thing that a change or a deletion means. */
  findToChange: (account: Account, id: string, _world: World): Thing | undefined => {
    const thing = account.things.get(id)
    return thing?.deleted === false ? thing : undefined
  },
  findToDelete: (account: Account, id: string, _world: World): Thing | undefined => {
    const thing = account.things.get(id)
    return thing?.deleted === false ? thing : undefined
  },
  /** The fields after a change. */
  changedFields: (old: ThingFields, change: Partial<ThingFields>): ThingFields => ({ ...old, ...change }),
  /** A changed thing that left `archived` out is not archived (interface 2.1). */
  missingArchivedIsFalse: true,
  /** "" clears url and html. */
  clearsEmpty: true,
  /** What a change of an unknown id does besides being reported as deleted. */
  onUnknownChange: (_account: Account, _change: ChangedThing, _take: () => number, _session: Session): void => {},
  /** Changes of unknown ids are answered in `things.deleted`. */
  reportsUnknownChange: true,
  remove: (thing: Thing, _account: Account): void => {
    thing.deleted = true
  },
  /** After the work, before the answer. */
  afterWrite: (_account: Account, _upload: Upload, _before: number): void => {},
  /** Settings of a tag after a change; fields left out stay. */
  changedTag: (old: TagSettings, change: Partial<TagSettings>): TagSettings => ({ ...old, ...change }),
  /** The tag's name as the server keeps it; undefined loses it. */
  keepTagName: (name: string): string | undefined => name,
  keepColor: (color: string): string => color.toLowerCase(),
  /** What `todo: true` means. */
  todoTrue: 'strike' as 'strike' | 'dont-strike',
  submittedTags: (
    tags: ReadonlyMap<string, Partial<TagSettings>>,
    _forms: ReadonlySet<string>,
  ): ReadonlyMap<string, Partial<TagSettings>> => tags,
  /** What null in tag settings means. */
  nullTagSetting: 'absent' as 'absent' | 'resets',
  /** Where tag settings are kept. */
  tagsOf: (account: Account, _world: World): Map<string, StoredTag> => account.tags,
  /** Order of the parts of one upload. */
  uploadOrder: ['new', 'changed', 'deleted', 'tags'] as readonly ('new' | 'changed' | 'deleted' | 'tags')[],
  /** The ids given to an earlier upload with the same explicit `from` (contract, sync 7). */
  rememberedUploads: (session: Session, from: number | undefined, _world: World): Remembered | undefined =>
    from === undefined ? undefined : session.uploads.get(from),
  /** Whether what repeats a local id is the same thing: the same title, the same url or the same given date. */
  isRetry: (earlier: Partial<ThingFields>, given: Partial<ThingFields>): boolean =>
    (['title', 'url', 'date'] as const).some((name) => given[name] !== undefined && given[name] === earlier[name]),
  /** A session that names a thing by its id, or sends a later `from`, has seen the answer that gave it. */
  forgets: ['from', 'id'] as readonly ('from' | 'id')[],
  retryApplies: true,
  /** The texts "strike" and "dont-strike" are taken too. */
  readsTodoText: true,
}
