// Import and export of the web app. A worker reads files (read-files.ts) with the formats of src/transfer/, which know
// nothing of the app. An import becomes steps of the undo list; an export (export-items.ts) reads the replica.
// Start reading at `Importer`.

import type { TagSettings } from '../../client/src/index.ts'
import type { TransferTagSettings, TransferThing } from '../../src/transfer/transfer.ts'
import type { AccountModel } from '../data/account-model.ts'
import { type Row, splitTags } from '../data/item-parts.ts'
import { createObservable, type Observable } from '../data/observable.ts'
import type { EditStep } from '../data/undo.ts'
import type { FilesToRead, ReadingMessage } from './read-files.ts'

/** Recognizes items that exist already. */
interface KnownThings {
  /**
   * Checks whether the account has an item already (`existing`), or only the file had it before (`repeated`). Call it
   * once for each item, in the order of the file. Items are the same with the same ID or the same URL. Without a URL,
   * title and date identify an item; without a date, title and note. So a second import of a file, also after a
   * stopped one, adds only the missing items.
   */
  readonly check: (thing: TransferThing, allowsDuplicates: boolean) => Promise<'new' | 'existing' | 'repeated'>
}

/** Indexes the items of an account before an import. `readNote` returns the note of the item with this ID. */
export const createKnownThings = (
  rows: Iterable<Row>,
  readNote: (id: string) => Promise<string | undefined>,
): KnownThings => {
  const ids = new Set<string>()
  /** The number of items with each URL; that many of the same URL in the file exist already. */
  const urlCounts = new Map<string, number>()
  const dated = new Set<string>()
  /** The items without a URL by their title: their IDs, or '' for an item without a note. */
  const titled = new Map<string, string[]>()
  /** The notes of the items with a title, after the first reading. */
  const notes = new Map<string, Promise<ReadonlySet<string>>>()
  for (const { id, url, title, date, hasNote } of rows) {
    ids.add(id)
    if (url) {
      urlCounts.set(url, (urlCounts.get(url) ?? 0) + 1)
      continue
    }
    dated.add(`${date} ${title}`)
    const alike = titled.get(title) ?? []
    alike.push(hasNote ? id : '')
    titled.set(title, alike)
  }
  const seen = new Set<string>()
  /** Returns true from the second call with the same key on. */
  const isSeen = (key: string): boolean => seen.size === seen.add(key).size

  const name = (isHere: boolean, isRepeated: boolean) => (isHere ? 'existing' : isRepeated ? 'repeated' : 'new')
  const checkUrl = (url: string, allowsDuplicates: boolean) => {
    const left = urlCounts.get(url) ?? 0
    if (!allowsDuplicates) return name(left > 0, isSeen(`url ${url}`))
    urlCounts.set(url, Math.max(0, left - 1))
    return name(left > 0, false)
  }
  const readNotes = async (title: string): Promise<ReadonlySet<string>> => {
    const found = new Set<string>()
    for (const id of titled.get(title) ?? []) found.add((id && (await readNote(id))) || '')
    return found
  }
  // The cache makes the reading linear: many notes may share a title, or have none.
  const isKnownNote = async (title: string, html: string): Promise<boolean> => {
    const read = notes.get(title) ?? readNotes(title)
    notes.set(title, read)
    return (await read).has(html)
  }
  return {
    check: async ({ id, url, title, date, html = '' }, allowsDuplicates) => {
      const isRepeated = id !== undefined && isSeen(`id ${id}`)
      const isHere = id !== undefined && ids.has(id)
      if (isRepeated || isHere) return name(isHere, isRepeated)
      if (url) return checkUrl(url, allowsDuplicates)
      if (date !== undefined) return name(dated.has(`${date} ${title}`), isSeen(`dated ${date} ${title}`))
      return name(await isKnownNote(title, html), isSeen(`note ${JSON.stringify([title, html])}`))
    },
  }
}

/** The tag for an imported to-do without a tag that makes it a to-do. */
const todoTag = 'todo'

/** The items and tag settings of an import, and the tag settings of the account. */
interface ImportPlan {
  readonly things: readonly TransferThing[]
  /** The tag settings of the import; settings of the account win. */
  readonly tags: ReadonlyMap<string, TransferTagSettings>
  /** The tags that every imported item gets. */
  readonly added: readonly string[]
  /** The settings of the account. */
  readonly settings: ReadonlyMap<string, TagSettings>
}

