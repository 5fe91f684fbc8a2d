import { type DatabaseUrl, hidePassword } from '../config/store-place.ts'
import { CommandFailed } from '../runtime/command-failed.ts'
import { describeVerify, isDamaged, type VerifyResult } from './describe-verify.ts'

/** Says that a database is not repaired here. */
export const refuseRepair = (): CommandFailed =>
  new CommandFailed(
    'a database is repaired by its own tools: restore it from its own backup, or change the rows that "verify" names; --repair is for data folders',
  )

/** Checks every row of a database, prints the answer, and gives it. @throws StoreFailed */
export async function verifyDatabase(url: DatabaseUrl, print: (result: VerifyResult, text: string) => void) {
  const { inspectDatabase } = await import('../store/postgres/inspect/inspect-database.ts')
  const { checked, files } = await inspectDatabase(url)
  const result = { data: hidePassword(url), checked, damaged: files.filter(isDamaged).length, kept_in: null, files }
  print(result, describeVerify(result, 'accounts and tables'))
  if (result.damaged > 0)
    throw new CommandFailed(`database ${result.data}: ${sayCount(result.damaged)} damaged; ${advice}`, 3)
}

const sayCount = (count: number): string => (count === 1 ? '1 account or table is' : `${count} accounts or tables are`)

const advice = 'pg_amcheck and pg_checksums look whether its disk is to blame; restore it from its own backup'
