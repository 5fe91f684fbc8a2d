import { fillSizes, type Sizes } from './arguments.ts'
import type { BenchRun } from './bench.ts'
import { readLoad } from './machine/processes.ts'
import { type FigureResult, type Provenance, type RowResult, summarize } from './report/results.ts'
import { type Round, type Row, RowUnavailable } from './row.ts'

/** The number of rounds that a median needs, also when a round takes long. */
const minRounds = 3

/** The bench starts further rounds of a row only within this time, in seconds, so that a run ends in limited time. */
const maxSeconds = 20

/** Whether a row needs another round, after `measured` of `wanted` rounds and `elapsedSeconds`. */
export const needsRound = (measured: number, wanted: number, elapsedSeconds: number): boolean =>
  measured < wanted && (measured < minRounds || elapsedSeconds < maxSeconds)

/** Measures the rounds of a row, after a warm-up round that does not count. */
const measureRounds = async (run: BenchRun, row: Row, rounds: number, say: (progress: string) => void) => {
  const { bench, close } = await run.forRow(rounds)
  try {
    const { round, notes } = await row.open(bench)
    const measured: Round[] = []
    let index = 0
    if (!row.restartsEachRound) {
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
 * Measures a row. When the row cannot be measured, the result holds a sentence instead of figures, and the run goes on
 * with the other rows. `hasFailed` is false when only a program is missing (`RowUnavailable`).
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
