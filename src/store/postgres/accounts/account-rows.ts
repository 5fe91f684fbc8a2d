import { createHash } from 'node:crypto'
import type { Account, AccountLoading, AccountSteps, BeginLoading } from '../../account/account.ts'
import { draftRecords, type Gaps, type Records } from '../../account/records.ts'
import { type Change, isEntryChange } from '../../record/change.ts'
import { readChange } from '../../record/change-text.ts'
import { createThingScanner, type EncodedThing, thingStart } from '../../record/encoded-thing.ts'
import { type Database, encodeWholes, type Run, type Statement } from '../database.ts'

/** Names that stand in a key as they are: for people who look, and shorter than what an index takes. */
const plain = /^[ -~]{0,120}$/

/**
 * The key of a name that somebody else chose: any text, of any length. The name itself stands in the row, as JSON, which
 * can hold what a text of the database cannot (NUL, half a surrogate pair).
 */
export const keyOfName = (name: string): string =>
  plain.test(name) ? `=${name}` : `#${createHash('sha256').update(JSON.stringify(name)).digest('base64url')}`

/** The key of a thing, living or deleted. */
export const keyOfThing = (id: string): string => `thing${keyOfName(id)}`

/** The key of a tag's settings. */
export const keyOfTag = (name: string): string => `tag${keyOfName(name)}`

/** The key of a kind and group of records; the length keeps any two pairs different. */
export const scopeOf = (kind: string, group: string): string => keyOfName(`${kind.length} ${kind}${group}`)

/** A row of `listChanges`. Numbers that may be large come as numbers: positions stay below 2^53. */
export interface ChangedRow {
  readonly kind: 'account' | 'item' | 'record' | 'errand'
  /** A position; of an errand when it is due. */
  readonly place: number | null
  readonly epoch: number | null
  readonly revision: number | null
  readonly writer: string | null
  readonly forgets: boolean | null
  /** The step of the last change; of an errand its key, as JSON. */
  readonly step: string | null
  readonly raised: number | null
  readonly gaps: Gaps | null
}

/** Where an account is. */
export interface AccountPosition {
  readonly epoch: number
  readonly revision: number
  readonly position: number
  /** Who made the last write. */
  readonly writer: string
  /** By how much its positions were raised. */
  readonly raised: number
  readonly gaps: Gaps
}

/** What tells whether an account has moved since; revision 0 for one that was never written to. */
export type AccountMark = Pick<AccountPosition, 'epoch' | 'revision'>

/** The place of an account that was never written to, in a database of which positions are raised. */
const newAccountPosition = (raised: number): AccountPosition => ({
  ...{ epoch: 0, revision: 0, position: raised, writer: '', raised },
  gaps: raised === 0 ? [] : [[0, raised]],
})

/** What is new in an account. */
export interface AccountNews extends AccountPosition {
  /** Steps of things, tombstones and tags in the order of their positions. */
  readonly items: readonly ItemRow[]
  readonly records: readonly string[]
  /** True when the records are all that there are. */
  readonly areRecordsAll: boolean
  /** All errands. */
  readonly errands: ReadonlyMap<string, number>
}

/** Something that has a position. */
export interface ItemRow {
  readonly place: number
  readonly step: string
}

const isItemRow = (row: ChangedRow): row is ChangedRow & ItemRow => row.place !== null && row.step !== null

/** Takes rows apart; undefined when there is no such account. */
export const readNews = (rows: readonly ChangedRow[]): AccountNews | undefined => {
  const head = rows.find(({ kind }) => kind === 'account')
  if (head === undefined) return undefined
  const { epoch, revision, place: position, writer, forgets, raised, gaps } = head
  if (epoch === null || revision === null || position === null || writer === null) return undefined
  const items = rows.filter(({ kind }) => kind === 'item').filter(isItemRow)
  const errands = rows.filter(({ kind }) => kind === 'errand').filter(isItemRow)
  return {
    ...{ epoch, revision, position, writer, raised: raised ?? 0, gaps: gaps ?? [] },
    items: items.toSorted((a, b) => a.place - b.place),
    records: rows.flatMap(({ kind, step }) => (kind === 'record' && step !== null ? [step] : [])),
    areRecordsAll: forgets ?? false,
    errands: new Map(errands.map(({ step, place }) => [JSON.parse(step) as string, place])),
  }
}

/** A step of a row that is no thing. @throws Error when it is none that this program writes */
const parseStep = (step: string): Change => {
  const change = readChange(JSON.parse(step))
  if (change === undefined) throw new Error(`a row is not what was written: ${step.slice(0, 200)}`)
  return change
}

/** Reads the steps of rows; a thing as its bytes, which are used again for the next one. */
const createRowReader = (): ((step: string) => Change | EncodedThing) => {
  const scan = createThingScanner()
  return (step) => (step.startsWith('{"thing":') ? scan(Buffer.from(step), thingStart) : undefined) ?? parseStep(step)
}

/** Records with those of rows. */
export const addRecords = (records: Records, news: Pick<AccountNews, 'records' | 'areRecordsAll'>): Records => {
  const draft = draftRecords(news.areRecordsAll ? new Map() : records)
  for (const step of news.records) draft.apply(parseStep(step))
  return draft.finish()
}

