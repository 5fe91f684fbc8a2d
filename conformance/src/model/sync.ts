import {
  type ChangedThing,
  findParameter,
  type NewThing,
  type Parameter,
  plainTag,
  type Reply,
  type RunningExchange,
  type RunningState,
  type ListingOf as StateListing,
  type Submitted,
  type Upload,
  type UploadKind,
} from './behavior.ts'
import { announce } from './delivery.ts'
import {
  countParameter,
  isObject,
  parseJson,
  readBoolean,
  readNumber,
  readText,
  throwError,
  withoutNulls,
} from './request.ts'
import {
  type Account,
  createThing,
  type Json,
  type JsonObject,
  type Listing,
  type Remembered,
  type Session,
  type TagSettings,
  type Thing,
} from './state.ts'
import { emptyFields, fieldForms, type ThingFields } from './thing-fields.ts'

const maxThings = 20_000

/** Reads the values of one upload parameter, by form; parses objects from their JSON text. */
function submitted(exchange: RunningExchange, kind: UploadKind): Submitted {
  const values = (pattern: RegExp): readonly Json[] =>
    exchange.parameters.filter(([name]) => pattern.test(name)).map(([, value]) => value)
  const plain = values(new RegExp(`^${kind}$`))
  const repeated = values(new RegExp(`^${kind}\\[\\]$`))
  const indexed = values(new RegExp(`^${kind}\\[\\d+\\]$`))
  const parse = (value: Json): Json => {
    const isId = kind === 'deleted_thing' || kind === 'skip_id'
    const isPlainId = isId && !(typeof value === 'string' && value.trim().startsWith('['))
    return isPlainId ? value : parseJson(exchange.state, value, kind)
  }
  return { plain: plain.map(parse), repeated: repeated.map(parse), indexed: indexed.map(parse) }
}

/** Reads the ids of one upload parameter. */
function readIds(exchange: RunningExchange, kind: 'deleted_thing' | 'skip_id'): readonly string[] {
  const { state } = exchange
  const ids = state.behavior.several(kind, submitted(exchange, kind)).filter((id) => id !== undefined)
  if (ids.length > maxThings) throwError(state, 'things-many', `more than ${maxThings} in ${kind}`)
  return ids.map((id) => readText(state, id, kind) ?? '')
}

function readObjects(exchange: RunningExchange, kind: 'new_thing' | 'changed_thing'): readonly JsonObject[] {
  const { state } = exchange
  const values = state.behavior.several(kind, submitted(exchange, kind)).filter((value) => value !== undefined)
  if (values.length > maxThings) throwError(state, 'things-many', `more than ${maxThings} in ${kind}`)
  for (const value of values) if (!isObject(value)) throwError(state, 'parameter-invalid', `${kind} is not an object`)
  return values.filter(isObject).map((value) => state.behavior.submittedThing(withoutNulls(state, value), kind))
}

type Name = keyof ThingFields
type TextField = Parameters<RunningState['behavior']['keepText']>[1]

/** Reads a submitted field; undefined when it has no value. */
function readField(state: RunningState, name: Name, value: Json, fieldPath: string): ThingFields[Name] {
  const { keepText, keepDate, readsNumberText } = state.behavior
  const form = fieldForms[name]
  if (form.kind === 'text' || form.kind === 'clearable') {
    const text = value === null && name !== 'title' ? '' : readText(state, value ?? undefined, fieldPath)
    return text === undefined || (form.kind === 'clearable' && text === '') ? text : keepText(text, name as TextField)
  }
  if (form.kind === 'flag') return readBoolean(state, value ?? undefined, fieldPath)
  if (typeof value === 'string' && !readsNumberText) throwError(state, 'number-invalid', `${fieldPath} is not a number`)
  const number = readNumber(state, value ?? undefined, fieldPath)
  if (number === undefined) return undefined
  if (form.kind !== 'integer') return keepDate(number)
  if (!Number.isInteger(number) || number < form.minimum || number > form.maximum)
    throwError(state, 'number-invalid', `${fieldPath} is not from ${form.minimum} to ${form.maximum}`)
  return number
}

