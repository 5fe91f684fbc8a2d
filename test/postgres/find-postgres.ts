import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram, haproxy } from '../proxies/proxies.ts'

const debianFolder = '/usr/lib/postgresql'

/**
 * The folder of PostgreSQL's programs: what `THINGSYNC_POSTGRES_BIN` names, else Debian's newest from 15 on; undefined
 * when it has none.
 */
export const findPostgres = (): string | undefined => {
  const named = process.env.THINGSYNC_POSTGRES_BIN
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder).filter((name) => Number(name) >= 15) : []
  const folders = versions
    .sort((one, other) => Number(other) - Number(one))
    .map((name) => join(debianFolder, name, 'bin'))
  return (named === undefined ? folders : [named]).find((folder) => existsSync(join(folder, 'initdb')))
}

/** What is said where they are missing. */
export const postgresMissing =
  'not tried, because not installed: PostgreSQL 15 or newer (apt-get install postgresql haproxy; or name its folder of programs in THINGSYNC_POSTGRES_BIN)'

/** What is said where only the balancer is missing. */
export const balancerMissing =
  'several processes were not tried, because not installed: HAProxy (apt-get install haproxy)'

/** What a machine lacks for the tests, in a sentence; undefined when nothing is missing. */
export const findMissing = (): string | undefined => {
  if (findPostgres() === undefined) return postgresMissing
  return findProgram(haproxy.program) === undefined ? balancerMissing : undefined
}
