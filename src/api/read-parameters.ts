import type { Work } from '../slices.ts'
import type { JsonLimits } from '../wire/check-json.ts'
import { gatherParameters } from '../wire/gather-parameters.ts'
import { declaredProperties, type JsonSchema } from '../wire/json-schema.ts'
import { readValues } from '../wire/read-values.ts'
import type { Fields } from './read-request.ts'
import type { Route } from './routes.ts'

type Parameters = Record<string, unknown>
type Violations = ReturnType<Route['validate']>

/** How many items of a list are coerced or judged at once. */
const itemsInPiece = 32

function* cutList(items: readonly unknown[]): Generator<readonly [start: number, piece: unknown[]]> {
  for (let start = 0; start < items.length; start += itemsInPiece)
    yield [start, items.slice(start, start + itemsInPiece)]
}

const isLongList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > itemsInPiece

const hasLongList = (parameters: Parameters): boolean => {
  for (const name in parameters) if (isLongList(parameters[name])) return true
  return false
}

/** What fields hold, in the shape and the spelling that the schema declares. */
export function* decodeFields({ fields, spelling }: Fields, schema: JsonSchema, limits: JsonLimits): Work<Parameters> {
  if (fields.length === 0) return {}
  const gathered = yield* gatherParameters(fields, schema, spelling, limits)
  if (!hasLongList(gathered)) return readValues(gathered, schema, spelling) as Parameters
  // A parameter is read by itself as it is among the others, and so is an item of a list.
  const readOne = (name: string, value: unknown): unknown =>
    (readValues({ [name]: value }, schema, spelling) as Parameters)[name]
  const read: [string, unknown][] = []
  for (const [name, value] of Object.entries(gathered))
    read.push([
      name,
      isLongList(value) ? yield* readList(value, (piece) => readOne(name, piece)) : readOne(name, value),
    ])
  return Object.fromEntries(read)
}

function* readList(items: readonly unknown[], readPiece: (piece: unknown[]) => unknown): Work<unknown[]> {
  const read: unknown[] = []
  for (const [, piece] of cutList(items)) {
    for (const item of readPiece(piece) as unknown[]) read.push(item)
    yield
  }
  return read
}

/**
 * What the route's validators find first in parameters: the same errors as when all is judged at once. Each long list is
 * judged piece by piece; then all is judged once more with only the first wrong piece of each, or with any other.
 */
export function* findViolations(route: Route, parameters: Parameters): Work<Violations> {
  if (route.bodySchema === undefined) return route.validate({ query: parameters })
  return hasLongList(parameters) ? yield* findLongViolations(route, parameters) : route.validate({ body: parameters })
}

function* findLongViolations(route: Route, body: Parameters): Work<Violations> {
  const limits = declaredProperties(route.bodySchema ?? {})
  const starts = new Map<string, number>()
  const shortened: [string, unknown][] = []
  for (const [name, value] of Object.entries(body)) {
    // A list that is too long is refused for that, before its items are looked at.
    const isJudgedByItems = isLongList(value) && value.length <= (limits.get(name)?.maxItems ?? value.length)
    const piece = isJudgedByItems ? yield* findWrongPiece(route, name, value, starts) : value
    shortened.push([name, piece])
  }
  const errors = route.validate({ body: Object.fromEntries(shortened) })
  if (errors.length === 0 && starts.size > 0) return route.validate({ body })
  return errors.map((error) => ({ ...error, instancePath: showWholePath(error.instancePath, starts) }))
}

function* findWrongPiece(
  route: Route,
  name: string,
  items: readonly unknown[],
  starts: Map<string, number>,
): Work<readonly unknown[]> {
  for (const [start, piece] of cutList(items)) {
    if (route.validate({ body: { [name]: piece } }).length > 0) {
      starts.set(name, start)
      return piece
    }
    yield
  }
  return items.slice(0, itemsInPiece)
}

/** The path of an error in the whole list: `/new_thing/3/title` is that of a piece. */
const showWholePath = (path: string, starts: ReadonlyMap<string, number>): string => {
  const [, name = '', index, ...below] = path.split('/')
  const start = starts.get(name)
  return start === undefined || index === undefined ? path : ['', name, start + Number(index), ...below].join('/')
}
