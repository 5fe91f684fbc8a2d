import { showSeen, showSeenJson } from '../accounts/unseen-characters.ts'
import type { ReadItem } from '../transfer/transfer.ts'
import type { ImportReport } from './run-import.ts'

/** What is printed of an import. */
export interface ImportPrinter {
  readonly onProblem: (problem: ReadItem & { readonly kind: 'problem' | 'remark' }) => void
  readonly onProgress: (report: Readonly<ImportReport>) => void
  /** Prints the report, and sets the exit code. */
  readonly end: (report: Readonly<ImportReport>) => void
}

interface Printed {
  readonly file: string
  readonly user: string
  readonly isDry: boolean
  readonly form: 'text' | 'json'
}

const progressMilliseconds = 200
// A report is one JSON object, held until the end.
const maxProblems = 10_000

/** Prints problems as they are found and progress on a terminal, both on standard error; the report at the end. */
export const createImportPrinter = ({ file, user, isDry, form }: Printed): ImportPrinter => {
  const listed: { readonly kind: string; readonly line: number; readonly reason: string }[] = []
  const list = (wanted: string) =>
    listed.flatMap(({ kind, line, reason }) => (kind === wanted ? [{ line, reason }] : []))
  const isTerminal = process.stderr.isTTY === true
  let printedAt = 0

  const clear = () => {
    if (isTerminal) process.stderr.write('\r\u001B[K')
  }
  const describe = ({ added, alreadyThere, notRead, remarks }: ImportReport) =>
    `${count(added)} ${isDry ? 'would be added' : 'added'}, ${count(alreadyThere)} already there, ${count(notRead)} not read${remarks === 0 ? '' : `, ${count(remarks)} remarks`}`

  return {
    onProblem: ({ kind, line, reason }) => {
      if (form === 'json') {
        if (listed.length < maxProblems) listed.push({ kind, line, reason })
        return
      }
      clear()
      process.stderr.write(`thingsync: line ${line}: ${showSeen(reason)}\n`)
    },
    onProgress: (report) => {
      if (!isTerminal || Date.now() - printedAt < progressMilliseconds) return
      printedAt = Date.now()
      clear()
      process.stderr.write(describe(report))
    },
    end: (report) => {
      clear()
      const { added, alreadyThere, notRead, notes = [] } = report
      if (notRead > 0) process.exitCode = 3
      const counts = { added, already_there: alreadyThere, not_read: notRead }
      const result = {
        file,
        user,
        dry_run: isDry,
        ...counts,
        problems: list('problem'),
        remarks: list('remark'),
      }
      if (form === 'json') process.stdout.write(`${showSeenJson(notes.length > 0 ? { ...result, notes } : result)}\n`)
      else process.stdout.write(`${showSeen(file)}: ${describe(report)}\n`)
      if (form === 'text') for (const note of notes) process.stderr.write(`thingsync: note: ${note}\n`)
    },
  }
}

const count = (value: number): string => value.toLocaleString('en')
