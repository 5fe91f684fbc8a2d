import type { RunningExchange, RunningWorld } from './behaviour.ts'
import type { Parameter } from './right-requests.ts'
import type { ChangedThing, NewThing, Submitted, Upload, UploadKind } from './right-uploads.ts'
import { emptyFields, fieldForms, type ThingFields } from './thing-fields.ts'
import { isObject, parseJson, readBoolean, readNumber, readText, refuse, withoutNulls } from './values.ts'
import type { Json, JsonObject, Remembered, TagSettings } from './world.ts'

const maxThings = 20_000

/** Values of one upload parameter, by form; objects parsed from their JSON text. */
function submitted(exchange: RunningExchange, kind: UploadKind): Submitted {
  const values = (pattern: RegExp): readonly Json[] =>
    exchange.parameters.filter(([name]) => pattern.test(name)).map(([, value]) => value)
  const plain = values(new RegExp(`^${kind}$`))
  const repeated = values(new RegExp(`^${kind}\\[\\]$`))
  const indexed = values(new RegExp(`^${kind}\\[\\d+\\]$`))
  const parse = (value: Json): Json => {
    const isId = kind === 'deleted_thing' || kind === 'skip_id'
    const isPlainId = isId && !(typeof value === 'string' && value.trim().startsWith('['))
    return isPlainId ? value : parseJson(exchange.world, value, kind)
  }
  return { plain: plain.map(parse), repeated: repeated.map(parse), indexed: indexed.map(parse) }
}

/** Ids of one upload parameter. */
export function readIds(exchange: RunningExchange, kind: 'deleted_thing' | 'skip_id'): readonly string[] {
  const { world } = exchange
  const ids = world.behaviour.several(kind, submitted(exchange, kind)).filter((id) => id !== undefined)
  if (ids.length > maxThings) refuse(world, 'things-many', `more than ${maxThings} in ${kind}`)
  return ids.map((id) => readText(world, id, kind) ?? '')
}

function readObjects(exchange: RunningExchange, kind: 'new_thing' | 'changed_thing'): readonly JsonObject[] {
  const { world } = exchange
  const values = world.behaviour.several(kind, submitted(exchange, kind)).filter((value) => value !== undefined)
  if (values.length > maxThings) refuse(world, 'things-many', `more than ${maxThings} in ${kind}`)
  for (const value of values) if (!isObject(value)) refuse(world, 'parameter-invalid', `${kind} is not an object`)
  return values.filter(isObject).map((value) => world.behaviour.submittedThing(withoutNulls(world, value), kind))
}

type Name = keyof ThingFields
type TextField = Parameters<RunningWorld['behaviour']['keepText']>[1]

/** A field that was given; undefined when it says nothing. */
function readField(world: RunningWorld, name: Name, value: Json, place: string): ThingFields[Name] {
  const { keepText, keepDate, readsNumberText } = world.behaviour
  const form = fieldForms[name]
  if (form.kind === 'text' || form.kind === 'clearable') {
    const text = value === null && name !== 'title' ? '' : readText(world, value ?? undefined, place)
    return text === undefined || (form.kind === 'clearable' && text === '') ? text : keepText(text, name as TextField)
  }
  if (form.kind === 'flag') return readBoolean(world, value ?? undefined, place)
  if (typeof value === 'string' && !readsNumberText) refuse(world, 'number-invalid', `${place} is not a number`)
  const number = readNumber(world, value ?? undefined, place)
  if (number === undefined) return undefined
  if (form.kind !== 'integer') return keepDate(number)
  if (!Number.isInteger(number) || number < form.minimum || number > form.maximum)
    refuse(world, 'number-invalid', `${place} is not from ${form.minimum} to ${form.maximum}`)
  return number
}

/** The fields that were given; those that were not are absent. `name` is for error texts. */
export function readFields(world: RunningWorld, given: JsonObject, name: string): Partial<ThingFields> {
  const read: JsonObject = {}
  for (const field of Object.keys(fieldForms) as Name[]) {
    if (given[field] === undefined) continue
    const value = readField(world, field, given[field], `${name}.${field}`)
    const isCleared = fieldForms[field].kind === 'clearable' && value === ''
    if (isCleared ? world.behaviour.clearsEmpty : value !== undefined) read[field] = isCleared ? undefined : value
  }
  return read
}

/** All fields of a new thing, from those that were given. */
export function completeFields(world: RunningWorld, given: Partial<ThingFields>): ThingFields {
  return { ...emptyFields, date: world.behaviour.defaultDate(Date.now()), ...given }
}

