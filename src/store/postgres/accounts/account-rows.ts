import { createHash } from 'node:crypto'
import type { Account, AccountLoading, AccountSteps, BeginLoading } from '../../account/account.ts'
import { draftRecords, type Gaps, type Records } from '../../account/records.ts'
import { type Change, isEntryChange } from '../../record/change.ts'
import { readChange } from '../../record/change-text.ts'
import { createThingScanner, type EncodedThing, thingStart } from '../../record/encoded-thing.ts'
import { type Database, encodeWholes, type Run, type Statement } from '../database.ts'

/** Names that a key contains unchanged: readable for an administrator, and short enough for an index. */
const plainName = /^[ -~]{0,120}$/

/**
 * Returns the key of a name that a client chose: any text, of any length. The row contains the name itself as JSON,
 * because a PostgreSQL text cannot contain NUL or a lone surrogate.
 */
export const keyOfName = (name: string): string =>
  plainName.test(name) ? `=${name}` : `#${createHash('sha256').update(JSON.stringify(name)).digest('base64url')}`

/** Returns the key of a thing, existing or deleted. */
export const keyOfThing = (id: string): string => `thing${keyOfName(id)}`

/** Returns the key of a tag's settings. */
export const keyOfTag = (name: string): string => `tag${keyOfName(name)}`

/** Returns the key of a kind and group of records. The length makes it unambiguous. */
export const scopeOf = (kind: string, group: string): string => keyOfName(`${kind.length} ${kind}${group}`)

/** A row of `listChanges`. A `bigint` is a number, because positions stay below 2^53. */
export interface ChangedRow {
  readonly kind: 'account' | 'item' | 'record' | 'entry'
  /** The position; of an outbox entry, the time when it is due. */
  readonly position: number | null
  readonly epoch: number | null
  readonly revision: number | null
  readonly writer: string | null
  readonly forgets: boolean | null
  /** The step of the last change; of an outbox entry, its key as JSON. */
  readonly step: string | null
  readonly raised: number | null
  readonly gaps: Gaps | null
}

/** The current state of an account without its contents. */
export interface AccountState {
  readonly epoch: number
  readonly revision: number
  readonly position: number
  /** The session of the last write. */
  readonly writer: string
  /** By how much the positions of the account were raised. */
  readonly raised: number
  readonly gaps: Gaps
}

/**
 * Identifies a state of an account, to find out if it has changed since. Revision 0: the account was never written to.
 */
export type AccountMark = Pick<AccountState, 'epoch' | 'revision'>

/** Returns the state of an account that was never written to, in a database whose positions are raised. */
const newAccountState = (raised: number): AccountState => ({
  ...{ epoch: 0, revision: 0, position: raised, writer: '', raised },
  gaps: raised === 0 ? [] : [[0, raised]],
})

/** The changes of an account since a position and a revision. */
export interface AccountNews extends AccountState {
  /** Steps of things, tombstones and tags in the order of their positions. */
  readonly items: readonly ItemRow[]
  readonly records: readonly string[]
  /** True if `records` are all records of the account. */
  readonly areRecordsAll: boolean
  /** All outbox entries: the time when each is due, by its key. */
  readonly outbox: ReadonlyMap<string, number>
}

/** The step of a thing, a tombstone or a tag, and its position. */
export interface ItemRow {
  readonly position: number
  readonly step: string
}

const isItemRow = (row: ChangedRow): row is ChangedRow & ItemRow => row.position !== null && row.step !== null

/** Reads the rows of `listChanges`. Undefined if there is no such account. */
export const readNews = (rows: readonly ChangedRow[]): AccountNews | undefined => {
  const head = rows.find(({ kind }) => kind === 'account')
  if (head === undefined) return undefined
  const { epoch, revision, position, writer, forgets, raised, gaps } = head
  if (epoch === null || revision === null || position === null || writer === null) return undefined
  const items = rows.filter(({ kind }) => kind === 'item').filter(isItemRow)
  const entries = rows.filter(({ kind }) => kind === 'entry').filter(isItemRow)
  return {
    ...{ epoch, revision, position, writer, raised: raised ?? 0, gaps: gaps ?? [] },
    items: items.toSorted((a, b) => a.position - b.position),
    records: rows.flatMap(({ kind, step }) => (kind === 'record' && step !== null ? [step] : [])),
    areRecordsAll: forgets ?? false,
    outbox: new Map(entries.map(({ step, position: dueAt }) => [JSON.parse(step) as string, dueAt])),
  }
}

