import type { StoredTag } from './change.ts'
import { createTagEntry, findVersion, type TagEntry } from './entry.ts'
import { createFeed, type Feed } from './feed.ts'
import type { ThingForm } from './store.ts'

/** The settings of an account's tags, now and at earlier positions. */
export interface TagHistory {
  readonly feed: Feed<TagEntry>
  readonly put: (tag: StoredTag) => void
  readonly find: (name: string, position: number) => TagEntry | undefined
  /** The tags that made their things todos at a position. */
  readonly listTodoTags: (position: number) => ReadonlySet<string>
}

/** Settings of no tag. `noteReplaced` is told of each version that a later one replaces. */
export const createTagHistory = (form: ThingForm, noteReplaced: () => void): TagHistory => {
  const feed = createFeed<TagEntry>()
  const newest = new Map<string, TagEntry>()
  let todoTags: ReadonlySet<string> = new Set()
  let isCollected = true
  let todoTagsSince = 0

  const put = (tag: StoredTag): void => {
    const previous = newest.get(tag.name)
    if (previous !== undefined) {
      previous.replacedAt = tag.position
      feed.noteReplaced(previous)
      noteReplaced()
    }
    const entry = createTagEntry(form, tag, previous)
    feed.append(entry)
    newest.set(tag.name, entry)
    if (entry.isTodo === (previous?.isTodo ?? false)) return
    isCollected = false
    todoTagsSince = tag.position
  }

  const collectTodoTags = (position: number): ReadonlySet<string> => {
    const names = new Set<string>()
    for (const entry of feed.at(position).walk(0)) if (entry.isTodo) names.add(entry.tag.name)
    return names
  }

  const listTodoTags = (position: number): ReadonlySet<string> => {
    if (position < todoTagsSince) return collectTodoTags(position)
    if (!isCollected) todoTags = collectTodoTags(todoTagsSince)
    isCollected = true
    return todoTags
  }

  return { feed, put, find: (name, position) => findVersion(newest.get(name), position), listTodoTags }
}
