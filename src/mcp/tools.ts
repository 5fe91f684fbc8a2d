import type { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod/v4'
import { isClientError } from '../../client/src/client-error.ts'
import type { ReplicaEdit, ReplicaThing } from '../../client/src/replica-records.ts'
import { parseUrl } from '../parse-url.ts'
import { FieldError } from '../transfer/fields.ts'
import { sanitizeHtml } from '../transfer/html.ts'
import { toNoteHtml } from '../transfer/note-html.ts'
import { renderMarkdown } from '../transfer/render-markdown.ts'
import { type Account, type SavedEdit, ToolProblem } from './account.ts'
import { foldText, itemKinds, listTagsIn, readWords } from './search-items.ts'
import {
  createResult,
  cutText,
  maxResultCharacters,
  maxShown,
  readNote,
  type ShownItem,
  shorten,
  showCopy,
  showItem,
  type ToolResult,
} from './show-items.ts'

/** What the tools may do. */
export interface ToolRights {
  /** False for a read-only token: there are no tools that write. */
  readonly mayWrite: boolean
  /** With `--allow-delete`. */
  readonly mayDelete: boolean
}

const maxNoteCharacters = 200_000

const id = z.string().min(1).max(200).describe('The id of the item, from search_items.')
const tag = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\s#][^\s]*$/u, 'a tag is one word, without # and spaces')
const tags = z.array(tag).max(50)
const title = z.string().min(1).max(2_000)
const url = z.string().max(8_000)
const note = z.string().max(maxNoteCharacters)
const noteFormat = z.enum(['markdown', 'text', 'html']).describe('The format of note; markdown by default.')
const date = z
  .string()
  .max(40)
  .refine(
    (text) => /^\d{4}-\d\d-\d\d/u.test(text) && !Number.isNaN(Date.parse(text)),
    'must be a date like 2026-01-31 or 2026-01-31T08:00:00Z',
  )

const shownItem = z.object({
  id: z.string(),
  kind: z.enum(itemKinds),
  title: z.string(),
  url: z.string().optional(),
  tags: z.array(z.string()),
  created: z.string().nullable(),
  archived: z.boolean(),
  done: z.boolean().optional(),
  excerpt: z.string().optional(),
  note_length: z.number(),
  waiting: z.boolean().describe('True while an edit of the item waits for the server.'),
})
const copy = z
  .object({ synced_at: z.string().nullable(), problem: z.string().optional() })
  .describe('The age of the local copy, and why it may be out of date.')
const notice = z.string()
const savedItem = z.object({
  notice,
  saved: z.enum(['on_server', 'waiting', 'already']),
  reason: z.string().optional(),
  item: shownItem,
})

const dayMilliseconds = 86_400_000

/** Reads a date as Unix time in seconds; `isEnd` means the end of a day that is given without a time. */
const readDate = (text: string | undefined, isEnd = false): number | undefined => {
  if (text === undefined) return undefined
  const isDay = /^\d{4}-\d\d-\d\d$/u.test(text)
  return (Date.parse(text) + (isEnd && isDay ? dayMilliseconds - 1 : 0)) / 1000
}

/** Converts a note to the HTML of an item, without scripts, styles and forms. @throws ToolProblem */
const toHtml = (text: string, format: 'markdown' | 'text' | 'html' = 'markdown'): string => {
  if (format === 'text') return toNoteHtml(text)
  if (format === 'html') return sanitizeHtml(text)
  try {
    return renderMarkdown(text)
  } catch (error) {
    if (error instanceof FieldError) throw new ToolProblem(`note: ${error.message}`)
    throw error
  }
}

/** Checks a URL. @throws ToolProblem that names the field */
const checkUrl = (text: string): string => {
  if (!['http:', 'https:'].includes(parseUrl(text)?.protocol ?? ''))
    throw new ToolProblem('url must be a URL that begins with http:// or https://')
  return text
}

const findItem = async ({ replica }: Account, itemId: string): Promise<ReplicaThing> => {
  const item = await replica.findThing(itemId)
  if (item === undefined) throw new ToolProblem(`there is no item with the id ${JSON.stringify(itemId)}; search for it`)
  return item
}

/** Takes as many items as fit into a result. */
const takeWithin = (items: readonly ShownItem[]): readonly ShownItem[] => {
  let characters = 0
  const fits = items.findIndex((item) => {
    characters += JSON.stringify(item).length
    return characters > maxResultCharacters
  })
  return fits === -1 ? items : items.slice(0, Math.max(1, fits))
}

const count = (number: number): string => (number === 1 ? '1 item' : `${number} items`)

/** Shows an item after an edit. */
const showSaved = async (account: Account, done: string, { id: itemId, waitsBecause }: SavedEdit) => {
  const item = await findItem(account, itemId)
  const sentence =
    waitsBecause === undefined
      ? `${done}.`
      : `${done} on this device. The server does not have it yet: ${waitsBecause}. It is sent with the next sync.`
  const saved = waitsBecause === undefined ? 'on_server' : 'waiting'
  return createResult(
    sentence,
    { saved, ...(waitsBecause === undefined ? {} : { reason: waitsBecause }) },
    { item: showItem(item) },
  )
}

/** Adds the tools that only read. */
const addReadTools = (server: McpServer, run: Run): void => {
  const reads = { readOnlyHint: true, openWorldHint: false } as const
  server.registerTool(
    'search_items',
    {
      title: 'Search saved items',
      description:
        'Searches the links, notes and to-dos that the user has saved, in title, tags, URL and note. All words must occur. ' +
        'Without a query it lists the newest items. Works offline.',
      inputSchema: z.object({
        query: z.string().max(500).optional().describe('Words, and phrases in double quotes.'),
        tags: z.array(z.string().min(1).max(200)).max(20).optional().describe('Only items with all of these tags.'),
        kind: z.enum(itemKinds).optional(),
        done: z.boolean().optional().describe('Only to-dos that are done, or that are open.'),
        archived: z.enum(['exclude', 'include', 'only']).optional().describe('exclude by default.'),
        created_after: date.optional().describe('ISO 8601 date or time; included.'),
        created_before: date.optional().describe('ISO 8601 date or time; included.'),
        limit: z.int().min(1).max(50).optional().describe('Maximum number of items; 10 by default.'),
        offset: z.int().min(0).max(1_000_000).optional().describe('Items to skip: next_offset of the previous result.'),
      }),
      outputSchema: z.object({
        notice,
        total: z.number(),
        next_offset: z.number().optional(),
        copy,
        items: z.array(shownItem),
      }),
      annotations: reads,
    },
    run(async (account, input) => {
      const state = await account.refresh()
      const offset = input.offset ?? 0
      const found = await account.index.search({
        text: input.query ?? '',
        tags: (input.tags ?? []).map((name) => name.replace(/^#/u, '')),
        kind: input.kind,
        isDone: input.done,
        archived: input.archived ?? 'exclude',
        from: readDate(input.created_after),
        to: readDate(input.created_before, true),
      })
      const page = found.slice(offset, offset + (input.limit ?? 10))
      const things = await account.replica.findThings(page)
      const words = readWords(input.query ?? '')
      const all = page.flatMap((one) => things.get(one) ?? []).map((item) => showItem(item, words))
      const items = takeWithin(all)
      const next = offset + (items.length < all.length ? items.length : page.length)
      const facts = {
        total: found.length,
        ...(next < found.length && page.length > 0 ? { next_offset: next } : {}),
        copy: showCopy(state),
      }
      return createResult(`${count(found.length)} found; ${items.length} shown.`, facts, { items })
    }),
  )
  server.registerTool(
    'get_item',
    {
      title: 'Read a saved item',
      description: 'Reads one item with its whole note, in pages. The format html returns the note as it is stored.',
      inputSchema: z.object({
        id,
        format: z.enum(['text', 'html']).optional().describe('The format of the note; text by default.'),
        offset: z.int().min(0).max(20_000_000).optional().describe('Characters of the note to skip: next_offset.'),
        limit: z.int().min(100).max(maxShown.note).optional().describe('Maximum characters; 20,000 by default.'),
      }),
      outputSchema: z.object({
        notice,
        copy,
        next_offset: z.number().optional(),
        item: shownItem,
        note: z.string(),
        note_format: z.enum(['text', 'html']),
      }),
      annotations: reads,
    },
    run(async (account, { id: itemId, format = 'text', offset = 0, limit = 20_000 }) => {
      const state = await account.refresh()
      const item = await findItem(account, itemId)
      const whole = format === 'html' ? (item.html ?? '') : readNote(item)
      // A character of two code units is whole, on the next page.
      const next = offset + limit - (/[\ud800-\udbff]/u.test(whole.charAt(offset + limit - 1)) ? 1 : 0)
      const { excerpt: _, ...shown } = showItem(item)
      return createResult(
        whole.length > next ? `Characters ${offset} to ${next} of ${whole.length}.` : 'The item.',
        { copy: showCopy(state), note_format: format, ...(whole.length > next ? { next_offset: next } : {}) },
        { item: shown, note: cutText(whole, offset, limit) },
      )
    }),
  )
  server.registerTool(
    'list_tags',
    {
      title: 'List tags',
      description: 'Lists the tags of the saved items with the number of items, the most used first.',
      inputSchema: z.object({
        query: z.string().max(200).optional().describe('Only tags that contain this text.'),
        limit: z.int().min(1).max(500).optional().describe('Maximum number of tags; 100 by default.'),
      }),
      outputSchema: z.object({
        notice,
        copy,
        total: z.number(),
        tags: z.array(
          z.object({
            name: z.string(),
            items: z.number(),
            favorite: z.boolean(),
            makes_todos: z.boolean().describe('Items with this tag are to-dos.'),
          }),
        ),
      }),
      annotations: reads,
    },
    run(async (account, { query = '', limit = 100 }) => {
      const state = await account.refresh()
      const settings = await account.replica.listTags()
      const counts = new Map(await account.index.countTags())
      for (const name of settings.keys()) if (!counts.has(name)) counts.set(name, 0)
      const wanted = foldText(query)
      const found = [...counts]
        .filter(([name]) => foldText(name).includes(wanted))
        .sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1))
      const shown = found.slice(0, limit).map(([name, items]) => ({
        name: shorten(name, maxShown.tag),
        items,
        favorite: settings.get(name)?.favorite ?? false,
        makes_todos: (settings.get(name)?.todo ?? false) !== false,
      }))
      const facts = { copy: showCopy(state), total: found.length }
      return createResult(`${found.length} tags; ${shown.length} shown.`, facts, { tags: shown })
    }),
  )
}

/** Adds the tools that change items. */
const addWriteTools = (server: McpServer, run: Run): void => {
  const change = async (account: Account, done: string, itemId: string, edit: ReplicaEdit): Promise<ToolResult> =>
    showSaved(account, done, await account.save(edit)).catch((error: unknown) => {
      // Another device deleted the item while the edit was sent.
      if (!isClientError(error, 'unknown_thing')) throw error
      throw new ToolProblem(`there is no item with the id ${JSON.stringify(itemId)}; search for it`)
    })
  server.registerTool(
    'add_item',
    {
      title: 'Save an item',
      description:
        'Saves a link (with url), a note, or a to-do (with a tag that makes to-dos, see list_tags). ' +
        'A URL that is saved already is not saved again, unless allow_duplicate is true.',
      inputSchema: z.object({
        title,
        url: url.optional(),
        tags: tags.optional(),
        note: note.optional(),
        note_format: noteFormat.optional(),
        allow_duplicate: z.boolean().optional(),
      }),
      outputSchema: savedItem,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    run(async (account, input) => {
      const link = input.url === undefined || input.url === '' ? undefined : checkUrl(input.url)
      const html = input.note === undefined ? '' : toHtml(input.note, input.note_format)
      await account.refresh()
      if (link !== undefined && input.allow_duplicate !== true) {
        const [known] = await account.index.findUrl(link)
        if (known !== undefined)
          return createResult(
            'This URL is saved already; nothing was added. Use update_item to change the item.',
            { saved: 'already' },
            { item: showItem(await findItem(account, known)) },
          )
      }
      const fields = {
        title: input.title,
        tags: [...new Set(input.tags)].join(' '),
        ...(link === undefined ? {} : { url: link }),
        ...(html === '' ? {} : { html }),
      }
      return showSaved(account, 'Saved', await account.save({ kind: 'create', fields }))
    }),
  )
  server.registerTool(
    'update_item',
    {
      title: 'Change a saved item',
      description: 'Changes the given fields of an item. An empty url or note removes it.',
      inputSchema: z.object({
        id,
        title: title.optional(),
        url: url.optional(),
        tags: tags.optional().describe('Replaces all tags.'),
        add_tags: tags.optional(),
        remove_tags: z.array(z.string().min(1).max(200)).max(50).optional(),
        note: note.optional().describe('Replaces the whole note.'),
        note_format: noteFormat.optional(),
        done: z.boolean().optional().describe('Whether a to-do is done.'),
      }),
      outputSchema: savedItem,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    run(async (account, input) => {
      await account.refresh()
      const item = await findItem(account, input.id)
      if (input.done !== undefined && item.todoStatus === undefined)
        throw new ToolProblem('done: this item is no to-do; give it a tag that makes to-dos first')
      const removed = new Set(input.remove_tags)
      const named = [...(input.tags ?? listTagsIn(item.tags)), ...(input.add_tags ?? [])]
      const changesTags = [input.tags, input.add_tags, input.remove_tags].some((list) => list !== undefined)
      const fields = {
        ...(input.title === undefined ? {} : { title: input.title }),
        ...(input.url === undefined ? {} : { url: input.url === '' ? '' : checkUrl(input.url) }),
        ...(changesTags ? { tags: [...new Set(named)].filter((name) => !removed.has(name)).join(' ') } : {}),
        ...(input.note === undefined ? {} : { html: toHtml(input.note, input.note_format) }),
        ...(input.done === undefined ? {} : { todoStatus: input.done }),
      }
      if (Object.keys(fields).length === 0) throw new ToolProblem('give at least one field to change')
      return change(account, 'Changed', input.id, { kind: 'change', id: item.id, fields })
    }),
  )
  server.registerTool(
    'archive_item',
    {
      title: 'Archive a saved item',
      description: 'Archives an item, so that lists hide it, or brings it back with archived: false.',
      inputSchema: z.object({ id, archived: z.boolean().optional().describe('true by default.') }),
      outputSchema: savedItem,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    run(async (account, { id: itemId, archived = true }) => {
      await account.refresh()
      const item = await findItem(account, itemId)
      const done = archived ? 'Archived' : 'Brought back from the archive'
      return change(account, done, itemId, { kind: 'change', id: item.id, fields: { archived } })
    }),
  )
}

/** Adds the tool that deletes items. */
const addDeleteTool = (server: McpServer, run: Run): void => {
  server.registerTool(
    'delete_item',
    {
      title: 'Delete a saved item',
      description: 'Deletes an item permanently, on all devices. Ask the user before. archive_item can be undone.',
      inputSchema: z.object({ id }),
      outputSchema: z.object({
        notice,
        saved: z.enum(['on_server', 'waiting']),
        reason: z.string().optional(),
        item: shownItem,
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    run(async (account, { id: itemId }) => {
      await account.refresh()
      const item = await findItem(account, itemId)
      const { waitsBecause } = await account.save({ kind: 'remove', id: item.id })
      const facts = waitsBecause === undefined ? { saved: 'on_server' } : { saved: 'waiting', reason: waitsBecause }
      return createResult('Deleted.', facts, { item: showItem(item) })
    }),
  )
}

/** A result that tells the assistant what went wrong, and what to do. */
interface ProblemResult extends Record<string, unknown> {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly isError: true
}

/** Wraps the work of a tool: a problem becomes an error result. */
type Run = <Input>(
  work: (account: Account, input: Input) => Promise<ToolResult>,
) => (input: Input) => Promise<ToolResult | ProblemResult>

/**
 * Adds the tools that the token and the options permit. The first call of a tool opens the account. `onFault` receives the errors that are bugs; the assistant gets
 * a fixed sentence for them.
 */
export const addTools = (
  server: McpServer,
  open: () => Promise<Account>,
  { mayWrite, mayDelete }: ToolRights,
  onFault: (fault: unknown) => void,
): void => {
  const run: Run = (work) => async (input) => {
    try {
      return await work(await open(), input)
    } catch (error) {
      const isKnown = error instanceof ToolProblem || isClientError(error)
      if (!isKnown) onFault(error)
      const text = isKnown ? error.message : 'thingsync mcp failed; its error output says why'
      return { content: [{ type: 'text', text }], isError: true }
    }
  }
  addReadTools(server, run)
  if (!mayWrite) return
  addWriteTools(server, run)
  if (mayDelete) addDeleteTool(server, run)
}
