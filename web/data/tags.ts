import type { TagSettings } from '../../client/src/index.ts'
import { foldText } from '../search/query.ts'
import type { ListedTag } from './edit-form.ts'
import type { Row } from './item-parts.ts'
import type { EditStep } from './undo.ts'

/** A tag in the tree of nested tags. By convention, `a/b` is nested in `a`. */
export interface TagNode {
  /** The whole name, for example `a/b`. */
  readonly name: string
  /** The last part of the name, for example `b`. */
  readonly label: string
  /** The tag itself; undefined if only nested tags are in use. */
  readonly tag?: ListedTag
  /** The number of items with the tag, and with each nested tag. An item with two of these tags counts twice. */
  readonly count: number
  readonly children: readonly TagNode[]
}

interface OpenNode {
  readonly name: string
  readonly label: string
  tag?: ListedTag
  readonly children: OpenNode[]
}

const closeNode = ({ name, label, tag, children }: OpenNode): TagNode => {
  const closed = children.map(closeNode)
  const count = closed.reduce((sum, child) => sum + child.count, tag?.count ?? 0)
  return { name, label, ...(tag === undefined ? {} : { tag }), count, children: closed }
}

/** The maximum depth of the tree; deeper names stay whole in the last level. */
const maxDepth = 8

/** Splits a name at each `/` with text on both sides. */
const splitName = (name: string): readonly string[] => {
  const parts = name.split('/')
  if (parts.some((part) => part === '')) return [name]
  return parts.length <= maxDepth ? parts : [...parts.slice(0, maxDepth - 1), parts.slice(maxDepth - 1).join('/')]
}

/** Builds the tree of nested tags. The nodes of a level have the order in which their first tag is listed. */
export const buildTagTree = (tags: readonly ListedTag[]): readonly TagNode[] => {
  const top: OpenNode[] = []
  const nodes = new Map<string, OpenNode>()
  for (const tag of tags) {
    let siblings = top
    let name = ''
    for (const label of splitName(tag.name)) {
      name = name === '' ? label : `${name}/${label}`
      const node: OpenNode = nodes.get(name) ?? { name, label, children: [] }
      if (!nodes.has(name)) {
        nodes.set(name, node)
        siblings.push(node)
      }
      siblings = node.children
    }
    const own = nodes.get(name)
    if (own !== undefined) own.tag = tag
  }
  return top.map(closeNode)
}

/** Lists the names of all tags, the most recently used first. Of rows with the same date, the last is the newest. */
export const listRecentTags = (rows: Iterable<Row>): readonly string[] => {
  const dates = new Map<string, number>()
  for (const { tags, date } of rows) {
    for (const tag of tags) {
      if (date < (dates.get(tag) ?? Number.NEGATIVE_INFINITY)) continue
      // Moves the tag to the end of the map.
      dates.delete(tag)
      dates.set(tag, date)
    }
  }
  return [...dates]
    .reverse()
    .sort(([, one], [, other]) => other - one)
    .map(([name]) => name)
}

/** Ranks how well a folded tag matches the folded text: 0 is best; undefined for no match. */
const rankMatch = (tag: string, text: string): number | undefined => {
  if (text === '') return 0
  if (tag === text) return 0
  if (tag.startsWith(text)) return 1
  if (tag.includes(`/${text}`)) return 2
  // One letter is in almost every tag.
  return text.length > 1 && tag.includes(text) ? 3 : undefined
}

/**
 * Suggests tags for a typed text, at most `max`: first the tags that begin with the text, then those that contain it.
 * Equal matches have the order of `recent`. Without a text, it suggests the first tags of `recent`.
 */
export const suggestTags = (
  recent: readonly string[],
  text: string,
  taken: ReadonlySet<string>,
  max = 8,
): readonly string[] => {
  const wanted = foldText(text)
  return recent
    .flatMap((name, index) => {
      const rank = taken.has(name) ? undefined : rankMatch(foldText(name), wanted)
      return rank === undefined ? [] : [{ name, rank, index }]
    })
    .sort((one, other) => one.rank - other.rank || one.index - other.index)
    .slice(0, max)
    .map(({ name }) => name)
}

/** A tag that the user is typing into a line. */
export interface TypedTag {
  /** The text between `#` and the caret. */
  readonly text: string
  /** The offset behind `#`. */
  readonly from: number
  /** The offset of the end of the word. */
  readonly to: number
}

