import type { Work } from '../../slices.ts'
import { type Change, type ErrandChange, errandChangesOf, findPosition } from '../change.ts'
import type { App, AuthorizationCode, BrowserSession, Key, Link, Session, User } from '../directory.ts'
import type { DirectoryChanges } from '../directory-state.ts'
import { isErrand, isRecord, isTag, isThing, isTombstone } from '../files/account-file.ts'
import { directoryShapes } from '../files/directory-file.ts'
import { DamagedFile } from '../files/sealed-json.ts'
import { isListOf, isObjectOf, isOptional, isText, type Shape } from '../files/shape.ts'
import type { EncodedChanges } from '../keeper.ts'

/** The steps of a write that removed an account. */
export const removal = 'removed'

/** The steps of a write to an account, as JSON. */
export const encodeChanges = (changes: readonly Change[]): string => JSON.stringify(changes)

/** How many changes are encoded at once. */
const changesInPiece = 32
const roomBytes = 512 * 1024

/** The same as bytes, made piece by piece. */
export function* encodeManyChanges(changes: readonly Change[]): Work<EncodedChanges> {
  const rooms: Buffer[] = []
  let room = Buffer.alloc(0)
  let used = 0
  const put = (text: string): void => {
    // No character has more than three bytes.
    if (room.length - used < text.length * 3) {
      if (used > 0) rooms.push(room.subarray(0, used))
      room = Buffer.allocUnsafeSlow(Math.max(roomBytes, text.length * 3))
      used = 0
    }
    used += room.write(text, used)
  }
  put('[')
  for (let start = 0; start < changes.length; start += changesInPiece) {
    if (start > 0) put(',')
    put(encodeChanges(changes.slice(start, start + changesInPiece)).slice(1, -1))
    yield
  }
  put(']')
  return { encoded: [...rooms, room.subarray(0, used)], errands: errandChangesOf(changes) }
}

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

/** True for the steps of a write to an account, at whatever position. */
export const areChanges = (steps: unknown): steps is readonly Change[] =>
  isListOf((step) => stepShapes.some((shape) => shape(step)))(steps)

/** Reads the steps of a write to an account at a position. @throws DamagedFile when they do not go on from there */
export const decodeChanges = (steps: unknown, position: number): readonly Change[] => {
  if (!areChanges(steps)) throw new DamagedFile('a change in it is not complete')
  let last = position
  for (const change of steps) {
    const next = findPosition(change)
    if (next !== undefined && next !== last + 1)
      throw new DamagedFile(`a change at position ${next} follows position ${last}`)
    last = next ?? last
  }
  return steps
}

/**
 * The steps of a change of the directory, as JSON: items with their id, null for one that was deleted. Kinds that version
 * 1.0.0 did not know are named only when there are any, because most lines are of a session's refresh.
 */
export const encodeDirectoryChanges = (changes: DirectoryChanges): string => {
  const { users, apps, sessions, codes, browserSessions, links, keys } = changes
  return JSON.stringify({
    users: listItems(users),
    apps: listItems(apps),
    sessions: listItems(sessions),
    ...(codes.size > 0 && { codes: listItems(codes) }),
    ...(browserSessions.size > 0 && { browserSessions: listItems(browserSessions) }),
    ...(links.size > 0 && { links: listItems(links) }),
    ...(keys.size > 0 && { keys: listItems(keys) }),
  } satisfies WrittenDirectoryChanges)
}

const listItems = <Item>(items: ReadonlyMap<string, Item | undefined>): WrittenItems<Item> =>
  Array.from(items, ([id, item]) => [id, item ?? null] as const)

type WrittenItems<Item> = readonly (readonly [string, Item | null])[]

interface WrittenDirectoryChanges {
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

const haveDirectoryShape = isObjectOf({
  users: isListOfItems(directoryShapes.users),
  apps: isListOfItems(directoryShapes.apps),
  sessions: isListOfItems(directoryShapes.sessions),
  codes: isOptional(isListOfItems(directoryShapes.codes)),
  browserSessions: isOptional(isListOfItems(directoryShapes.browserSessions)),
  links: isOptional(isListOfItems(directoryShapes.links)),
  keys: isOptional(isListOfItems(directoryShapes.keys)),
})

const areDirectoryChanges = (steps: unknown): steps is WrittenDirectoryChanges => haveDirectoryShape(steps)

const mapItems = <Item>(items: WrittenItems<Item> = []): ReadonlyMap<string, Item | undefined> =>
  new Map(Array.from(items, ([id, item]) => [id, item ?? undefined]))

/** Reads the steps of a change of the directory. @throws DamagedFile */
export const decodeDirectoryChanges = (steps: unknown): DirectoryChanges => {
  if (!areDirectoryChanges(steps)) throw new DamagedFile('a user, app or session in it is not complete')
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
