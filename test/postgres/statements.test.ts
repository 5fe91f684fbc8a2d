import { expect, test } from 'vitest'
import { listStatements } from './list-statements.ts'

/** Tables that are kept by account, and the column that says whose a row is. */
const byAccount = new Map([
  ['account', 'id'],
  ...['item', 'earlier', 'record', 'delivery', 'open_listing', 'session', 'slot'].map(
    (table) => [table, 'account'] as const,
  ),
  ['link', 'account'],
  ['browser_session', 'account'],
])

/** Where a statement reads, changes or deletes rows of a table. */
const findUses = (text: string): readonly string[] =>
  [...text.matchAll(/\b(?:from|join|update|delete from|using)\s+([a-z_]+)\b/gi)].flatMap(([, table = '']) =>
    byAccount.has(table) ? [table] : [],
  )

test('no two statements have one name, under which a connection keeps its plan', async () => {
  const names = (await listStatements()).map(({ name }) => name)

  expect(names.length).toBeGreaterThan(30)
  expect(new Set(names).size).toBe(names.length)
})

test('a statement that reaches one account says of each table whose rows it means', async () => {
  for (const { name, text, reaches } of await listStatements()) {
    if (reaches !== 'account') continue
    for (const table of findUses(text)) {
      const column = byAccount.get(table)
      const named = new RegExp(`\\b(${table}\\.)?${column} = (\\$1|[a-z_]+\\.account)\\b`)
      expect(named.test(text) || /unnest/.test(text), `${name} does not say whose ${table} it means`).toBe(true)
    }
    expect(text, name).toMatch(/\$1/)
  }
})

test('the statements that reach neither one account nor one hash are these, each with its reason', async () => {
  const all = (await listStatements()).filter(({ reaches }) => typeof reaches === 'object')

  for (const { name, reaches } of all)
    expect(typeof reaches === 'object' && reaches.all.length, name).toBeGreaterThan(10)
  expect(all.map(({ name }) => name).sort()).toMatchInlineSnapshot(`
    [
      "count-others",
      "count-rows",
      "create-queues",
      "drop-counts",
      "drop-earlier",
      "drop-ended-browser_session",
      "drop-ended-code",
      "drop-ended-link",
      "drop-holders",
      "drop-listings",
      "drop-settled",
      "drop-transaction-ids",
      "end-dispatcher",
      "end-holder",
      "find-any-user",
      "find-anything",
      "find-next-outbox-entry",
      "find-positions",
      "find-raised",
      "find-session-account",
      "find-state",
      "find-users",
      "inspect-accounts",
      "inspect-app",
      "inspect-browser_session",
      "inspect-code",
      "inspect-deliveries",
      "inspect-earlier",
      "inspect-items",
      "inspect-link",
      "inspect-listings",
      "inspect-records",
      "inspect-server_key",
      "inspect-session-hashes",
      "inspect-sessions",
      "inspect-users",
      "list-admins",
      "list-all-sessions",
      "list-app",
      "list-browser_session",
      "list-code",
      "list-invitations",
      "list-link",
      "list-outbox-entries",
      "list-server_key",
      "list-users",
      "note-incarnation",
      "notify",
      "renew-holder",
      "renew-outbox-entries",
      "reserve-turn",
      "take-outbox-entry",
    ]
  `)
})