/** Returns the tags of an item after the import; adds `todoTag` to a to-do whose tags make it no to-do. */
export const tagsAfterImport = (
  { tags, todoStatus }: Pick<TransferThing, 'tags' | 'todoStatus'>,
  { added, isTodoTag }: { readonly added: readonly string[]; readonly isTodoTag: (tag: string) => boolean },
): readonly string[] => {
  const all = [...new Set([...splitTags(tags), ...added])]
  return todoStatus === undefined || all.some(isTodoTag) ? all : [...new Set([...all, todoTag])]
}

/** Merges tag settings: those of the account win over those of the import. */
export const settingsAfterImport = ({ tags, settings }: Pick<ImportPlan, 'tags' | 'settings'>) =>
  new Map<string, TagSettings>([...tags, ...settings])

/** Checks whether items can have this tag: a program may have set a name with a space, or an empty one. */
const isTag = (name: string): boolean => splitTags(name)[0] === name

/** Plans the steps of an import. Tag settings come first, so that a to-do never lacks its checkbox. */
const planImport = ({ things, tags, added, settings }: ImportPlan): readonly EditStep[] => {
  const after = settingsAfterImport({ tags, settings })
  const isTodoTag = (tag: string) => (after.get(tag)?.todo ?? false) !== false
  let needsTodoTag = false
  const creations = things.map(({ title, tags: text, date, url, html, archived, todoStatus }): EditStep => {
    const names = tagsAfterImport(
      { tags: text, ...(todoStatus === undefined ? {} : { todoStatus }) },
      { added, isTodoTag },
    )
    needsTodoTag ||= todoStatus !== undefined && !names.some(isTodoTag)
    return {
      kind: 'create',
      fields: {
        title,
        // Without an added tag, the text stays unchanged, including its spaces.
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

/** An entry of a file that could not be read, or that loses something. */
export interface ImportProblem {
  readonly file: string
  readonly line: number
  readonly reason: string
}

/** A file and its format; undefined for an unsupported one. */
interface ImportFile {
  readonly name: string
  readonly format?: string
  /** The reason why reading stopped early. */
  readonly failure?: string
}

/** The preview of an import. */
export interface ImportPreview {
  readonly files: readonly ImportFile[]
  /** The format that the user chose for all files. */
  readonly chosen?: string
  /** The new items. */
  readonly fresh: readonly TransferThing[]
  /** The number of items that the account has already. */
  readonly existingCount: number
  /** The number of items that the files have more than once, without the first of each. */
  readonly repeatedCount: number
  /** The tag settings of the files. */
  readonly tags: ReadonlyMap<string, TransferTagSettings>
  /** The first unreadable entries, and the number of all. */
  readonly problems: readonly ImportProblem[]
  readonly problemCount: number
  /** The first losses of readable items, and the number of all. */
  readonly remarks: readonly ImportProblem[]
  readonly remarkCount: number
}

/** The state of an import. */
export type ImportState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'reading'; readonly bytes: number; readonly allBytes: number; readonly found: number }
  | { readonly kind: 'preview'; readonly preview: ImportPreview }
  | { readonly kind: 'importing'; readonly preview: ImportPreview; readonly done: number }
  /** `added` is the number of imported items; `actionKey` identifies the action that can be undone. */
  | {
      readonly kind: 'report'
      readonly preview: ImportPreview
      readonly added: number
      readonly isStopped: boolean
      readonly actionKey?: number
    }

/** An import, from reading the files to the report. It continues while the user views other screens. */
export interface Importer {
  readonly state: Observable<ImportState>
  /** Reads files for the preview, without any change. */
  readonly read: (files: readonly File[], format?: string) => void
  /** Reads the same files again in this format; guesses the format for undefined. */
  readonly readAs: (format: string | undefined) => void
  /** Imports the new items of the preview, and adds these tags to each. */
  readonly begin: (tags: readonly string[]) => Promise<void>
  /** Cancels reading, or stops an import after the current write. */
  readonly stop: () => void
}

/** Options of `createImporter`. */
interface ImporterOptions {
  readonly model: Pick<AccountModel, 'library' | 'undo' | 'app' | 'attempt'>
  readonly startReading: (
    request: FilesToRead,
    onMessage: (message: ReadingMessage) => void,
    onError: (reason: string) => void,
  ) => { readonly stop: () => void }
}

/** The maximum number of problems in a preview. */
const maxProblems = 1_000

interface Reading {
  readonly files: ImportFile[]
  readonly allowsDuplicates: boolean[]
  readonly fresh: TransferThing[]
  readonly tags: Map<string, TransferTagSettings>
  readonly problems: ImportProblem[]
  readonly remarks: ImportProblem[]
  existingCount: number
  repeatedCount: number
  problemCount: number
  remarkCount: number
}

const addMessage = async (reading: Reading, known: KnownThings, message: ReadingMessage): Promise<void> => {
  if (message.kind === 'end') return
  const { name } = reading.files[message.file] ?? { name: '' }
  if (message.kind === 'file') {
    reading.files[message.file] = { name, ...(message.format === undefined ? {} : { format: message.format }) }
    reading.allowsDuplicates[message.file] = message.allowsDuplicates
  } else if (message.kind === 'failed') {
    reading.files[message.file] = { ...reading.files[message.file], name, failure: message.reason }
  } else {
    for (const item of message.items) {
      if (item.kind === 'tag') reading.tags.set(item.name, item.settings)
      else if (item.kind === 'problem') {
        if (++reading.problemCount <= maxProblems) {
          reading.problems.push({ file: name, line: item.line, reason: item.reason })
        }
      } else if (item.kind === 'remark') {
        if (++reading.remarkCount <= maxProblems) {
          reading.remarks.push({ file: name, line: item.line, reason: item.reason })
        }
      } else {
        const found = await known.check(item.thing, reading.allowsDuplicates[message.file] ?? false)
        if (found === 'existing') reading.existingCount++
        else if (found === 'repeated') reading.repeatedCount++
        else reading.fresh.push(item.thing)
      }
    }
  }
}

/** Creates an importer in the state `empty`. */
export const createImporter = ({ model, startReading }: ImporterOptions): Importer => {
  const state = createObservable<ImportState>({ kind: 'empty' })
  let files: readonly File[] = []
  let stopNow = () => {}

  const readNote = async (id: string) => (await model.app.replica.findThing(id))?.html
  const read: Importer['read'] = (given, format) => {
    stopNow()
    files = given
    const allBytes = files.reduce((sum, { size }) => sum + size, 0)
    const reading: Reading = {
      files: files.map(({ name }) => ({ name })),
      allowsDuplicates: [],
      fresh: [],
      tags: new Map(),
      problems: [],
      remarks: [],
      existingCount: 0,
      repeatedCount: 0,
      problemCount: 0,
      remarkCount: 0,
    }
    let isOver = false
    // The items that the library is still reading count as existing, so the import waits for them.
    let queue = model.library.settle().then(() => createKnownThings(model.library.listRows(), readNote))
    const worker = startReading(
      { files, ...(format === undefined ? {} : { format }) },
      (message) => {
        queue = queue.then(async (known) => {
          if (isOver) return known
          await addMessage(reading, known, message)
          // The worker is faster than the page, which must paint in between.
          await new Promise((resolve) => setTimeout(resolve))
          if (isOver) return known
          if (message.kind === 'items') {
            const found = reading.fresh.length + reading.existingCount + reading.repeatedCount
            state.set({ kind: 'reading', bytes: message.bytes, allBytes, found })
          }
          if (message.kind === 'end') finish()
          return known
        })
      },
      (reason) => {
        reading.files.forEach((file, index) => {
          reading.files[index] = { ...file, failure: reason }
        })
        finish()
      },
    )
    const finish = () => {
      isOver = true
      worker.stop()
      const { allowsDuplicates: _, ...preview } = reading
      state.set({ kind: 'preview', preview: { ...preview, ...(format === undefined ? {} : { chosen: format }) } })
    }
    stopNow = () => {
      isOver = true
      worker.stop()
      state.set({ kind: 'empty' })
    }
    state.set({ kind: 'reading', bytes: 0, allBytes, found: 0 })
  }
  return {
    state,
    read,
    readAs: (format) => read(files, format),
    begin: async (added) => {
      const current = state.read()
      if (current.kind !== 'preview') return
      const { preview } = current
      const stop = new AbortController()
      stopNow = () => stop.abort()
      state.set({ kind: 'importing', preview, done: 0 })
      let done = 0
      let actionKey: number | undefined
      // `attempt` shows an error like that of every action; the report has the items imported until then.
      await model.attempt(async () => {
        const settings = await model.app.replica.listTags()
        const steps = planImport({ things: preview.fresh, tags: preview.tags, added, settings })
        const others = steps.length - preview.fresh.length
        await model.undo.performLong({ kind: 'imported', name: preview.files[0]?.name ?? '' }, steps, {
          signal: stop.signal,
          onProgress: (stepsDone) => {
            done = Math.max(0, stepsDone - others)
            state.set({ kind: 'importing', preview, done })
          },
          onSaved: (key) => {
            actionKey = key
          },
        })
      })
      const isStopped = done < preview.fresh.length
      state.set({ kind: 'report', preview, added: done, isStopped, ...(actionKey === undefined ? {} : { actionKey }) })
      stopNow = () => state.set({ kind: 'empty' })
    },
    stop: () => stopNow(),
  }
}