/** Reads the submitted fields; omitted fields are absent. `name` is for error texts. */
export function readFields(state: RunningState, given: JsonObject, name: string): Partial<ThingFields> {
  const read: JsonObject = {}
  for (const field of Object.keys(fieldForms) as Name[]) {
    if (given[field] === undefined) continue
    const value = readField(state, field, given[field], `${name}.${field}`)
    const isCleared = fieldForms[field].kind === 'clearable' && value === ''
    if (isCleared ? state.behavior.clearsEmpty : value !== undefined) read[field] = isCleared ? undefined : value
  }
  return read
}

/** Completes the fields of a new thing from the submitted fields. */
export function completeFields(state: RunningState, given: Partial<ThingFields>): ThingFields {
  return { ...emptyFields, date: state.behavior.defaultDate(Date.now()), ...given }
}

function readNewThings(exchange: RunningExchange, remembered: Remembered | undefined): readonly NewThing[] {
  const { state, account } = exchange
  const localIds = new Set<string>()
  return readObjects(exchange, 'new_thing').map((given, index) => {
    const localId = given.local_id
    if (typeof localId !== 'string' && typeof localId !== 'number') {
      throwError(state, 'local-id-missing', `new_thing[${index}].local_id is required`)
    }
    const fields = readFields(state, given, `new_thing[${index}]`)
    if (fields.title === undefined) throwError(state, 'title-missing', `new_thing[${index}].title is required`)
    const text = String(localId)
    if (localIds.has(text)) throwError(state, 'local-id-shared', `new_thing[${index}].local_id is used twice`)
    localIds.add(text)
    if (account === undefined) throw new Error('an upload needs an account')
    const earlier = remembered?.get(text)
    const known = earlier !== undefined && state.behavior.isRetry(earlier.given, fields) ? earlier.id : undefined
    return {
      localId: state.behavior.keepLocalId(localId as string | number),
      id: known ?? state.behavior.newId(account, state),
      fields: known === undefined ? completeFields(state, fields) : asChange(state, fields),
      given: fields,
      retried: known !== undefined,
    }
  })
}

/** Reads the fields of a change: absent `archived` means false (interface 2.1). */
function asChange(state: RunningState, fields: Partial<ThingFields>): Partial<ThingFields> {
  return state.behavior.missingArchivedIsFalse ? { archived: false, ...fields } : fields
}

function readChangedThings(exchange: RunningExchange): readonly ChangedThing[] {
  const { state } = exchange
  return readObjects(exchange, 'changed_thing').map((given, index) => {
    const id = given._id
    if (typeof id !== 'string') throwError(state, 'id-missing', `changed_thing[${index}]._id is required`)
    const fields = readFields(state, given, `changed_thing[${index}]`)
    if (fields.title === undefined) throwError(state, 'title-missing', `changed_thing[${index}].title is required`)
    return { id: String(id), fields: asChange(state, fields) }
  })
}

/** Reads `color`: false, or `#rgb` or `#rrggbb`. */
function readColor(state: RunningState, value: Json): string | false {
  if (value === false || value === 'false') return false
  if (typeof value !== 'string' || !/^#([\da-f]{3}|[\da-f]{6})$/i.test(value)) {
    throwError(state, 'color-invalid', 'color is false or #rrggbb')
  }
  return state.behavior.keepColor(String(value))
}

function readTodo(state: RunningState, value: Json): TagSettings['todo'] {
  if ((value === 'strike' || value === 'dont-strike') && state.behavior.readsTodoText) return value
  return readBoolean(state, value, 'todo') ? state.behavior.todoTrue : false
}

function falseForNull(given: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? false]))
}

function readSettings(state: RunningState, given: Json): Partial<TagSettings> {
  if (!isObject(given)) throwError(state, 'parameter-invalid', 'tag settings are not an object')
  const settings = isObject(given) ? given : {}
  const reset = state.behavior.nullTagSetting === 'resets'
  const { favorite, color, todo } = reset ? falseForNull(settings) : withoutNulls(state, settings)
  return {
    ...(favorite === undefined ? {} : { favorite: readBoolean(state, favorite, 'favorite') ?? false }),
    ...(color === undefined ? {} : { color: readColor(state, color) }),
    ...(todo === undefined ? {} : { todo: readTodo(state, todo) }),
  }
}