/** Finds the `#tag` at the caret; undefined if the caret is in another word. */
export const findTypedTag = (line: string, caret: number): TypedTag | undefined => {
  const start = Math.max(line.lastIndexOf('#', caret - 1), 0)
  const before = line.charAt(start - 1)
  const text = line.slice(start + 1, caret)
  if (line.charAt(start) !== '#' || caret <= start || /[\s,;]/u.test(text)) return undefined
  if (before !== '' && !/[\s(,;-]/u.test(before)) return undefined
  const rest = line.slice(caret).search(/[\s,;]/u)
  return { text, from: start + 1, to: rest === -1 ? line.length : caret + rest }
}

/** Replaces the typed tag with this name; returns the line, and the offset of the caret behind the name and a space. */
export const takeTag = (line: string, { from, to }: TypedTag, name: string): readonly [line: string, caret: number] => {
  const rest = line.slice(to)
  return [`${line.slice(0, from)}${name}${rest.startsWith(' ') ? '' : ' '}${rest}`, from + name.length + 1]
}

/** A color of the palette; `words/` has the names. */
export const tagColors = {
  red: '#d64545',
  orange: '#d9762b',
  amber: '#c79a1e',
  lime: '#86a52a',
  green: '#3f9a55',
  teal: '#259a8e',
  cyan: '#2e9bc0',
  blue: '#3f78d8',
  indigo: '#6a68d9',
  purple: '#9658cf',
  pink: '#cf4f93',
  gray: '#7a828c',
} as const

/** The name of a color of the palette. */
export type TagColorName = keyof typeof tagColors

/** The tag that a new to-do gets when no tag makes to-dos. */
const firstTodoTag = 'todo'

/** Tags with these names, folded, become to-do tags on first use. */
const todoNames: readonly string[] = ['todo', 'to-do', 'todos', 'to-dos']

const isTodoTag = (settings: ReadonlyMap<string, TagSettings>, name: string): boolean =>
  (settings.get(name)?.todo ?? false) !== false

/** Returns the most used to-do tag; `todo` if there is none. */
export const findTodoTag = (settings: ReadonlyMap<string, TagSettings>, counts: ReadonlyMap<string, number>): string =>
  [...settings.keys()]
    .filter((name) => isTodoTag(settings, name))
    .sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0))[0] ?? firstTodoTag

/** Whether any of these tags makes an item a to-do. */
export const hasTodoTag = (settings: ReadonlyMap<string, TagSettings>, tags: readonly string[]): boolean =>
  tags.some((tag) => isTodoTag(settings, tag))

/** Lists tags that are in use and have the name of a to-do tag, but give items no checkbox. */
export const listUnsetTodoTags = (
  settings: ReadonlyMap<string, TagSettings>,
  counts: ReadonlyMap<string, number>,
): readonly string[] =>
  [...counts.keys()].filter((name) => todoNames.includes(foldText(name)) && !isTodoTag(settings, name))

/** Whether any step gives an item a tag that could become a to-do tag by its first use. */
export const mayUseTodoFirst = (steps: readonly EditStep[], counts: ReadonlyMap<string, number>): boolean =>
  listUsedTags(steps).some((name) => todoNames.includes(foldText(name)) && !counts.has(name))

const listUsedTags = (steps: readonly EditStep[]): readonly string[] => [
  ...new Set(
    steps.flatMap((step) =>
      step.kind === 'create' || step.kind === 'change' ? (step.fields.tags ?? '').split(' ') : [],
    ),
  ),
]

/**
 * Returns the steps with a step in front that makes `#todo` a to-do tag, if these steps use it first. A tag that items
 * have already keeps its settings, because the user may have decided against checkboxes.
 */
export const withTodoSettings = (
  steps: readonly EditStep[],
  settings: ReadonlyMap<string, TagSettings>,
  counts: ReadonlyMap<string, number>,
): readonly EditStep[] => {
  const set = new Set(steps.flatMap((step) => (step.kind === 'tag' ? [step.name] : [])))
  const first = listUsedTags(steps).filter(
    (name) => todoNames.includes(foldText(name)) && !set.has(name) && !counts.has(name) && !isTodoTag(settings, name),
  )
  return [...first.map((name) => ({ kind: 'tag', name, change: { todo: 'strike' } }) as const), ...steps]
}
