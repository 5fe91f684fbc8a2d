import { join } from 'node:path'
import type { Bench, FilledFolder } from '../bench.ts'
import { runCommand } from '../candidate/run-command.ts'
import type { RunningServer } from '../candidate/start-server.ts'
import { type BenchDatabase, openBenchDatabase } from './open-database.ts'

/** The same things in a data folder and in a database, each served by a process of its own. */
export interface BothStores {
  readonly folder: RunningServer
  readonly database: RunningServer
  readonly postgres: BenchDatabase
  /** Address of the database, for more servers. */
  readonly url: string
  readonly startAnother: () => Promise<RunningServer>
}

/** Copies a folder into a database, as an operator would, and starts a server on each. */
export const openBoth = async (bench: Bench, { folder }: Pick<FilledFolder, 'folder'>): Promise<BothStores> => {
  const postgres = await openBenchDatabase(bench)
  const url = postgres.make('things')
  bench.say('copying the folder into the database')
  await runCommand(bench, ['copy', folder, url])
  // What the copy has left to be written does not belong to what follows.
  postgres.runSql('things', 'vacuum analyze; checkpoint')
  const startAnother = async () =>
    bench.start({ folder: join(await bench.makeFolder(), 'none'), store: url, core: 'any' })
  return {
    folder: await bench.start({ folder, core: 'any' }),
    database: await startAnother(),
    postgres,
    url,
    startAnother,
  }
}
