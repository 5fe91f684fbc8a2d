import type { ReplicaThing } from '../../client/src/index.ts'
import { readNoteText } from '../search/query.ts'
import type { Row } from './item-parts.ts'
import { createObservable, type Observable } from './observable.ts'

/** The texts of the notes of visible rows, read on demand: all notes together would need too much memory. */
export interface Excerpts {
  /** Changes when texts have been read. */
  readonly revision: Observable<number>
  /** Returns the text of the note of a row; undefined without a note, or until the text is read. */
  readonly read: (row: Row) => string | undefined
}

/** Options of `createExcerpts`. */
interface ExcerptsOptions {
  readonly findThings: (ids: readonly string[]) => Promise<ReadonlyMap<string, Pick<ReplicaThing, 'html'>>>
  /** Runs work a little later, so that rows that a user scrolls past are not read. */
  readonly later: (work: () => Promise<void>) => void
}

/** More than a large screen shows, several times. */
const maxKept = 400
/** More than a large screen shows. Rows that were requested earlier are no longer visible. */
const maxWaiting = 80
/** The length of the searched beginning of a note. */
const maxNoteCharacters = 20_000

/** Creates an empty cache of the texts of notes. */
export const createExcerpts = ({ findThings, later }: ExcerptsOptions): Excerpts => {
  const revision = createObservable(0)
  const kept = new Map<number, { readonly row: Row; readonly text: string }>()
  const waiting = new Map<number, Row>()
  let isScheduled = false

  const keep = (row: Row, text: string) => {
    kept.delete(row.number)
    kept.set(row.number, { row, text })
    for (const number of kept.keys()) {
      if (kept.size <= maxKept) break
      kept.delete(number)
    }
  }
  const readWaiting = async () => {
    isScheduled = false
    const rows = [...waiting.values()].slice(-maxWaiting)
    waiting.clear()
    const things = await findThings(rows.map(({ id }) => id))
    for (const row of rows) keep(row, readNoteText(things.get(row.id)?.html ?? '').slice(0, maxNoteCharacters))
    revision.set(revision.read() + 1)
  }
  return {
    revision,
    read: (row) => {
      if (!row.hasNote) return undefined
      const entry = kept.get(row.number)
      if (entry?.row !== row) {
        waiting.delete(row.number)
        waiting.set(row.number, row)
        if (!isScheduled) later(readWaiting)
        isScheduled = true
      }
      // The previous text stays until the current one is read.
      return entry?.text
    },
  }
}
