import * as files from 'node:fs/promises'
import { type FileLine, readFileLines } from '../../disk/file-lines.ts'
import { orIfMissing } from '../../disk/file-operations.ts'
import { readHead, readSeal } from '../../record/account-record.ts'
import { type Change, findPosition } from '../../record/change.ts'
import { findValueEnd } from '../../record/find-value-end.ts'
import { findKey, findSteps, isRepairedLine } from '../../record/journal-line.ts'
import { parseJson } from '../../record/parse-json.ts'
import { parseSteps } from '../../record/take-steps.ts'
import { readChange } from '../../record/write-steps.ts'
import type { ReadLines } from '../../wal/read-lines.ts'

/** The steps of a line, which are there until the next line. */
export interface SalvagedSteps {
  readonly changes: Iterable<Change>
  /** False when the line is not what was written. */
  readonly isWhole: boolean
}

/** Where the steps of an account stand. */
export interface SalvageSource {
  readonly key: string
  /** Its file, which may not be there; undefined when it does not count. */
  readonly path: string | undefined
  /** The last write of the file that counts. */
  readonly upTo: number
  /** Its lines in the journal. */
  readonly readLines: () => ReadLines
}

const opening = '{"'

/** The steps that can be read in bytes of which some are damaged. */
function* salvageSteps(bytes: Buffer): Generator<Change> {
  for (let at = bytes.indexOf(opening); at !== -1; at = bytes.indexOf(opening, at)) {
    const end = findValueEnd(bytes, at)
    const step = end === -1 ? undefined : parseStep(bytes.toString('utf8', at, end))
    if (step !== undefined) yield step
    at = step === undefined ? at + 1 : end
  }
}

const parseStep = (text: string): Change | undefined => readChange(parseJson(text))

const readWhole = (bytes: Buffer): Iterable<Change> =>
  (isRepairedLine(bytes) ? parseSteps(bytes) : undefined) ?? salvageSteps(findSteps(bytes))

/** The lines of a file, up to the seal of the last write that counts. */
async function* salvageFile({ path, upTo }: Pick<SalvageSource, 'path' | 'upTo'>): AsyncGenerator<FileLine> {
  const handle = path === undefined ? undefined : await orIfMissing(files.open(path, 'r'), undefined)
  try {
    if (handle === undefined) return
    for await (const lines of readFileLines(handle, (await handle.stat()).size))
      for (const found of lines) {
        yield found
        if (found.line?.write === upTo && readSeal(found.bytes) !== undefined) return
      }
  } finally {
    await handle?.close()
  }
}

/** What can be read of an account, line by line: first its file, whose head raises to its position, then the journal. */
export async function* salvageAccount({ key, path, upTo, readLines }: SalvageSource): AsyncGenerator<SalvagedSteps> {
  let saved = 0
  for await (const { bytes, start, line } of salvageFile({ path, upTo })) {
    // Somebody put the file of another account in its place.
    if ((line?.key ?? findKey(bytes) ?? key) !== key) continue
    saved = line?.write ?? saved
    const head = line !== undefined && start === 0 ? readHead(bytes) : undefined
    if (typeof head === 'number') yield { changes: [{ raisedTo: head }], isWhole: true }
    else if (line === undefined) yield { changes: salvageSteps(bytes), isWhole: false }
    else yield { changes: readWhole(bytes), isWhole: true }
  }
  for await (const lines of readLines())
    for (const { write, bytes } of lines) {
      const changes = readWhole(bytes)
      // The file has what came of its records since. All else says by its position which state of it is the newest.
      yield { changes: write > saved ? changes : listPlaced(changes), isWhole: true }
    }
}

function* listPlaced(changes: Iterable<Change>): Generator<Change> {
  for (const change of changes) if (findPosition(change) !== undefined) yield change
}
