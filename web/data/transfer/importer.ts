import type { TransferTagSettings, TransferThing } from '../../../src/transfer/transfer.ts'
import type { Desk } from '../desk.ts'
import { createObservable, type Observable } from '../observable.ts'
import { createKnownThings, type KnownThings } from './known-things.ts'
import { planImport } from './plan-import.ts'
import type { FilesToRead, ReadingMessage } from './read-files.ts'

/** Something that could not be read. */
export interface ImportProblem {
  readonly file: string
  readonly line: number
  readonly reason: string
}

/** A file and what it is taken for; without a format it is of a kind that cannot be read. */
export interface ImportFile {
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
export interface ImporterOptions {
  readonly desk: Pick<Desk, 'library' | 'undo' | 'app' | 'attempt'>
  readonly startReading: (
    wanted: FilesToRead,
    tell: (message: ReadingMessage) => void,
    fail: (reason: string) => void,
  ) => { readonly stop: () => void }
}

/** How many problems are shown one by one. */
export const shownProblems = 1_000

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
