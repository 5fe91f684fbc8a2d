/** What writes may hold, beside where their accounts are then. */
export const writeParts = ['items', 'records', 'removals', 'errands', 'settled'] as const
export type WritePart = (typeof writeParts)[number]

/** How a part is kept, as an expression of a statement in which `won` is of the accounts whose writes count. */
interface PartText {
  /** The types of its columns, which are given as arrays; the first is of accounts. */
  readonly types: readonly string[]
  /**
   * `given`: the arrays. `owner` names the account of a row in a table, when something given says which; `among`:
   * the parts of the statement.
   */
  readonly write: (given: string, owner: (account: string) => string, among: readonly WritePart[]) => string
}

/** The parts in the database's words, each with what it needs. */
export const partTexts: Readonly<Record<WritePart, PartText>> = {
  items: {
    types: ['text', 'text', 'bigint', 'text'],
    write: (given, owner) => `
    step as materialized (
      select step.*, won.is_listed from unnest(${given}) as step (account, key, position, step) join won using (account)
    ),
    replaced as (
      insert into earlier (account, key, position, step)
      select step.account, item.key, item.position, item.step
      from step join item on item.account = ${owner('step.account')} and item.key = step.key
      where step.is_listed
      on conflict (account, key, position) do nothing
    ),
    items as (
      insert into item (account, key, position, step)
      select account, key, position, step from step
      on conflict (account, key) do update set position = excluded.position, step = excluded.step
    )`,
  },
  records: {
    types: ['text', 'text', 'text', 'bigint', 'text'],
    write: (given) => `
    put as materialized (
      select put.* from unnest(${given}) as put (account, scope, key, revision, step) join won using (account)
    ),
    records as (
      insert into record (account, scope, key, revision, step)
      select account, scope, key, revision, step from put
      on conflict (account, scope, key) do update set revision = excluded.revision, step = excluded.step
    )`,
  },
  removals: {
    types: ['text', 'text', 'text'],
    write: (given, owner, among) => `
    removed as (
      delete from record
      using unnest(${given}) as gone (account, scope, key) join won using (account)
      where record.account = ${owner('gone.account')} and record.scope = gone.scope
        and (gone.key = '' or record.key = gone.key)${
          among.includes('records')
            ? `
        and not exists (
          select from put where put.account = record.account and put.scope = record.scope and put.key = record.key
        )`
            : ''
        }
    )`,
  },
  errands: {
    types: ['text', 'text', 'text', 'double precision'],
    write: (given) => `
    told as (
      insert into delivery (account, key, name, due_at, available_at)
      select account, key, name, due_at, due_at
      from unnest(${given}) as errand (account, key, name, due_at) join won using (account)
      on conflict (account, key) do update set due_at = excluded.due_at, available_at = excluded.available_at
    )`,
  },
  settled: {
    types: ['text', 'text'],
    write: (given, owner) => `
    settled as (
      update delivery set due_at = null, available_at = null
      from unnest(${given}) as errand (account, key) join won using (account)
      where delivery.account = ${owner('errand.account')} and delivery.key = errand.key
    )`,
  },
}