function readNewThings(exchange: RunningExchange, remembered: Remembered | undefined): readonly NewThing[] {
  const { world, account } = exchange
  const localIds = new Set<string>()
  return readObjects(exchange, 'new_thing').map((given, index) => {
    const localId = given.local_id
    if (typeof localId !== 'string' && typeof localId !== 'number') {
      refuse(world, 'local-id-missing', `new_thing[${index}].local_id is required`)
    }
    const fields = readFields(world, given, `new_thing[${index}]`)
    if (fields.title === undefined) refuse(world, 'title-missing', `new_thing[${index}].title is required`)
    const text = String(localId)
    if (localIds.has(text)) refuse(world, 'local-id-shared', `new_thing[${index}].local_id is used twice`)
    localIds.add(text)
    if (account === undefined) throw new Error('an upload needs an account')
    const earlier = remembered?.get(text)
    const known = earlier !== undefined && world.behaviour.isRetry(earlier.given, fields) ? earlier.id : undefined
    return {
      localId: world.behaviour.keepLocalId(localId as string | number),
      id: known ?? world.behaviour.newId(account, world),
      fields: known === undefined ? completeFields(world, fields) : asChange(world, fields),
      given: fields,
      retried: known !== undefined,
    }
  })
}

/** The fields of a change: `archived` that is absent means false (interface 2.1). */
function asChange(world: RunningWorld, fields: Partial<ThingFields>): Partial<ThingFields> {
  return world.behaviour.missingArchivedIsFalse ? { archived: false, ...fields } : fields
}

function readChangedThings(exchange: RunningExchange): readonly ChangedThing[] {
  const { world } = exchange
  return readObjects(exchange, 'changed_thing').map((given, index) => {
    const id = given._id
    if (typeof id !== 'string') refuse(world, 'id-missing', `changed_thing[${index}]._id is required`)
    const fields = readFields(world, given, `changed_thing[${index}]`)
    if (fields.title === undefined) refuse(world, 'title-missing', `changed_thing[${index}].title is required`)
    return { id: String(id), fields: asChange(world, fields) }
  })
}

/** `color`: false, or `#rgb` or `#rrggbb`. */
function readColor(world: RunningWorld, value: Json): string | false {
  if (value === false || value === 'false') return false
  if (typeof value !== 'string' || !/^#([\da-f]{3}|[\da-f]{6})$/i.test(value)) {
    refuse(world, 'color-invalid', 'color is false or #rrggbb')
  }
  return world.behaviour.keepColor(String(value))
}

function readTodo(world: RunningWorld, value: Json): TagSettings['todo'] {
  if ((value === 'strike' || value === 'dont-strike') && world.behaviour.readsTodoText) return value
  return readBoolean(world, value, 'todo') ? world.behaviour.todoTrue : false
}

function falseForNull(given: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? false]))
}

function readSettings(world: RunningWorld, given: Json): Partial<TagSettings> {
  if (!isObject(given)) refuse(world, 'parameter-invalid', 'tag settings are not an object')
  const settings = isObject(given) ? given : {}
  const reset = world.behaviour.nullTagSetting === 'resets'
  const { favorite, color, todo } = reset ? falseForNull(settings) : withoutNulls(world, settings)
  return {
    ...(favorite === undefined ? {} : { favorite: readBoolean(world, favorite, 'favorite') ?? false }),
    ...(color === undefined ? {} : { color: readColor(world, color) }),
    ...(todo === undefined ? {} : { todo: readTodo(world, todo) }),
  }
}

/** The tag settings in one parameter, as pairs of name and settings, and the form in which they came. */
function readTag(
  world: RunningWorld,
  [name, value]: Parameter,
): readonly (readonly [string, Partial<TagSettings>, string])[] {
  const [, nested, field] = /^tag\[(.*)\]\[(favorite|color|todo)\]$/s.exec(name) ?? []
  if (nested !== undefined && field !== undefined) return [[nested, readSettings(world, { [field]: value }), 'nested']]
  const [, single] = /^tag\[(.*)\]$/s.exec(name) ?? []
  if (single !== undefined) return [[single, readSettings(world, parseJson(world, value, name)), 'single']]
  if (name !== 'tag') return []
  const map = parseJson(world, value, name)
  if (!isObject(map)) refuse(world, 'tag-not-map', 'tag is not a map of tag settings')
  const entries = Object.entries(isObject(map) ? map : {})
  return entries.map(([tag, given]) => [tag, readSettings(world, parseJson(world, given, `tag ${tag}`)), 'map'])
}

function readTags({ world, parameters }: RunningExchange): ReadonlyMap<string, Partial<TagSettings>> {
  const tags = new Map<string, Partial<TagSettings>>()
  const forms = new Set<string>()
  for (const [name, settings, form] of parameters.flatMap((parameter) => readTag(world, parameter))) {
    tags.set(name, { ...tags.get(name), ...settings })
    forms.add(form)
  }
  return world.behaviour.submittedTags(tags, forms)
}

/** Everything that a sync uploads; refuses all of it when one part is wrong (contract, errors). */
export function readUpload(exchange: RunningExchange, remembered: Remembered | undefined): Upload {
  return {
    created: readNewThings(exchange, remembered),
    changed: readChangedThings(exchange),
    deleted: readIds(exchange, 'deleted_thing'),
    tags: readTags(exchange),
  }
}

/** Whether the request holds any upload parameter. */
export function hasUpload({ parameters }: Pick<RunningExchange, 'parameters'>): boolean {
  return parameters.some(([name]) => /^(new_thing|changed_thing|deleted_thing|tag)(\[|$)/.test(name))
}