/** Reads the tag settings in one parameter, as pairs of name and settings, and their form. */
function readTag(
  state: RunningState,
  [name, value]: Parameter,
): readonly (readonly [string, Partial<TagSettings>, string])[] {
  const [, nested, field] = /^tag\[(.*)\]\[(favorite|color|todo)\]$/s.exec(name) ?? []
  if (nested !== undefined && field !== undefined) return [[nested, readSettings(state, { [field]: value }), 'nested']]
  const [, single] = /^tag\[(.*)\]$/s.exec(name) ?? []
  if (single !== undefined) return [[single, readSettings(state, parseJson(state, value, name)), 'single']]
  if (name !== 'tag') return []
  const map = parseJson(state, value, name)
  if (!isObject(map)) throwError(state, 'tag-not-map', 'tag is not a map of tag settings')
  const entries = Object.entries(isObject(map) ? map : {})
  return entries.map(([tag, given]) => [tag, readSettings(state, parseJson(state, given, `tag ${tag}`)), 'map'])
}

function readTags({ state, parameters }: RunningExchange): ReadonlyMap<string, Partial<TagSettings>> {
  const tags = new Map<string, Partial<TagSettings>>()
  const forms = new Set<string>()
  for (const [name, settings, form] of parameters.flatMap((parameter) => readTag(state, parameter))) {
    tags.set(name, { ...tags.get(name), ...settings })
    forms.add(form)
  }
  return state.behavior.submittedTags(tags, forms)
}

/** Reads everything that a sync uploads; rejects all of it when one part is wrong (contract, errors). */
function readUpload(exchange: RunningExchange, remembered: Remembered | undefined): Upload {
  return {
    created: readNewThings(exchange, remembered),
    changed: readChangedThings(exchange),
    deleted: readIds(exchange, 'deleted_thing'),
    tags: readTags(exchange),
  }
}