/** What is new above a position, as the steps of one write. */
export const stepsOf = (news: AccountNews, above: number, records: Records): AccountSteps => {
  const items = news.items.filter(({ place }) => place > above)
  const read = createRowReader()
  const isRaised = (items.at(-1)?.place ?? above) < news.position
  return {
    length: items.length + (isRaised ? 1 : 0),
    at: (index) => {
      const item = items[index]
      return item === undefined ? { raisedTo: news.position } : read(item.step)
    },
    records,
  }
}

/** Puts items into an account that is being loaded. */
export const putItems = (loading: AccountLoading, items: readonly ItemRow[]): void => {
  const read = createRowReader()
  for (const { step } of items) loading.put(read(step))
}

/** Where an account is; no row when it was never written to. Fails on a standby, which may be behind what was answered. */
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
 * What is new in an account after a position and a revision ($2, $3), with where it is then, all of one moment. Where
 * records were removed since, all that are left.
 */
export const listChanges: Statement = {
  name: 'list-changes',
  text: `
    select 'account' as kind, position as place, epoch, revision, writer, records_removed > $3 as forgets, null as step,
      raised, gaps
    from account where id = $1
    union all
    select 'item', position, null, null, null, null, step, null, null from item where account = $1 and position > $2
    union all
    select 'record', null, null, null, null, null, record.step, null, null
    from (select case when records_removed > $3 then 0 else $3 end as after from account where id = $1) as known
    cross join lateral (select step from record where account = $1 and revision > known.after) as record
    union all
    select 'errand', due_at, null, null, null, null, name, null, null from delivery where account = $1 and due_at is not null`,
  reaches: 'account',
  isRepeatable: true,
}

/** The next of an account's items after a position, in order. */
const listItemPage: Statement = {
  name: 'list-item-page',
  text: 'select position as place, step from item where account = $1 and position > $2 order by position limit $3',
  reaches: 'account',
  isRepeatable: true,
}

/** Where the settings of an account's tags stand in the order of its changes: short rows, of which all are asked for. */
const listTagPositions: Statement = {
  name: 'list-tag-positions',
  text: `
    select position as place from item where account = $1 and key >= 'tag' and key < 'tah' order by position`,
  reaches: 'account',
  isRepeatable: true,
}

/** The items of an account at some positions, in order. */
const listItemsAt: Statement = {
  name: 'list-items-at',
  text: `
    select position as place, step from item where account = $1 and position = any($2::bigint[]) order by position`,
  reaches: 'account',
  isRepeatable: true,
}

/** Forgets an account. Its row goes first: a write that waits for it finds it gone. */
export const removeAccount: Statement = {
  name: 'remove-account',
  text: `
    with gone as (delete from account where id = $1 returning id),
      items as (delete from item where account = $1),
      earlier as (delete from earlier where account = $1),
      records as (delete from record where account = $1),
      deliveries as (delete from delivery where account = $1),
      listings as (delete from open_listing where account = $1)
    select id from gone`,
  reaches: 'account',
  isRepeatable: true,
}

/** An account as it was at one moment, out of the database. */
export interface LoadedAccount {
  readonly account: Account
  readonly place: AccountPosition
  readonly errands: ReadonlyMap<string, number>
}

/** So many positions are asked for in one go. */
const pageItems = 5000

/** So many tags: they are asked for by their positions. */
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
    // The tags first: they say how the things are shown.
    putItems(loading, news.items.filter(isTagStep))
    putItems(
      loading,
      news.items.filter((item) => !isTagStep(item)),
    )
  })

/** Reads a large account page by page, so that memory holds one of them beside what is made of it. */
const loadPages = async (run: Run, userId: string, place: AccountPosition, begin: BeginLoading) => {
  const loading = begin(place.position)
  // The tags first, as above.
  const tags = await run<Pick<ItemRow, 'place'>>(listTagPositions, [userId])
  for (let start = 0; start < tags.length; start += pageTags) {
    const positions = tags.slice(start, start + pageTags).map(({ place: position }) => position)
    putItems(loading, await run<ItemRow>(listItemsAt, [userId, encodeWholes(positions)]))
  }
  for (let after = 0, isLast = false; !isLast; ) {
    const page = await run<ItemRow>(listItemPage, [userId, after, pageItems])
    putItems(
      loading,
      page.filter((item) => !isTagStep(item)),
    )
    after = page.at(-1)?.place ?? after
    isLast = page.length < pageItems
  }
  const rest = readNews(await run<ChangedRow>(listChanges, [userId, place.position, 0]))
  for (const step of rest?.records ?? []) loading.put(parseStep(step))
  return { account: loading.finish(), place, errands: rest?.errands ?? new Map<string, number>() }
}

/** Loads an account; `findRaised` says by how much the positions of a new one are raised. @throws StoreFailed */
export const loadAccount = async (
  database: Database,
  userId: string,
  begin: BeginLoading,
  findRaised: () => Promise<number>,
): Promise<LoadedAccount> => {
  const beginNew = async (): Promise<LoadedAccount> => {
    const place = newAccountPosition(await findRaised())
    return { account: begin(place.position).finish(), place, errands: new Map() }
  }

  const [found] = await database.run<AccountPosition>(findAccount, [userId])
  if (found === undefined) return beginNew()
  if (found.position > pageItems)
    return database.readAtOneMoment(async (run) => {
      const [place] = await run<AccountPosition>(findAccount, [userId])
      return place === undefined ? beginNew() : loadPages(run, userId, place, begin)
    })
  const news = readNews(await database.run<ChangedRow>(listChanges, [userId, 0, 0]))
  if (news === undefined) return beginNew()
  return { account: loadSmall(news, begin), place: news, errands: news.errands }
}
