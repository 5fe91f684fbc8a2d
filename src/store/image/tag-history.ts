import type { StoredTag } from '../record/change.ts'
import type { ThingForm } from '../store.ts'
import { positionOf } from './block.ts'
import { createRowFeed } from './feed.ts'

/** The settings of an account's tags, now and at earlier positions. */
export interface TagHistory {
  /** True when the things that carry the tag are todos from now on, or are none any more. */
  readonly put: (tag: StoredTag) => boolean
  readonly find: (name: string, position: number) => StoredTag | undefined
  /** The settings at a position that changed after another one, in the order of their changes. */
  readonly list: (position: number, after: number) => readonly StoredTag[]
  /** The tags that make their things todos now; it changes with each `put`. */
  readonly todoTagsNow: ReadonlySet<string>
  /** The tags that made their things todos at a position. */
  readonly listTodoTags: (position: number) => ReadonlySet<string>
  /** The position from which on they are what they are now. */
  readonly todoTagsSince: () => number
  /** Drops what was replaced at or before a position, step by step. */
  readonly sweep: (floor: number) => Generator<void, void, undefined>
}

interface TagVersion {
  readonly tag: StoredTag
  readonly isTodo: boolean
  replacedAt: number
  previous: TagVersion | undefined
}

/** Settings of no tag. `noteReplaced` is told of each version that a later one replaces. */
export const createTagHistory = (form: ThingForm, noteReplaced: () => void): TagHistory => {
  const feed = createRowFeed()
  const versions = new Map<number, TagVersion>()
  const newest = new Map<string, TagVersion>()
  // To copy them for each put would cost as much as there are.
  const todoTagsNow = new Set<string>()
  let todoTags: ReadonlySet<string> = new Set()
  let isCollected = true
  let todoTagsSince = 0

  const put = (tag: StoredTag): boolean => {
    const previous = newest.get(tag.name)
    if (previous !== undefined) {
      previous.replacedAt = tag.position
      feed.replace(previous.tag.position, tag.position)
      noteReplaced()
    }
    const isTodo = form.isTodoTag(tag.settings)
    const version = { tag, isTodo, replacedAt: Number.POSITIVE_INFINITY, previous }
    feed.append(tag.position)
    versions.set(tag.position, version)
    newest.set(tag.name, version)
    if (isTodo === (previous?.isTodo ?? false)) return false
    if (isTodo) todoTagsNow.add(tag.name)
    else todoTagsNow.delete(tag.name)
    isCollected = false
    todoTagsSince = tag.position
    return true
  }

  const listVersions = (position: number, after: number): readonly TagVersion[] => {
    const found: TagVersion[] = []
    for (const { block, rows } of feed.at(position).walk(after))
      for (const row of rows()) found.push(versions.get(positionOf(block, row)) as TagVersion)
    return found
  }

  const collectTodoTags = (position: number): ReadonlySet<string> =>
    new Set(listVersions(position, 0).flatMap(({ tag, isTodo }) => (isTodo ? [tag.name] : [])))

  const listTodoTags = (position: number): ReadonlySet<string> => {
    if (position < todoTagsSince) return collectTodoTags(position)
    if (!isCollected) todoTags = new Set(todoTagsNow)
    isCollected = true
    return todoTags
  }

  const find = (name: string, position: number): StoredTag | undefined => {
    let version = newest.get(name)
    while (version !== undefined && version.tag.position > position) version = version.previous
    return version?.tag
  }

  function* sweep(floor: number): Generator<void, void, undefined> {
    for (const [position, version] of versions) {
      if (version.replacedAt <= floor) versions.delete(position)
      else if (position <= floor) version.previous = undefined
    }
    yield* feed.sweep(floor)
  }

  return {
    put,
    find,
    todoTagsNow,
    list: (position, after) => listVersions(position, after).map(({ tag }) => tag),
    listTodoTags,
    todoTagsSince: () => todoTagsSince,
    sweep,
  }
}
