import { parseJson } from '../../record/json.ts'
import { registryShapes, type Shape } from '../../record/shapes.ts'
import { foldName, type Session, type User } from '../../registry/registry.ts'
import type { FoundFile } from '../../tools/inspect.ts'
import { encodeTexts, type Run, type Statement, type Value } from '../database.ts'
import { asKey, listHashes } from '../registry.ts'
import * as statements from './inspect-tables.ts'
import { createFindings, readPages } from './inspect-tables.ts'

// Checks the rows of users, apps, sessions and the like. The shapes are the same as in a data folder.

/** A row of `users`. */
interface UserRow {
  readonly id: string
  readonly name: string
  readonly foldedName: string
  readonly item: string
}

/** A row of `session`. `hasUser` says if its user exists; `hashes` are its hashes, each after its kind. */
interface SessionRow {
  readonly account: string
  readonly id: string
  readonly item: string
  readonly hasUser: boolean
  readonly hashes: readonly string[]
}

/** A row of a table with a single key. */
interface KeyedRow {
  readonly key: string
  readonly item: string
}

const isUser = (value: unknown): value is User => registryShapes.users(value)
const isSession = (value: unknown): value is Session => registryShapes.sessions(value)

const checkUser = ({ id, name, foldedName, item }: UserRow): string | undefined => {
  const user = parseJson(item)
  if (!isUser(user)) return 'its item is not a valid user'
  if (asKey(user.id) !== id) return `its item is of the id ${asKey(user.id)}`
  if (asKey(user.name) !== name) return `the row says the name ${name}, its item ${asKey(user.name)}`
  return asKey(foldName(user.name)) === foldedName ? undefined : `the row says that ${name} is found by ${foldedName}`
}

const checkSession = ({ account, id, item, hasUser, hashes }: SessionRow): string | undefined => {
  const session = parseJson(item)
  if (!isSession(session)) return 'its item is not a valid session'
  if (asKey(session.id) !== id || asKey(session.userId) !== account)
    return `its item is of session ${asKey(session.id)} of ${asKey(session.userId)}`
  if (!hasUser) return `it belongs to the user ${account}, who does not exist`
  const wanted = new Set(listHashes(session).map(({ hash, kind }) => `${kind} ${asKey(hash)}`))
  const missing = [...wanted].filter((hash) => !hashes.includes(hash)).length
  if (missing > 0) return `${missing} of its tokens cannot be found by their hashes`
  const foreign = hashes.filter((hash) => !wanted.has(hash)).length
  return foreign > 0 ? `${foreign} hashes belong to it that are not of its tokens` : undefined
}

/** Checks a row whose item has the key as one of its members. */
const checkKeyed =
  (isItem: Shape, member: string) =>
  ({ key, item }: KeyedRow): string | undefined => {
    const value = parseJson(item)
    if (!isItem(value)) return 'its item is not valid for this table'
    const named = asKey(String((value as Readonly<Record<string, unknown>>)[member]))
    return named === key ? undefined : `its item is of ${named}`
  }

/** Finds the user of an item, as the key of the table `users`. Undefined if the item belongs to no user. */
const findOwner = ({ item }: KeyedRow): string | undefined => {
  const value = parseJson(item)
  const owner = typeof value === 'object' && value !== null && 'userId' in value ? value.userId : undefined
  return typeof owner === 'string' ? asKey(owner) : undefined
}

/** How a table is read and checked. */
interface TableWork<Row> {
  readonly table: string
  readonly statement: Statement
  readonly keyOf: (row: Row) => readonly Value[]
  readonly first: readonly Value[]
  /** Returns what is wrong with each row of a page. */
  readonly check: (rows: readonly Row[]) => Promise<readonly (string | undefined)[]>
}

const inspectTable = async <Row extends object>(run: Run, work: TableWork<Row>): Promise<FoundFile> => {
  const findings = createFindings()
  let bytes = 0
  for await (const rows of readPages<Row>(run, work.statement, work.first, work.keyOf)) {
    const faults = await work.check(rows)
    for (const [index, row] of rows.entries()) {
      findings.add(work.keyOf(row).join(' '), faults[index])
      bytes += 'item' in row ? Buffer.byteLength(String(row.item)) : 0
    }
  }
  const says = findings.says()
  return { file: work.table, bytes, ...(says === undefined ? { state: 'whole' } : { state: 'damaged', says }) }
}

const checkEach =
  <Row>(check: (row: Row) => string | undefined) =>
  async (rows: readonly Row[]) =>
    rows.map(check)

/** Returns a fault for each row whose user does not exist. */
const checkOwners = async (run: Run, rows: readonly KeyedRow[]): Promise<readonly (string | undefined)[]> => {
  const owners = rows.map(findOwner)
  const wanted = [...new Set(owners.filter((owner) => owner !== undefined))]
  const found = await run<{ readonly id: string }>(statements.findUsers, [encodeTexts(wanted)])
  const ids = new Set(found.map(({ id }) => id))
  return owners.map((owner) =>
    owner === undefined || ids.has(owner) ? undefined : `it belongs to the user ${owner}, who does not exist`,
  )
}

/** Reads the tables of users, apps, sessions and the like. Returns one result for each table. */
export const inspectRegistryTables = async (run: Run): Promise<readonly FoundFile[]> => {
  const keyed = (table: string, statement: Statement, kind: keyof typeof registryShapes, member: string) =>
    inspectTable<KeyedRow>(run, {
      ...{ table, statement, first: [''], keyOf: ({ key }) => [key] },
      check: async (rows) => {
        const owners = await checkOwners(run, rows)
        return rows.map(checkKeyed(registryShapes[kind], member)).map((wrong, index) => wrong ?? owners[index])
      },
    })
  return [
    await inspectTable<UserRow>(run, {
      ...{ table: 'users', statement: statements.inspectUsers, first: [''] },
      keyOf: ({ id }) => [id],
      check: checkEach(checkUser),
    }),
    await keyed('app', statements.inspectApps, 'apps', 'clientId'),
    await inspectTable<SessionRow>(run, {
      ...{ table: 'session', statement: statements.inspectSessions, first: ['', ''] },
      keyOf: ({ account, id }) => [account, id],
      check: checkEach(checkSession),
    }),
    await inspectTable<{ readonly hash: string; readonly kind: string; readonly hasSession: boolean }>(run, {
      ...{ table: 'session_hash', statement: statements.inspectSessionHashes, first: ['', ''] },
      keyOf: ({ hash, kind }) => [hash, kind],
      check: checkEach(({ hasSession }) => (hasSession ? undefined : 'it belongs to a session that does not exist')),
    }),
    await keyed('code', statements.inspectCodes, 'codes', 'hash'),
    await keyed('browser_session', statements.inspectBrowserSessions, 'browserSessions', 'hash'),
    await keyed('link', statements.inspectLinks, 'links', 'hash'),
    await keyed('server_key', statements.inspectServerKeys, 'keys', 'name'),
  ]
}
