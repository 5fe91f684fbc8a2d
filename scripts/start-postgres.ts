// Starts a PostgreSQL for a script, with one empty database, and writes its URL to a file: `start-postgres.ts FILE`.
// Runs until SIGTERM or SIGINT, and then removes everything.
import { once } from 'node:events'
import { rename, writeFile } from 'node:fs/promises'
import { findPostgres, postgresMissing } from '../test/postgres/find-postgres.ts'
import { startPostgres } from '../test/postgres/start-postgres.ts'

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: start-postgres.ts FILE')
if (findPostgres() === undefined) {
  console.error(postgresMissing)
  process.exit(1)
}
const stopSignal = Promise.race(['SIGTERM', 'SIGINT'].map((signal) => once(process, signal)))
const postgres = await startPostgres()
await writeFile(`${file}.new`, postgres.url())
await rename(`${file}.new`, file)
// An unresolved promise keeps no process alive.
const alive = setInterval(() => undefined, 1_000_000)
await stopSignal
clearInterval(alive)
await postgres.stop()
