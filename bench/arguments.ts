import { parseArgs } from 'node:util'

/** What `npm run bench --` is told. */
export interface BenchArguments {
  /** Ids of the rows to measure; all when empty. */
  readonly rows: readonly string[]
  readonly rounds: number
  readonly isQuick: boolean
  readonly withPeers: boolean
  readonly isHelp: boolean
  /** Folder of the results. */
  readonly out: string
  /** A sentence that is kept with the figures, as on who else used the machine. */
  readonly note: string | undefined
}

/** What is printed for `--help`. */
export const usage = `npm run bench -- [--row ID]... [--rounds N] [--quick] [--peers] [--note TEXT] [--out DIR]

  --row ID     only this row; may be given again. Without it: every row (peers only with --peers).
  --rounds N   measured rounds, after one that warms up; 7, or 5 with --quick.
  --quick      100,000 and 10,000 things instead of 1,000,000 and 100,000, and shorter rounds.
  --peers      also the rows of other servers, which are installed into the cache folder of the user.
  --note TEXT  a sentence that is kept with the figures.
  --out DIR    where results are written; docs/benchmarks.`

/** Reads the arguments. @throws Error with a sentence for the user */
export const readArguments = (args: readonly string[]): BenchArguments => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      row: { type: 'string', multiple: true },
      rounds: { type: 'string' },
      quick: { type: 'boolean' },
      peers: { type: 'boolean' },
      help: { type: 'boolean' },
      note: { type: 'string' },
      out: { type: 'string' },
    },
  })
  const isQuick = values.quick ?? false
  const rounds = values.rounds === undefined ? (isQuick ? 5 : 7) : Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number from 1 on')
  return {
    rows: values.row ?? [],
    rounds,
    isQuick,
    withPeers: values.peers ?? false,
    isHelp: values.help ?? false,
    out: values.out ?? 'docs/benchmarks',
    note: values.note,
  }
}
