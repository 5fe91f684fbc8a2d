import type { AccountLoading } from '../account/account.ts'
import { createThingScanner } from '../account/kept-thing.ts'
import { type Change, findPosition } from '../change.ts'
import { areChanges } from '../journal/write-steps.ts'

/** Takes the lines of an account's file between its head and its checksum. */
export interface AccountLines {
  /** Takes whole lines; only the last one of all may have no line break. False when they are not what was written. */
  readonly take: (bytes: Buffer) => boolean
  /** True when all lists were there. */
  readonly isComplete: () => boolean
}

/** The lists of a file, and what one of their items is called. */
const itemNames = new Map([
  ['things', 'thing'],
  ['tombstones', 'tombstone'],
  ['tags', 'tag'],
  ['records', 'record'],
])

const [lineBreak, comma] = [0x0a, 0x2c]

const findLineEnd = (bytes: Buffer, start: number): number => {
  const found = bytes.indexOf(lineBreak, start)
  return found === -1 ? bytes.length : found
}

const parseItem = (name: string, text: string): Change | undefined => {
  try {
    const changes = [{ [name]: JSON.parse(text) as unknown }]
    return areChanges(changes) ? changes[0] : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const isNew = (loading: AccountLoading, change: Change): boolean => {
  if ('thing' in change) return !loading.hasId(change.thing.id)
  if ('tombstone' in change) return !loading.hasId(change.tombstone.id)
  return !('tag' in change && loading.hasTag(change.tag.name))
}

/** Puts what stands in the lines into an account; `position` is that of the file's head. */
export const createAccountLines = (loading: AccountLoading, position: number): AccountLines => {
  const scanThing = createThingScanner()
  const lists = new Set<string>()
  let itemName: string | undefined
  let lastPosition = 0
  // A comma stands behind each item of a list but the last.
  let isItemDue = false
  let isEndDue = false

  const isAscending = (itemPosition: number): boolean => {
    const isNext = itemPosition > lastPosition && itemPosition <= position
    lastPosition = itemPosition
    return isNext
  }

  const noteItem = (isFollowed: boolean): boolean => {
    const isAllowed = !isEndDue
    isItemDue = isFollowed
    isEndDue = !isFollowed
    return isAllowed
  }

  const takeItem = (text: string): boolean => {
    const change = parseItem(itemName ?? '', text)
    if (change === undefined || !isNew(loading, change)) return false
    if (!('record' in change) && !isAscending(findPosition(change) ?? 0)) return false
    loading.put(change)
    return true
  }

  /** Takes a line that is not a thing in the usual form. */
  const takeLine = (line: string): boolean => {
    if (itemName === undefined) {
      const [, list = ''] = /^"(\w+)": \[$/.exec(line) ?? []
      itemName = itemNames.get(list)
      lastPosition = 0
      isEndDue = false
      return itemName !== undefined && lists.size < lists.add(list).size
    }
    if (line === '],') {
      itemName = undefined
      return !isItemDue
    }
    const isFollowed = line.endsWith(',')
    return noteItem(isFollowed) && takeItem(isFollowed ? line.slice(0, -1) : line)
  }

  const take = (bytes: Buffer): boolean => {
    for (let at = 0; at < bytes.length; ) {
      const thing = itemName === 'thing' ? scanThing(bytes, at) : undefined
      const lineEnd = thing === undefined ? findLineEnd(bytes, at) : thing.end + (bytes[thing.end] === comma ? 1 : 0)
      if (lineEnd < bytes.length && bytes[lineEnd] !== lineBreak) return false
      if (thing === undefined) {
        if (!takeLine(bytes.toString('utf8', at, lineEnd))) return false
      } else {
        const isPut = noteItem(lineEnd > thing.end) && isAscending(thing.position) && loading.putKept(thing)
        if (!isPut) return false
      }
      at = lineEnd + 1
    }
    return true
  }

  return { take, isComplete: () => itemName === undefined && lists.size === itemNames.size }
}
