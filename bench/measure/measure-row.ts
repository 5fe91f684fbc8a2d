import type { BenchRun } from '../bench.ts'
import { readLoad } from '../machine/describe-machine.ts'
import { type FigureResult, type Provenance, type RowResult, summarise } from '../report/results.ts'
import { type Round, type Row, RowUnavailable } from '../row.ts'
import { fillSizes, type Sizes } from '../sizes.ts'
import { needsRound } from './needs-round.ts'

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
    return { figures: summarise(row.figures, measured).map((figure) => fillTitle(figure, bench.sizes)), notes }
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
