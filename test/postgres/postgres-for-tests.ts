import type { TestProject } from 'vitest/node'
import { setup as build } from '../support/build-program.ts'
import { findMissing, findPostgres } from './find-postgres.ts'
import { findPatroni, patroniMissing } from './patroni/find-patroni.ts'
import { startPostgres } from './start-postgres.ts'

/** Starts one PostgreSQL for all tests, or says in one line what is missing; with CI=true nothing may be. */
export const setup = async ({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> => {
  const missing = findMissing()
  if (missing !== undefined) {
    if (process.env.CI === 'true') throw new Error(missing)
    console.error(missing)
    if (findPostgres() === undefined) return undefined
  }
  if (findPatroni() === undefined) {
    if (process.env.CI === 'true') throw new Error(patroniMissing)
    console.error(patroniMissing)
  }
  build()
  const postgres = await startPostgres()
  provide('postgresPort', postgres.port)
  provide('postgresFolder', postgres.folder)
  return postgres.stop
}