/** Parses a step that is no thing. @throws Error if this program does not write such a step */
const parseStep = (step: string): Change => {
  const change = readChange(JSON.parse(step))
  if (change === undefined) throw new Error(`a row contains an invalid step: ${step.slice(0, 200)}`)
  return change
}

/** Creates a reader of steps. It reads a thing as its bytes, in an object that it reuses for the next thing. */
const createRowReader = (): ((step: string) => Change | EncodedThing) => {
  const scan = createThingScanner()
  return (step) => (step.startsWith('{"thing":') ? scan(Buffer.from(step), thingStart) : undefined) ?? parseStep(step)
}

/** Returns the records with the changes of rows applied. */
export const addRecords = (records: Records, news: Pick<AccountNews, 'records' | 'areRecordsAll'>): Records => {
  const draft = draftRecords(news.areRecordsAll ? new Map() : records)
  for (const step of news.records) draft.apply(parseStep(step))
  return draft.finish()
}

/** Returns the changes above a position as the steps of one write. */
export const stepsOf = (news: AccountNews, above: number, records: Records): AccountSteps => {
  const items = news.items.filter(({ position }) => position > above)
  const read = createRowReader()
  const isRaised = (items.at(-1)?.position ?? above) < news.position
  return {
    length: items.length + (isRaised ? 1 : 0),
    at: (index) => {
      const item = items[index]
      return item === undefined ? { raisedTo: news.position } : read(item.step)
    },
    records,
  }
}

/** Puts items into an account that is loading. */
export const putItems = (loading: AccountLoading, items: readonly ItemRow[]): void => {
  const read = createRowReader()
  for (const { step } of items) loading.put(read(step))
}

/** Finds the state of an account; no row if it was never written to. Fails on a standby, which may lag behind. */
export const findAccount: Statement = {
  name: 'find-account',
  text: `
    select epoch, revision, position, writer, raised, gaps from account
    where id = $1 and (select pg_current_wal_insert_lsn()) is not null`,
  reaches: 'account',
  isRepeatable: true,
  isLookUp: true,
}

/**
 * Lists the changes of an account after a position and a revision ($2, $3), with its state, as one snapshot. If records
 * were removed since, it lists all remaining records.
 */
export const listChanges: Statement = {
  name: 'list-changes',
  text: `
    select 'account' as kind, position, epoch, revision, writer, records_removed > $3 as forgets, null as step,
      raised, gaps
    from account where id = $1
    union all
    select 'item', position, null, null, null, null, step, null, null from item where account = $1 and position > $2
    union all
    select 'record', null, null, null, null, null, record.step, null, null
    from (select case when records_removed > $3 then 0 else $3 end as after from account where id = $1) as known
    cross join lateral (select step from record where account = $1 and revision > known.after) as record
    union all
    select 'entry', due_at, null, null, null, null, name, null, null from delivery where account = $1 and due_at is not null`,
  reaches: 'account',
  isRepeatable: true,
}

/** Lists the next items of an account after a position, in order. */
const listItemPage: Statement = {
  name: 'list-item-page',
  text: 'select position, step from item where account = $1 and position > $2 order by position limit $3',
  reaches: 'account',
  isRepeatable: true,
}

/** Lists the positions of an account's tag settings, in order. All at once, because the rows are short. */
const listTagPositions: Statement = {
  name: 'list-tag-positions',
  text: `
    select position from item where account = $1 and key >= 'tag' and key < 'tah' order by position`,
  reaches: 'account',
  isRepeatable: true,
}

