import type { TagSettings } from '../model.ts'
import type { StoredTag } from '../record/change.ts'
import type { TagUsage, ThingForm } from '../store.ts'
import { type Block, cellOf, positionOf } from './block.ts'
import { createRowFeed, type FeedAt } from './feed.ts'
import { createIdIndex } from './hash-index.ts'

/** The settings of an account's tags, now and at earlier positions. */
export interface TagHistory {
  /** Stores settings. Returns true when they turn the tag's things into todos, or back. */
  readonly put: (tag: StoredTag) => boolean
  readonly find: (name: string, position: number) => StoredTag | undefined
  /** Lists the settings at a position that changed after `after`, in the order of their changes. It reads lazily. */
  readonly list: (position: number, after: number) => Iterable<StoredTag>
  /** Captures the rows at a position. They do not change when rows are added, replaced and swept. */
  readonly at: (position: number) => FeedAt<Block>
  readonly read: (block: Block, row: number) => StoredTag
  /** Reads the settings of a row without the name of the tag. */
  readonly readSettings: (block: Block, row: number) => TagSettings
  /** The present usage of tags. */
  readonly usage: () => TagUsage
  /** The tags that make their things todos now; the set changes with each `put`. */
  readonly todoTagsNow: ReadonlySet<string>
  /** Lists the tags that made their things todos at a position. */
  readonly listTodoTags: (position: number) => ReadonlySet<string>
  /** The position from which on the todo tags are the present ones. */
  readonly todoTagsSince: () => number
  /** Drops settings that were replaced at or before a position, step by step. */
  readonly sweep: (floor: number) => Generator<void, void, undefined>
}

/** The cells of a row after the two cells of every row. */
const cell = { slot: 2, settings: 3, previous: 4 } as const
const width = 5

/** Encodes settings as one number. Objects for the settings of hundreds of thousands of tags would fill the heap. */
interface SettingsCode {
  readonly encode: (settings: TagSettings) => number
  readonly decode: (code: number) => TagSettings
}

const todos = [false, 'strike', 'dont-strike'] as const

/**
 * Colors are encoded above the other settings: none, `#rgb`, `#rrggbb`, and then other texts, which only files contain.
 */
const colorStep = 2 * todos.length
const [shortColors, longColors, otherColors] = [1, 1 + 0x1000, 1 + 0x1000 + 0x1000000]
const isColor = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/

const createSettingsCode = (): SettingsCode => {
  const others: string[] = []
  const codes = new Map<string, number>()

  const encodeColor = (color: string | false): number => {
    if (color === false) return 0
    if (isColor.test(color))
      return (color.length === 4 ? shortColors : longColors) + Number.parseInt(color.slice(1), 16)
    const known = codes.get(color) ?? others.push(color) - 1
    codes.set(color, known)
    return otherColors + known
  }

  const decodeColor = (code: number): string | false => {
    if (code === 0) return false
    if (code >= otherColors) return others[code - otherColors] as string
    if (code >= longColors) return `#${(code - longColors).toString(16).padStart(6, '0')}`
    return `#${(code - shortColors).toString(16).padStart(3, '0')}`
  }

  return {
    encode: ({ favorite, color, todo }) =>
      encodeColor(color) * colorStep + todos.indexOf(todo) * 2 + (favorite ? 1 : 0),
    decode: (code) => ({
      favorite: code % 2 === 1,
      color: decodeColor(Math.floor(code / colorStep)),
      todo: todos[Math.floor(code / 2) % todos.length] ?? false,
    }),
  }
}

/** Bytes that a tag counts beside its name, whatever its settings are. */
const settingsBytes = 64

/** Counts the bytes of a tag whose settings are set or cleared (`quota_bytes`). */
const tagBytes = (name: string): number => Buffer.byteLength(name) + settingsBytes

