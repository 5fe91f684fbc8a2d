import type { TagSettings } from '../../client/src/index.ts'
import type { TransferTagSettings, TransferThing } from '../../src/transfer/transfer.ts'
import type { AccountModel } from '../data/account-model.ts'
import { type Row, splitTags } from '../data/item-parts.ts'
import { createObservable, type Observable } from '../data/observable.ts'
import type { EditStep } from '../data/undo.ts'
import type { FilesToRead, ReadingMessage } from './read-files.ts'

/** What tells whether things of a file are there already. */
interface KnownThings {
  /**
   * To be asked of each thing once, in the order of the file. There is what has the same id, or the same address; what has no
   * address is known again by its title and date, or without a date by its title and note. So a file can be imported again,
   * also after an import that was stopped, and adds what is missing only.
   */
  readonly isThere: (thing: TransferThing, keepsRepetitions: boolean) => Promise<boolean>
}

/** The things of an account before an import; `readNote` gives the note of the thing with this id. */
export const createKnownThings = (
  rows: Iterable<Row>,
  readNote: (id: string) => Promise<string | undefined>,
): KnownThings => {
  const ids = new Set<string>()
  /** How many things have an address: of several in the file so many are there. */
  const addresses = new Map<string, number>()
  const dated = new Set<string>()
  /** Things without an address by their title: their ids, or '' for one without a note. */
  const titled = new Map<string, string[]>()
  /** The notes of those of a title, once they were read. */
  const notes = new Map<string, Promise<ReadonlySet<string>>>()
  for (const { id, url, title, date, hasNote } of rows) {
    ids.add(id)
    if (url) {
      addresses.set(url, (addresses.get(url) ?? 0) + 1)
      continue
    }
    dated.add(`${date} ${title}`)
    const alike = titled.get(title) ?? []
    alike.push(hasNote ? id : '')
    titled.set(title, alike)
  }
  const seen = new Set<string>()
  /** True from the second time on. */
  const isSeen = (key: string): boolean => seen.size === seen.add(key).size

  const isAddressThere = (url: string, keepsRepetitions: boolean): boolean => {
    const left = addresses.get(url) ?? 0
    if (!keepsRepetitions) return isSeen(`url ${url}`) || left > 0
    addresses.set(url, Math.max(0, left - 1))
    return left > 0
  }
  const readNotes = async (title: string): Promise<ReadonlySet<string>> => {
    const found = new Set<string>()
    for (const id of titled.get(title) ?? []) found.add((id && (await readNote(id))) || '')
    return found
  }
  /** Ten thousand notes without a title in the file and in the account are ten thousand readings, not a hundred million. */
  const isNoteThere = async (title: string, html: string): Promise<boolean> => {
    const read = notes.get(title) ?? readNotes(title)
    notes.set(title, read)
    return (await read).has(html)
  }
  return {
    isThere: async ({ id, url, title, date, html = '' }, keepsRepetitions) => {
      const isRepeated = id !== undefined && isSeen(`id ${id}`)
      if (isRepeated || (id !== undefined && ids.has(id))) return true
      if (url) return isAddressThere(url, keepsRepetitions)
      if (date !== undefined) return isSeen(`dated ${date} ${title}`) || dated.has(`${date} ${title}`)
      return isSeen(`note ${JSON.stringify([title, html])}`) || isNoteThere(title, html)
    },
  }
}

/** The tag that a todo is given which has none that makes it one. */
const todoTag = 'todo'

/** What is to be imported, and into what. */
interface ImportPlan {
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

/** Something that could not be read. */
export interface ImportProblem {
  readonly file: string
  readonly line: number
  readonly reason: string
}

/** A file and what it is taken for; without a format it is of a kind that cannot be read. */
interface ImportFile {
  readonly name: string
  readonly format?: string
  /** Why the reading of it broke off. */
  readonly failure?: string
}

/** What an import will do. */
export interface ImportPreview {
  readonly files: readonly ImportFile[]
  /** The format that a person chose for all files. */
  readonly chosen?: string
  /** Things that are not there yet. */
  readonly fresh: readonly TransferThing[]
  /** How many are there already. */
  readonly there: number
  /** Settings of tags that come along. */
  readonly tags: ReadonlyMap<string, TransferTagSettings>
  /** The first of what could not be read, and how much that was. */
  readonly problems: readonly ImportProblem[]
  readonly problemCount: number
  /** The first of what things that can be read will lose, and how much that was. */
  readonly remarks: readonly ImportProblem[]
  readonly remarkCount: number
}

/** How far an import is. */
export type ImportState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'reading'; readonly bytes: number; readonly allBytes: number; readonly found: number }
  | { readonly kind: 'preview'; readonly preview: ImportPreview }
  | { readonly kind: 'importing'; readonly preview: ImportPreview; readonly done: number }
  /** `added` is how many came in, and `deed` what takes them back. */
  | {
      readonly kind: 'report'
      readonly preview: ImportPreview
      readonly added: number
      readonly isStopped: boolean
      readonly deed?: number
    }

