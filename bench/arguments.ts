import { parseArgs } from 'node:util'

/** The command line arguments of `npm run bench --`. */
export interface BenchArguments {
  /** Ids of the rows to measure; all when empty. */
  readonly only: readonly string[]
  readonly rounds: number
  readonly isQuick: boolean
  readonly withComparisons: boolean
  readonly isHelp: boolean
  /** Folder for the results. */
  readonly out: string
  /** A sentence that the bench stores with the figures, for example about other load on the machine. */
  readonly note: string | undefined
}

/** Thrown for invalid arguments. The message is for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The text that `--help` prints. */
export const usage = `npm run bench -- [--only ROW]... [--quick] [--rounds N] [--no-comparison] [--note TEXT] [--out DIR]

  --only ROW   measure only this row; can be repeated (default: every row).
  --quick      use 100,000 and 10,000 things instead of 1,000,000 and 100,000, and shorter rounds.
  --rounds N   measured rounds of each row (default: 5, or 3 with --quick). A row with long rounds stops after 3.
  --no-comparison   skip the rows that install and start comparison servers.
  --note TEXT  store this sentence with the figures.
  --out DIR    write the results to this folder (default: docs/benchmarks).`

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string', multiple: true },
        quick: { type: 'boolean' },
        rounds: { type: 'string' },
        'no-comparison': { type: 'boolean' },
        help: { type: 'boolean' },
        note: { type: 'string' },
        out: { type: 'string' },
      },
    }).values
  } catch (error) {
    const isUsageError = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
    if (isUsageError) throw new UsageError(error.message)
    throw error
  }
}

/** Parses the arguments. @throws UsageError for an unknown option or an invalid number of rounds */
export const readArguments = (args: readonly string[]): BenchArguments => {
  const values = parse(args)
  const isQuick = values.quick ?? false
  const rounds = values.rounds === undefined ? (isQuick ? 3 : 5) : Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new UsageError('--rounds must be a whole number from 1 on')
  }
  return {
    only: values.only ?? [],
    rounds,
    isQuick,
    withComparisons: !values['no-comparison'],
    isHelp: values.help ?? false,
    out: values.out ?? 'docs/benchmarks',
    note: values.note,
  }
}

/** The numbers of things of a run. The texts of rows hold them as `{large}`, `{middle}` and `{repeats}`. */
export interface Sizes {
  readonly large: number
  readonly middle: number
  /** Number of changes of one thing. */
  readonly repeats: number
}

/** Returns the sizes that the goals are for, or a tenth of them for a quick run. */
export const chooseSizes = (isQuick: boolean): Sizes =>
  isQuick
    ? { large: 100_000, middle: 10_000, repeats: 30_000 }
    : { large: 1_000_000, middle: 100_000, repeats: 300_000 }

/** Fills the sizes into a text. Rows use it, so that no figure claims more things than the run had. */
export const fillSizes = (text: string, sizes: Sizes): string =>
  text.replace(/\{(large|middle|repeats)\}/g, (_, name: keyof Sizes) => sizes[name].toLocaleString('en'))
