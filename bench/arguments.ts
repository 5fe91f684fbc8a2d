import { parseArgs } from 'node:util'

/** What `npm run bench --` is told. */
export interface BenchArguments {
  /** Ids of the rows to measure; all when empty. */
  readonly only: readonly string[]
  readonly rounds: number
  readonly isQuick: boolean
  readonly withComparisons: boolean
  readonly isHelp: boolean
  /** Folder of the results. */
  readonly out: string
  /** A sentence that is kept with the figures, as on who else used the machine. */
  readonly note: string | undefined
}

/** Thrown for arguments that make no sense; its message is for the user. */
export class UsageError extends Error {
  override readonly name = 'ArgumentsRefused'
}

/** What is printed for `--help`. */
export const usage = `npm run bench -- [--only ROW]... [--quick] [--rounds N] [--no-peers] [--note TEXT] [--out DIR]

  --only ROW   only this row; may be given again. Without it: every row.
  --quick      100,000 and 10,000 things in place of 1,000,000 and 100,000, and shorter rounds.
  --rounds N   measured rounds of each row; 5, or 3 with --quick. Rows whose rounds are long stop after 3.
  --no-peers   without the rows that install and start other servers.
  --note TEXT  a sentence that is kept with the figures.
  --out DIR    where results are written; docs/benchmarks.`

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string', multiple: true },
        quick: { type: 'boolean' },
        rounds: { type: 'string' },
        'no-peers': { type: 'boolean' },
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

/** Reads the arguments. @throws ArgumentsRefused */
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
    withComparisons: !values['no-peers'],
    isHelp: values.help ?? false,
    out: values.out ?? 'docs/benchmarks',
    note: values.note,
  }
}

/** How many things a run works with. Rows write them as `{large}`, `{middle}` and `{repeats}` in their texts. */
export interface Sizes {
  readonly large: number
  readonly middle: number
  /** Changes of one thing. */
  readonly repeats: number
}

/** The sizes of the goals, or a tenth of them for a quick run. */
export const chooseSizes = (isQuick: boolean): Sizes =>
  isQuick
    ? { large: 100_000, middle: 10_000, repeats: 30_000 }
    : { large: 1_000_000, middle: 100_000, repeats: 300_000 }

/** A text with the sizes that it was measured with: no figure may seem to be for more things than there were. */
export const fillSizes = (text: string, sizes: Sizes): string =>
  text.replace(/\{(large|middle|repeats)\}/g, (_, name: keyof Sizes) => sizes[name].toLocaleString('en'))