/** Updates the usage of tags for new settings of one tag; `before` is undefined for a new name. */
export const addTagUsage = (
  { tags, clearedTags, tagBytes: bytes }: TagUsage,
  { hasSettings }: ThingForm,
  name: string,
  settings: TagSettings,
  before: TagSettings | undefined,
): TagUsage => {
  const [isSet, wasSet] = [hasSettings(settings), before !== undefined && hasSettings(before)]
  const wasCleared = before !== undefined && !wasSet
  return {
    tags: tags + (isSet ? 1 : 0) - (wasSet ? 1 : 0),
    clearedTags: clearedTags + (isSet ? 0 : 1) - (wasCleared ? 1 : 0),
    tagBytes: bytes + (before === undefined ? tagBytes(name) : 0),
  }
}

/**
 * Creates a history without tags. It calls `noteReplaced` for each replaced version with 0 bytes: versions are small.
 */
export const createTagHistory = (form: ThingForm, noteReplaced: (bytes: number) => void): TagHistory => {
  const names = createIdIndex()
  const feed = createRowFeed(width)
  const code = createSettingsCode()
  // A copy for each put would cost as much as the number of todo tags.
  const todoTagsNow = new Set<string>()
  let todoTags: ReadonlySet<string> = new Set()
  let isCollected = true
  let todoTagsSince = 0
  let usage: TagUsage = { tags: 0, clearedTags: 0, tagBytes: 0 }

  const readSettings: TagHistory['readSettings'] = (block, row) => code.decode(cellOf(block, row, cell.settings))

  const read: TagHistory['read'] = (block, row) => ({
    name: names.idOf(cellOf(block, row, cell.slot)),
    position: positionOf(block, row),
    settings: readSettings(block, row),
  })

  const put = ({ name, position, settings }: StoredTag): boolean => {
    const nameCount = names.size()
    const slot = names.take(name)
    const previous = slot === nameCount ? 0 : names.newestOf(slot)
    const found = previous === 0 ? undefined : feed.find(previous)
    const before = found && readSettings(found.block, found.row)
    if (found !== undefined) {
      feed.replace(previous, position)
      noteReplaced(0)
    }
    feed.append(position, [slot, code.encode(settings), previous])
    names.setNewest(slot, position)
    usage = addTagUsage(usage, form, name, settings, before)
    const isTodo = form.isTodoTag(settings)
    if (isTodo === (before !== undefined && form.isTodoTag(before))) return false
    if (isTodo) todoTagsNow.add(name)
    else todoTagsNow.delete(name)
    isCollected = false
    todoTagsSince = position
    return true
  }

  function* readRows(rowsAt: FeedAt<Block>, after: number): Generator<StoredTag, void, undefined> {
    for (const { block, rows } of rowsAt.walk(after)) for (const row of rows()) yield read(block, row)
  }

  const list: TagHistory['list'] = (position, after) => {
    const rowsAt = feed.at(position)
    return { [Symbol.iterator]: () => readRows(rowsAt, after) }
  }

  const collectTodoTags = (position: number): ReadonlySet<string> => {
    const collected = new Set<string>()
    for (const { block, rows } of feed.at(position).walk(0))
      for (const row of rows())
        if (form.isTodoTag(readSettings(block, row))) collected.add(names.idOf(cellOf(block, row, cell.slot)))
    return collected
  }

  const listTodoTags = (position: number): ReadonlySet<string> => {
    if (position < todoTagsSince) return collectTodoTags(position)
    if (!isCollected) todoTags = new Set(todoTagsNow)
    isCollected = true
    return todoTags
  }

  const find = (name: string, position: number): StoredTag | undefined => {
    const slot = names.find(name)
    let at = slot === undefined ? 0 : names.newestOf(slot)
    while (at !== 0) {
      const found = feed.find(at)
      // Versions that no readable position needs were removed.
      if (found === undefined) return undefined
      if (at <= position) return { name, position: at, settings: readSettings(found.block, found.row) }
      at = cellOf(found.block, found.row, cell.previous)
    }
    return undefined
  }

  return {
    put,
    find,
    list,
    at: feed.at,
    read,
    readSettings,
    usage: () => usage,
    todoTagsNow,
    listTodoTags,
    todoTagsSince: () => todoTagsSince,
    sweep: feed.sweep,
  }
}