/** Lists the items of an account at some positions, in order. */
const listItemsAt: Statement = {
  name: 'list-items-at',
  text: `
    select position, step from item where account = $1 and position = any($2::bigint[]) order by position`,
  reaches: 'account',
  isRepeatable: true,
}

/** Deletes an account. Its row first: a write that waits for the lock then finds no row. */
export const removeAccount: Statement = {
  name: 'remove-account',
  text: `
    with removed as (delete from account where id = $1 returning id),
      items as (delete from item where account = $1),
      earlier as (delete from earlier where account = $1),
      records as (delete from record where account = $1),
      deliveries as (delete from delivery where account = $1),
      listings as (delete from open_listing where account = $1)
    select id from removed`,
  reaches: 'account',
  isRepeatable: true,
}

/** An account that was loaded from a snapshot of the database. */
export interface LoadedAccount {
  readonly account: Account
  readonly state: AccountState
  readonly outbox: ReadonlyMap<string, number>
}

/** Items per query. */
const pageItems = 5000

/** Tags per query: they are read by their positions. */
const pageTags = 1000

const isTagStep = ({ step }: ItemRow): boolean => step.startsWith('{"tag":')

const putRest = (news: AccountNews, begin: BeginLoading, put: (loading: ReturnType<BeginLoading>) => void): Account => {
  const loading = begin(news.position)
  put(loading)
  for (const step of news.records) {
    const change = parseStep(step)
    if (!isEntryChange(change)) loading.put(change)
  }
  return loading.finish()
}

const loadSmall = (news: AccountNews, begin: BeginLoading): Account =>
  putRest(news, begin, (loading) => {
    // The tags first: the shown form of a thing depends on them.
    putItems(loading, news.items.filter(isTagStep))
    putItems(
      loading,
      news.items.filter((item) => !isTagStep(item)),
    )
  })

/** Loads a large account page by page, so that only one page at a time is in memory. */
const loadPages = async (run: Run, userId: string, state: AccountState, begin: BeginLoading) => {
  const loading = begin(state.position)
  // The tags first, as above.
  const tags = await run<Pick<ItemRow, 'position'>>(listTagPositions, [userId])
  for (let start = 0; start < tags.length; start += pageTags) {
    const positions = tags.slice(start, start + pageTags).map(({ position }) => position)
    putItems(loading, await run<ItemRow>(listItemsAt, [userId, encodeWholes(positions)]))
  }
  for (let after = 0, isLast = false; !isLast; ) {
    const page = await run<ItemRow>(listItemPage, [userId, after, pageItems])
    putItems(
      loading,
      page.filter((item) => !isTagStep(item)),
    )
    after = page.at(-1)?.position ?? after
    isLast = page.length < pageItems
  }
  const rest = readNews(await run<ChangedRow>(listChanges, [userId, state.position, 0]))
  for (const step of rest?.records ?? []) loading.put(parseStep(step))
  return { account: loading.finish(), state, outbox: rest?.outbox ?? new Map<string, number>() }
}

/** Loads an account. `findRaised` returns by how much the positions of a new account are raised. @throws StoreError */
export const loadAccount = async (
  database: Database,
  userId: string,
  begin: BeginLoading,
  findRaised: () => Promise<number>,
): Promise<LoadedAccount> => {
  const beginNew = async (): Promise<LoadedAccount> => {
    const state = newAccountState(await findRaised())
    return { account: begin(state.position).finish(), state, outbox: new Map() }
  }

  const [found] = await database.run<AccountState>(findAccount, [userId])
  if (found === undefined) return beginNew()
  if (found.position > pageItems)
    return database.readAtOneMoment(async (run) => {
      const [state] = await run<AccountState>(findAccount, [userId])
      return state === undefined ? beginNew() : loadPages(run, userId, state, begin)
    })
  const news = readNews(await database.run<ChangedRow>(listChanges, [userId, 0, 0]))
  if (news === undefined) return beginNew()
  return { account: loadSmall(news, begin), state: news, outbox: news.outbox }
}
