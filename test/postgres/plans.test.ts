import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WritePart } from '../../src/store/postgres/accounts/commit.ts'
import { writeStatement } from '../../src/store/postgres/accounts/commit.ts'
import type { Statement } from '../../src/store/postgres/database.ts'
import { type Database, openDatabase, type Run } from '../../src/store/postgres/database.ts'
import { listStatements } from './list-statements.ts'
import { openTestDatabase, type TestDatabase, withConnection } from './open-database.ts'

/** A step of a plan, as `explain` prints it. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly PlanNode[]
}

let testDatabase: TestDatabase
let database: Database

// Few rows, of which the statistics say that reading all of them is cheapest.
const rows = `
  insert into account (id, epoch, position, revision, writer)
    select format('"user-%s"', n), 1, 1, 1, '' from generate_series(1, 300) as n;
  insert into item (account, key, position, step)
    select format('"user-%s"', n), 'thing=x', 1, '{}' from generate_series(1, 300) as n;
  insert into record (account, scope, key, revision, step)
    select format('"user-%s"', n), '=', '=x', 1, '{}' from generate_series(1, 300) as n;
  insert into session (account, id, item)
    select format('"user-%s"', n), format('"session-%s"', n), '{}' from generate_series(1, 300) as n;
  insert into session_hash (hash, kind, account, session)
    select format('"hash-%s"', n), 'access', format('"user-%s"', n), format('"session-%s"', n)
    from generate_series(1, 300) as n;
  insert into browser_session (hash, item)
    select format('"hash-%s"', n), format('{"userId":"user-%s","lastUsedAt":%s}', n, n) from generate_series(1, 300) as n;
  insert into link (hash, item)
    select format('"hash-%s"', n), format('{"userId":"user-%s","expiresAt":%s}', n, n) from generate_series(1, 300) as n;
  insert into users (id, name, folded_name, item)
    select format('"user-%s"', n), format('"name-%s"', n), format('"name-%s"', n), '{}' from generate_series(1, 300) as n;
  analyze`

beforeAll(async () => {
  testDatabase = await openTestDatabase()
  await withConnection(testDatabase.url, (connection) => connection.query(rows))
  database = openDatabase({ url: testDatabase.url })
})

afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

/** A value of a type, as SQL. */
const sample = (type: string): string => {
  const values: Record<string, string> = {
    ...{ text: `'"user-1"'`, uuid: `gen_random_uuid()`, boolean: 'false' },
    ...{ bigint: '1', integer: '1', 'double precision': '1' },
  }
  const value = values[type.replace('[]', '')]
  if (value === undefined) throw new Error(`no value of ${type}`)
  return type.endsWith('[]') ? `array[${value}]::${type}` : value
}

const say = (run: Run, text: string) => run({ name: '', text, reaches: 'hash', isRepeatable: false }, [])

const flatten = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)]

/** The steps of the plan that a connection of the store keeps for a statement, with what is left of it for some values. */
const explain = ({ text }: Statement): Promise<readonly PlanNode[]> =>
  database.transact(async (run) => {
    await say(run, `prepare explained as ${text}`)
    const parameters = await say(
      run,
      `select unnest(parameter_types)::text as type from pg_prepared_statements where name = 'explained'`,
    )
    const values = parameters.map(({ type }) => sample(String(type))).join(', ')
    const response = await say(run, `explain (format json) execute explained${values === '' ? '' : `(${values})`}`)
    await say(run, 'deallocate explained')
    const plans = response.flatMap((row) => row['QUERY PLAN'] as readonly { readonly Plan: PlanNode }[])
    return plans.flatMap(({ Plan: plan }) => flatten(plan))
  })

test('no statement that a request makes reads a table whole, however young it is', async () => {
  const statements = (await listStatements()).filter(({ reaches }) => typeof reaches !== 'object')

  const wrong = []
  // It has one row for each time that a standby was promoted.
  for (const statement of statements)
    for (const { 'Node Type': type, 'Relation Name': table } of await explain(statement))
      if (/^(Hash Join|Merge Join|Seq Scan)$/.test(type) && table !== 'incarnation')
        wrong.push(`${statement.name}: ${type} ${table ?? ''}`)

  expect(statements.length).toBeGreaterThan(90)
  expect(wrong).toEqual([])
})

test('each sign-in finds by an index who is admin, and what has ended in tables that hold as much as there are people', async () => {
  const names = ['list-admins', 'list-invitations', 'drop-ended-browser_session', 'drop-ended-link']
  const statements = (await listStatements()).filter(({ name }) => names.includes(name))

  const types = (await Promise.all(statements.map(explain))).flat().map(({ 'Node Type': type }) => type)

  expect(statements).toHaveLength(names.length)
  expect(types.filter((type) => type === 'Seq Scan')).toEqual([])
  expect(types.filter((type) => /Index/.test(type)).length).toBeGreaterThanOrEqual(names.length)
})

/** The tables that a plan touches, with one number for all that is a part of one. */
const listTables = async (statement: Statement): Promise<readonly string[]> => {
  const tables = (await explain(statement)).flatMap(({ 'Relation Name': name }) => name ?? [])
  const numbers = new Set(tables.flatMap((name) => /\d+$/.exec(name) ?? []))
  expect(numbers.size).toBeLessThan(2)
  return tables.map((name) => name.replace(/\d+$/, 'N')).sort()
}

test('writes of one account touch what they hold, and look into one part of it', async () => {
  const touched = (...parts: readonly WritePart[]) => listTables(writeStatement({ isOneAccount: true, parts }))
  const always = ['account', 'account_N', 'incarnation', 'kept_write']

  expect(await touched()).toEqual(always)
  expect(await touched('items')).toEqual([...always, 'earlier', 'item', 'item_N'].sort())
  expect(await touched('records')).toEqual([...always, 'record'].sort())
  expect(await touched('scheduled')).toEqual([...always, 'delivery'].sort())
})
