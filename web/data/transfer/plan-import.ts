import type { TagSettings } from '../../../client/src/index.ts'
import type { TransferTagSettings, TransferThing } from '../../../src/transfer/transfer.ts'
import { splitTags } from '../rows.ts'
import type { Step } from '../steps.ts'

/** The tag that a todo is given which has none that makes it one. */
const todoTag = 'todo'

/** What is to be imported, and into what. */
export interface ImportPlan {
  readonly things: readonly TransferThing[]
  /** Settings that come along; what the account has set stays. */
  readonly tags: ReadonlyMap<string, TransferTagSettings>
  /** Tags that everything is given. */
  readonly added: readonly string[]
  /** The settings of the account. */
  readonly settings: ReadonlyMap<string, TagSettings>
}

/** The tags that a thing will have, and whether it needs the one that makes it a todo. */
export const tagsAfterImport = (
  { tags, todoStatus }: Pick<TransferThing, 'tags' | 'todoStatus'>,
  { added, isTodoTag }: { readonly added: readonly string[]; readonly isTodoTag: (tag: string) => boolean },
): readonly string[] => {
  const all = [...new Set([...splitTags(tags), ...added])]
  return todoStatus === undefined || all.some(isTodoTag) ? all : [...new Set([...all, todoTag])]
}

/** The settings of the account with those that come along, where it has none. */
export const settingsAfterImport = ({ tags, settings }: Pick<ImportPlan, 'tags' | 'settings'>) =>
  new Map<string, TagSettings>([...tags, ...settings])

/** Things can carry it: other programs than the web app may have set a name with a blank, or none. */
const isTag = (name: string): boolean => splitTags(name)[0] === name

/** Steps that import things: settings of tags first, for a todo without them would have no checkbox for a moment. */
export const planImport = ({ things, tags, added, settings }: ImportPlan): readonly Step[] => {
  const after = settingsAfterImport({ tags, settings })
  const isTodoTag = (tag: string) => (after.get(tag)?.todo ?? false) !== false
  let needsTodoTag = false
  const creations = things.map(({ title, tags: text, date, url, html, archived, todoStatus }): Step => {
    const names = tagsAfterImport(
      { tags: text, ...(todoStatus === undefined ? {} : { todoStatus }) },
      { added, isTodoTag },
    )
    needsTodoTag ||= todoStatus !== undefined && !names.some(isTodoTag)
    return {
      kind: 'create',
      fields: {
        title,
        // As it was written, when nothing was added: blanks are the person's.
        tags: names.length === splitTags(text).length ? text : names.join(' '),
        archived,
        ...(date === undefined ? {} : { date }),
        ...(url === undefined ? {} : { url }),
        ...(html === undefined ? {} : { html }),
        ...(todoStatus === undefined ? {} : { todoStatus }),
      },
    }
  })
  const missing = [...tags].filter(([name]) => !settings.has(name) && isTag(name))
  return [
    ...missing.map(([name, change]) => ({ kind: 'tag', name, change }) as const),
    ...(needsTodoTag ? [{ kind: 'tag', name: todoTag, change: { todo: 'strike' } } as const] : []),
    ...creations,
  ]
}