/** An import from the first look at the files to the report. It goes on while other screens are shown. */
export interface Importer {
  readonly state: Observable<ImportState>
  /** Reads files, without changing anything. */
  readonly read: (files: readonly File[], format?: string) => void
  /** Reads the same files as another format; guessed again for undefined. */
  readonly readAs: (format: string | undefined) => void
  /** Imports what was read; every thing is given these tags, too. */
  readonly begin: (tags: readonly string[]) => Promise<void>
  /** Ends what is under way: a reading altogether, an import after what is being written. */
  readonly stop: () => void
}

/** What an importer needs. */
interface ImporterOptions {
  readonly desk: Pick<AccountModel, 'library' | 'undo' | 'app' | 'attempt'>
  readonly startReading: (
    wanted: FilesToRead,
    tell: (message: ReadingMessage) => void,
    fail: (reason: string) => void,
  ) => { readonly stop: () => void }
}

/** How many problems are shown one by one. */
const shownProblems = 1_000

interface Reading {
  readonly files: ImportFile[]
  readonly keepsRepetitions: boolean[]
  readonly fresh: TransferThing[]
  readonly tags: Map<string, TransferTagSettings>
  readonly problems: ImportProblem[]
  readonly remarks: ImportProblem[]
  there: number
  problemCount: number
  remarkCount: number
}

const take = async (reading: Reading, known: KnownThings, message: ReadingMessage): Promise<void> => {
  if (message.kind === 'end') return
  const { name } = reading.files[message.file] ?? { name: '' }
  if (message.kind === 'file') {
    reading.files[message.file] = { name, ...(message.format === undefined ? {} : { format: message.format }) }
    reading.keepsRepetitions[message.file] = message.keepsRepetitions
  } else if (message.kind === 'failed') {
    reading.files[message.file] = { ...reading.files[message.file], name, failure: message.reason }
  } else {
    for (const item of message.items) {
      if (item.kind === 'tag') reading.tags.set(item.name, item.settings)
      else if (item.kind === 'problem') {
        if (++reading.problemCount <= shownProblems) {
          reading.problems.push({ file: name, line: item.line, reason: item.reason })
        }
      } else if (item.kind === 'remark') {
        if (++reading.remarkCount <= shownProblems) {
          reading.remarks.push({ file: name, line: item.line, reason: item.reason })
        }
      } else if (await known.isThere(item.thing, reading.keepsRepetitions[message.file] ?? false)) reading.there++
      else reading.fresh.push(item.thing)
    }
  }
}

/** Nothing is imported yet. */
export const createImporter = ({ desk, startReading }: ImporterOptions): Importer => {
  const state = createObservable<ImportState>({ kind: 'empty' })
  let files: readonly File[] = []
  let stopNow = () => {}

  const readNote = async (id: string) => (await desk.app.replica.findThing(id))?.html
  const read: Importer['read'] = (given, format) => {
    stopNow()
    files = given
    const allBytes = files.reduce((sum, { size }) => sum + size, 0)
    const reading: Reading = {
      files: files.map(({ name }) => ({ name })),
      keepsRepetitions: [],
      fresh: [],
      tags: new Map(),
      problems: [],
      remarks: [],
      there: 0,
      problemCount: 0,
      remarkCount: 0,
    }
    let isOver = false
    // What is still being read from the local store is there, too.
    let turn = desk.library.settle().then(() => createKnownThings(desk.library.listRows(), readNote))
    const worker = startReading(
      { files, ...(format === undefined ? {} : { format }) },
      (message) => {
        turn = turn.then(async (known) => {
          if (isOver) return known
          await take(reading, known, message)
          // A worker is quicker than a screen, which is to be drawn in between.
          await new Promise((resolve) => setTimeout(resolve))
          if (isOver) return known
          if (message.kind === 'items') {
            const found = reading.fresh.length + reading.there
            state.set({ kind: 'reading', bytes: message.bytes, allBytes, found })
          }
          if (message.kind === 'end') finish()
          return known
        })
      },
      (reason) => {
        reading.files.forEach((file, place) => {
          reading.files[place] = { ...file, failure: reason }
        })
        finish()
      },
    )
    const finish = () => {
      isOver = true
      worker.stop()
      const { keepsRepetitions: _, ...preview } = reading
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
      const before = state.read()
      if (before.kind !== 'preview') return
      const { preview } = before
      const stop = new AbortController()
      stopNow = () => stop.abort()
      state.set({ kind: 'importing', preview, done: 0 })
      let done = 0
      let deed: number | undefined
      // What goes wrong is told as with every other deed; what came in until then is in the report.
      await desk.attempt(async () => {
        const settings = await desk.app.replica.listTags()
        const steps = planImport({ things: preview.fresh, tags: preview.tags, added, settings })
        const others = steps.length - preview.fresh.length
        await desk.undo.performLong({ kind: 'imported', name: preview.files[0]?.name ?? '' }, steps, {
          signal: stop.signal,
          onProgress: (stepsDone) => {
            done = Math.max(0, stepsDone - others)
            state.set({ kind: 'importing', preview, done })
          },
          onKept: (key) => {
            deed = key
          },
        })
      })
      const isStopped = done < preview.fresh.length
      state.set({ kind: 'report', preview, added: done, isStopped, ...(deed === undefined ? {} : { deed }) })
      stopNow = () => state.set({ kind: 'empty' })
    },
    stop: () => stopNow(),
  }
}
