import { fillSizes, type Sizes } from './arguments.ts'
import type { BenchRun } from './bench.ts'
import { readLoad } from './machine/processes.ts'
import { type FigureResult, type Provenance, type RowResult, summarize } from './report/results.ts'
import { type Round, type Row, RowUnavailable } from './row.ts'

/** Rounds that a median needs, however long one takes. */
const minRounds = 3

/** How long the rounds of one row may go on beyond those, in seconds: a whole run is to end within 12 minutes. */
const maxSeconds = 20

/** Whether a row that was measured so often, in so long a time, is to be measured once more. */
export const needsRound = (measured: number, wanted: number, elapsedSeconds: number): boolean =>
  measured < wanted && (measured < minRounds || elapsedSeconds < maxSeconds)

/** The rounds of a row, after one that only warms up and is forgotten. */
const measureRounds = async (run: BenchRun, row: Row, rounds: number, say: (progress: string) => void) => {
  const { bench, close } = await run.forRow(rounds)
  try {
    const { round, notes } = await row.open(bench)
    const measured: Round[] = []
    let index = 0
    if (!row.startsAnew) {
      say('warming up')
      await round(index++)
    }
    const start = performance.now()
    while (needsRound(measured.length, rounds, (performance.now() - start) / 1000)) {
      say(`round ${measured.length + 1} of ${rounds}`)
      measured.push(await round(index++))
    }
    return { figures: summarize(row.figures, measured).map((figure) => fillTitle(figure, bench.sizes)), notes }
  } finally {
    await close()
  }
}

const fillTitle = (figure: FigureResult, sizes: Sizes): FigureResult => ({
  ...figure,
  title: fillSizes(figure.title, sizes),
})

/**
 * Measures a row. What cannot be measured leaves a sentence instead of figures, and `hasFailed` tells whether that is a
 * fault and not a peer that is missing: the other rows are measured all the same.
 */
export const measureRow = async (
  run: BenchRun,
  row: Row,
  rounds: number,
  provenance: Omit<Provenance, 'load'>,
  say: (progress: string) => void,
): Promise<{ result: RowResult; hasFailed: boolean }> => {
  const { id, against, measured } = row
  const work = fillSizes(row.work, run.sizes)
  const before = readLoad()
  const finish = (figures: readonly FigureResult[], notes: readonly string[]): RowResult => {
    const load = [before, readLoad()] as const
    return { id, work, against, measured, figures, notes, run: { ...provenance, load } }
  }
  try {
    const { figures, notes } = await measureRounds(run, row, rounds, say)
    return { result: finish(figures, notes), hasFailed: false }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { result: { ...finish([], []), missing: error.message }, hasFailed: !(error instanceof RowUnavailable) }
  }
}