/** Whether the request contains any upload parameter. */
export function hasUpload({ parameters }: Pick<RunningExchange, 'parameters'>): boolean {
  return parameters.some(([name]) => /^(new_thing|changed_thing|deleted_thing|tag)(\[|$)/.test(name))
}

/** The result of an upload: entries that its own response omits, and entries that it must contain. */
interface Written {
  /** Ids that need no listing: this request changed them, and no other session did after `from`. */
  readonly own: Set<Json>
  readonly ownTags: Set<string>
  /** The tag names that another session set after `from`. */
  readonly sharedTags: Set<string>
  readonly newIds: Map<Json, Json>
  /** Ids of changes to deleted things. */
  readonly removed: Set<string>
}

/** Puts a thing into an account; omitted fields are empty. */
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
async function applyUpload(
  state: RunningState,
  account: Account,
  session: Session,
  given: Upload,
  from: number,
): Promise<Written> {
  const { behavior } = state
  const upload = behavior.applied(given, session, account, state)
  const written: Written = {
    own: new Set(),
    ownTags: new Set(),
    sharedTags: new Set(),
    newIds: new Map(),
    removed: new Set(),
  }
  const { created, changed, deleted, tags } = upload
  if (created.length + changed.length + deleted.length + tags.size === 0) return written
  const before = account.position
  await behavior.commit(
    account,
    (take) => {
      const next = (kind: string, old: number): number => (behavior.moves.includes(kind) ? take() : old)
      const touch = (thing: Thing, kind: string): void => {
        const others = [...thing.writers].filter(([writer, at]) => writer !== session && at > from)
        if (others.length === 0) written.own.add(thing.id)
        thing.position = next(kind, thing.position)
        thing.writers.set(session, thing.position)
      }
      const change = (id: string, fields: Partial<ThingFields>): boolean => {
        const thing = behavior.findToChange(account, id, state)
        if (thing === undefined) return false
        touch(thing, 'change')
        thing.fields = behavior.changedFields(thing.fields, fields)
        return true
      }
      const parts = {
        new: () => {
          for (const { localId, id, fields, retried } of upload.created) {
            written.newIds.set(localId, id)
            if (retried && behavior.retryApplies) change(id as string, fields)
            // The sender may not know the `_id` yet, so the deletion is listed however early it came.
            if (retried && behavior.retryListsDeleted && account.things.get(id)?.deleted !== false) {
              written.removed.add(id as string)
            }
            if (retried) continue
            addThing(account, session, id, fields, next('new', account.position))
            written.own.add(id)
          }
        },
        changed: () => {
          for (const changed of upload.changed) {
            if (change(changed.id, changed.fields)) continue
            behavior.onUnknownChange(account, changed, take, session)
            if (behavior.reportsUnknownChange) written.removed.add(changed.id)
          }
        },
        deleted: () => {
          for (const id of upload.deleted) {
            const thing = behavior.findToDelete(account, id, state)
            if (thing === undefined) continue
            touch(thing, 'deletion')
            written.own.add(thing.id)
            behavior.remove(thing, account)
          }
        },
        tags: () => {
          for (const [name, settings] of upload.tags) {
            const kept = behavior.keepTagName(name)
            if (kept === undefined) continue
            const tags = behavior.tagsOf(account, state)
            const old = tags.get(kept)
            const position = next('tag', old?.position ?? 0)
            const earlier = [...(old?.writers ?? [])]
            const writers = new Map([...earlier, [session, position]])
            tags.set(kept, { settings: behavior.changedTag(old?.settings ?? plainTag, settings), position, writers })
            written.ownTags.add(kept)
            if (earlier.some(([writer, at]) => writer !== session && at > from)) written.sharedTags.add(kept)
          }
        },
      }
      for (const part of behavior.uploadOrder) parts[part]()
    },
    upload,
    state,
  )
  behavior.afterWrite(account, upload, before)
  const hasThings = created.length + changed.length > 0
  announce(state, account, session, hasThings ? 'things' : deleted.length > 0 ? 'deletions' : 'tags')
  return written
}

/** The input of a listing, with the server's behavior. */
interface ListingOf extends StateListing {
  readonly exchange: RunningExchange
}

/** Lists everything that changed, in returned form and in the order of the last change. */
async function createListing(of: ListingOf, removed: ReadonlySet<string>): Promise<Listing> {
  const { account, exchange, session } = of
  const { behavior } = exchange.state
  const tags = behavior.tagsOf(account, exchange.state)
  const things = [...account.things.values()]
  const changed = things
    .filter((thing) => behavior.listsThing(thing, of))
    .sort(behavior.order)
    .map((thing) => ({ id: thing.id, json: behavior.thing(thing, behavior.isTodo(thing, tags), of) }))
  const deleted = things
    .filter((thing) => behavior.listsDeleted(thing, of))
    .sort(behavior.order)
    .map(({ id }) => id)
  const listedTags = [...tags].filter(([name, tag]) => behavior.listsTag(name, tag, of))
  const settings = new Map(listedTags.map(([name, tag]) => [name, behavior.tag(tag.settings)]))
  const ids = [...new Set<Json>([...deleted, ...removed])].map((id) => ({ id, json: id }))
  if (behavior.betweenListAndPosition !== undefined) await behavior.betweenListAndPosition(account)
  return {
    position: behavior.position(account, session, of) as number,
    changed: behavior.listed(changed, 'changed', of),
    deleted: behavior.listed(ids, 'deleted', of),
    tags: settings,
  }
}

/** Returns the snapshot of a page: a new one for the first page, the stored one for later pages. */
async function findListing(of: ListingOf, written: Written, skip: number, limit: number | undefined): Promise<Listing> {
  const kept = of.exchange.state.behavior.keepsPages ? of.session.pages.get(of.from) : undefined
  if (skip > 0 && kept !== undefined) return kept
  const listing = await createListing(of, written.removed)
  if (skip === 0 && limit !== undefined) of.session.pages.set(of.from, listing)
  return listing
}

/** Returns the lists of one page: changed things, then deleted ids. */
function cutPage(
  of: ListingOf,
  listing: Listing,
  skip: number,
  limit: number | undefined,
): { changed: readonly Json[]; deleted: readonly Json[] } {
  const { page, deletedFirst } = of.exchange.state.behavior
  const changed = listing.changed.map(({ json }) => ({ kind: 'changed' as const, json }))
  const deleted = listing.deleted.map(({ json }) => ({ kind: 'deleted' as const, json }))
  const all = page(deletedFirst ? [...deleted, ...changed] : [...changed, ...deleted], skip, limit)
  const only = (kind: string): readonly Json[] => all.filter((entry) => entry.kind === kind).map(({ json }) => json)
  return { changed: only('changed'), deleted: only('deleted') }
}

function withoutSkipped(of: ListingOf, listing: Listing, skipIds: readonly string[]): Listing {
  const { isSkipped } = of.exchange.state.behavior
  return {
    ...listing,
    changed: listing.changed.filter(({ id }) => !isSkipped(id, skipIds, 'changed')),
    deleted: listing.deleted.filter(({ id }) => !isSkipped(id, skipIds, 'deleted')),
  }
}

/** The key of remembered uploads without `from`; only faults read them. */
const withoutFrom = -1

/** Forgets the responses to uploads that the session has seen (contract, sync 7). */
function forgetSeen(
  { state }: RunningExchange,
  { uploads }: Session,
  from: number,
  { changed, deleted }: Upload,
): void {
  const { forgets } = state.behavior
  for (const earlier of uploads.keys()) if (earlier < from && forgets.includes('from')) uploads.delete(earlier)
  const named = new Set<Json>([...changed.map(({ id }) => id), ...deleted])
  for (const remembered of forgets.includes('id') ? uploads.values() : []) {
    for (const [localId, { id }] of remembered) if (named.has(id)) remembered.delete(localId)
  }
}

/** sync (interface 4.3; contract, sync). */
export async function respondToSync(exchange: RunningExchange): Promise<Reply> {
  const { state, account, session } = exchange
  const { behavior } = state
  if (account === undefined || session === undefined) throw new Error('sync needs a session')
  const given = readNumber(state, findParameter(exchange.parameters, 'from'), 'from')
  const [skip = 0, limit] = [countParameter(exchange, 'skip'), countParameter(exchange, 'limit')]
  const skipIds = readIds(exchange, 'skip_id')
  const isPost = exchange.method === 'POST'
  if (!isPost && hasUpload(exchange)) throwError(state, 'upload-in-get', 'uploads are sent by POST')
  const remembered = behavior.rememberedUploads(session, given, state)
  const noUpload = { created: [], changed: [], deleted: [], tags: new Map() }
  const upload = isPost || state.behavior.anyMethod ? readUpload(exchange, remembered) : noUpload

  const full = behavior.isFull(given, account)
  const from = behavior.since(full ? 0 : (given ?? 0), session, account)
  const written = await applyUpload(state, account, session, upload, from)
  const key = given ?? withoutFrom
  forgetSeen(exchange, session, key, upload)
  const ids = upload.created.map(({ localId, id, given }) => [String(localId), { id, given }] as const)
  if (ids.length > 0) session.uploads.set(key, new Map([...(session.uploads.get(key) ?? []), ...ids]))

  const { own, ownTags, sharedTags } = written
  const of: ListingOf = { account, session, from, full, own, ownTags, sharedTags, exchange }
  const whole = await findListing(of, written, skip, limit)
  const listing = withoutSkipped(of, whole, skipIds)
  const page = cutPage(of, listing, skip, limit)
  const counts = {
    created: written.newIds.size,
    changed: listing.changed.length,
    deleted: listing.deleted.length,
    page: page.changed.length + page.deleted.length,
    skipped: whole.changed.length + whole.deleted.length - listing.changed.length - listing.deleted.length,
  }
  const thingCount = behavior.thingCount(counts)
  const tags = new Map([...listing.tags, ...submittedTags(of)])
  const things: JsonObject = {
    ...(written.newIds.size === 0 ? {} : { new: behavior.newMap(written.newIds) }),
    ...(page.changed.length === 0 ? {} : { changed: page.changed }),
    ...(page.deleted.length === 0 ? {} : { deleted: page.deleted }),
  }
  const response = {
    pos: listing.position,
    ...(thingCount === 0 ? {} : { thingCount }),
    tags: behavior.tags(tags),
    things: behavior.things(things, of),
  }
  return { status: 200, headers: {}, body: behavior.syncResponse(response, exchange) }
}

/** Adds the settings that the request itself changed; a stored page does not contain them. */
function submittedTags({ account, exchange, ownTags }: ListingOf): readonly (readonly [string, Json])[] {
  const { behavior } = exchange.state
  const tags = behavior.tagsOf(account, exchange.state)
  return [...ownTags].flatMap((name) => {
    const tag = behavior.returnsOwnTags ? tags.get(name) : undefined
    return tag === undefined ? [] : [[name, behavior.tag(tag.settings)] as const]
  })
}
