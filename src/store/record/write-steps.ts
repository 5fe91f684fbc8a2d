import { registryShapes } from '../disk/registry-file.ts'
import type { App, AuthorizationCode, BrowserSession, Key, Link, Session, User } from '../registry/registry.ts'
import type { RegistryChanges } from '../registry/registry-state.ts'
import { isErrand, isRecord, isTag, isThing, isTombstone, isWrittenThing } from './account-file.ts'
import type { Change, ErrandChange, OtherChange } from './change.ts'
import { DamagedFile } from './sealed-json.ts'
import { isListOf, isObjectOf, isOptional, isText, type Shape } from './shape.ts'
import { encodeStoredThing, readWrittenThing, type WrittenThing } from './thing-step.ts'

/** The steps of a write that removed an account. */
export const removal = 'removed'

/** A step as JSON, all but those of things (`thing-step.ts`). */
export const encodeChange = (change: OtherChange): string => JSON.stringify(change)

/** Any step as JSON. A thing that is there as bytes is not to be made anew like this. */
export const encodeStep = (change: Change): string =>
  'thing' in change ? encodeStoredThing(change.thing) : encodeChange(change)

const isGroup = isObjectOf({ kind: isText, group: isText })
const isKey = isObjectOf({ kind: isText, group: isText, key: isText })

const errandShapes: readonly Shape[] = [
  isObjectOf({ errand: isErrand }),
  isObjectOf({ removedErrand: isObjectOf({ key: isText }) }),
]

const stepShapes: readonly Shape[] = [
  isObjectOf({ thing: isThing }),
  isObjectOf({ tombstone: isTombstone }),
  isObjectOf({ tag: isTag }),
  isObjectOf({ record: isRecord }),
  isObjectOf({ removedRecord: isKey }),
  isObjectOf({ removedRecords: isGroup }),
  ...errandShapes,
]

/** True for a step of a write that changes what is to be told. */
export const isErrandStep = (step: unknown): step is ErrandChange => errandShapes.some((shape) => shape(step))

const isChange = (step: unknown): step is Change => stepShapes.some((shape) => shape(step))

const isWritten = (step: unknown): step is WrittenThing => isWrittenThing(step)

/** A step that was parsed, of a thing in the form of today or of earlier versions; undefined when it is none. */
export const readChange = (step: unknown): Change | undefined => {
  if (isWritten(step)) return { thing: readWrittenThing(step) }
  return isChange(step) ? step : undefined
}

/** The steps of a write to an account, at whatever position; undefined when one of them is none. */
export const readChanges = (steps: unknown): readonly Change[] | undefined => {
  const changes = Array.isArray(steps) ? steps.map(readChange) : [undefined]
  return changes.every((change) => change !== undefined) ? changes : undefined
}

/**
 * The steps of a change of the registry, as JSON: items with their id, null for one that was deleted. Kinds that version
 * 1.0.0 did not know are named only when there are any, because most lines are of a session's refresh.
 */
export const encodeRegistryChanges = (changes: RegistryChanges): string => {
  const { users, apps, sessions, codes, browserSessions, links, keys } = changes
  return JSON.stringify({
    users: listItems(users),
    apps: listItems(apps),
    sessions: listItems(sessions),
    ...(codes.size > 0 && { codes: listItems(codes) }),
    ...(browserSessions.size > 0 && { browserSessions: listItems(browserSessions) }),
    ...(links.size > 0 && { links: listItems(links) }),
    ...(keys.size > 0 && { keys: listItems(keys) }),
  } satisfies WrittenRegistryChanges)
}

const listItems = <Item>(items: ReadonlyMap<string, Item | undefined>): WrittenItems<Item> =>
  Array.from(items, ([id, item]) => [id, item ?? null] as const)

type WrittenItems<Item> = readonly (readonly [string, Item | null])[]

interface WrittenRegistryChanges {
  readonly users: WrittenItems<User>
  readonly apps: WrittenItems<App>
  readonly sessions: WrittenItems<Session>
  readonly codes?: WrittenItems<AuthorizationCode>
  readonly browserSessions?: WrittenItems<BrowserSession>
  readonly links?: WrittenItems<Link>
  readonly keys?: WrittenItems<Key>
}

const isListOfItems = (shape: Shape): Shape =>
  isListOf((pair) => Array.isArray(pair) && isText(pair[0]) && (pair[1] === null || shape(pair[1])))

const haveRegistryShape = isObjectOf({
  users: isListOfItems(registryShapes.users),
  apps: isListOfItems(registryShapes.apps),
  sessions: isListOfItems(registryShapes.sessions),
  codes: isOptional(isListOfItems(registryShapes.codes)),
  browserSessions: isOptional(isListOfItems(registryShapes.browserSessions)),
  links: isOptional(isListOfItems(registryShapes.links)),
  keys: isOptional(isListOfItems(registryShapes.keys)),
})

const areRegistryChanges = (steps: unknown): steps is WrittenRegistryChanges => haveRegistryShape(steps)

const mapItems = <Item>(items: WrittenItems<Item> = []): ReadonlyMap<string, Item | undefined> =>
  new Map(Array.from(items, ([id, item]) => [id, item ?? undefined]))

/** Reads the steps of a change of the registry. @throws DamagedFile */
export const decodeRegistryChanges = (steps: unknown): RegistryChanges => {
  if (!areRegistryChanges(steps)) throw new DamagedFile('a user, app or session in it is not complete')
  return {
    users: mapItems(steps.users),
    apps: mapItems(steps.apps),
    sessions: mapItems(steps.sessions),
    codes: mapItems(steps.codes),
    browserSessions: mapItems(steps.browserSessions),
    links: mapItems(steps.links),
    keys: mapItems(steps.keys),
  }
}
