import { type AccountItem, passRegistryItem, type StoreItem } from '../record/backup-format.ts'
import { encodeChange } from '../record/change-text.ts'
import { encodeThingStep } from '../record/encoded-thing.ts'
import { mapKinds, type RegistryChanges, registryIds } from '../registry/registry-state.ts'
import { StoreError, type ThingForm } from '../store.ts'
import { keyOfName, keyOfTag, keyOfThing, scopeOf } from './accounts/account-rows.ts'
import { jumpNow } from './accounts/position-jumps.ts'
import { encodeNumbers, encodeTexts, encodeWholes, openDatabase, type Run, type Statement } from './database.ts'
import { writeRegistryChanges } from './registry.ts'

const describeInsert = (name: string, text: string, reaches: Statement['reaches']): Statement => ({
  ...{ name, text, reaches },
  isRepeatable: false,
})

/** Finds out if a database contains any data. */
export const findAnything: Statement = {
  name: 'find-anything',
  text: `select exists (select from users) or exists (select from app) or exists (select from account) as "isFilled"`,
  reaches: { all: 'once, before everything is copied' },
  isRepeatable: true,
}

/** Counts the connections of other thingsync processes. The application name contains the process id. */
export const countOthers: Statement = {
  name: 'count-others',
  text: `
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name like 'thingsync %' and application_name <> current_setting('application_name')`,
  reaches: { all: 'once, before everything is copied' },
  isRepeatable: true,
}

/** Inserts an account ($1) at a position ($2). */
export const copyAccount = describeInsert(
  'copy-account',
  `insert into account (id, epoch, position, revision, writer, raised)
   values ($1, floor(random() * 9007199254740991)::bigint, $2, 1, '', coalesce((${jumpNow}), 0))`,
  'account',
)
/** Inserts items of an account ($1). */
export const copyItems = describeInsert(
  'copy-items',
  `insert into item (account, key, position, step)
   select $1, * from unnest($2::text[], $3::bigint[], $4::text[])`,
  'account',
)
/** Inserts records of an account ($1). */
export const copyRecords = describeInsert(
  'copy-records',
  `insert into record (account, scope, key, revision, step)
   select $1, scope, key, 1, step from unnest($2::text[], $3::text[], $4::text[]) as given (scope, key, step)`,
  'account',
)
/** Inserts outbox entries of an account ($1). */
export const copyOutboxEntries = describeInsert(
  'copy-outbox-entries',
  `insert into delivery (account, key, name, due_at, available_at)
   select $1, key, name, due_at, due_at from unnest($2::text[], $3::text[], $4::double precision[])
     as given (key, name, due_at)`,
  'account',
)

/** Rows per insert. */
const maxRows = 1000

/** A row for a thing, a deletion or the settings of a tag. */
interface ItemRow {
  readonly key: string
  readonly position: number
  readonly step: string
}

const toItemRow = (item: StoreItem, { showThing }: ThingForm): ItemRow | undefined => {
  if ('thing' in item) {
    const { thing } = item
    const { id, position, createdPosition, othersPosition, writer } = thing
    const positions = { position, createdPosition, othersPosition, writerJson: JSON.stringify(writer) }
    // Reading the account decides if its tags make it a to-do.
    return { key: keyOfThing(id), position, step: encodeThingStep(showThing(thing, false), thing, false, positions) }
  }
  if ('tombstone' in item)
    return { key: keyOfThing(item.tombstone.id), position: item.tombstone.position, step: encodeChange(item) }
  if ('tag' in item) return { key: keyOfTag(item.tag.name), position: item.tag.position, step: encodeChange(item) }
  return undefined
}

const noChanges = mapKinds<RegistryChanges>(() => new Map())

const toRegistryChange = (item: StoreItem): RegistryChanges | undefined =>
  passRegistryItem(item, (kind, value) => ({ ...noChanges, [kind]: new Map([[registryIds[kind](value), value]]) }))

/** Creates a buffer for rows of one kind. It sends them when it has `maxRows`. */
const createRowBuffer = <Row>(send: (rows: readonly Row[]) => Promise<unknown>) => {
  let rows: Row[] = []
  const flush = async (): Promise<void> => {
    if (rows.length === 0) return
    const sent = rows
    rows = []
    await send(sent)
  }
  return {
    flush,
    add: async (row: Row): Promise<void> => {
      rows.push(row)
      if (rows.length >= maxRows) await flush()
    },
  }
}

const copyItemsInto = async (run: Run, items: AsyncIterable<StoreItem>, form: ThingForm): Promise<void> => {
  let account: AccountItem | undefined
  const id = (): string => account?.account ?? ''
  const rows = createRowBuffer<ItemRow>((sent) =>
    run(copyItems, [
      id(),
      encodeTexts(sent.map(({ key }) => key)),
      encodeWholes(sent.map(({ position }) => position)),
      encodeTexts(sent.map(({ step }) => step)),
    ]),
  )
  const records = createRowBuffer<Extract<StoreItem, { readonly record: unknown }>>((sent) =>
    run(copyRecords, [
      id(),
      encodeTexts(sent.map(({ record: { kind, group } }) => scopeOf(kind, group))),
      encodeTexts(sent.map(({ record }) => keyOfName(record.key))),
      encodeTexts(sent.map(encodeChange)),
    ]),
  )
  const entries = createRowBuffer<Extract<StoreItem, { readonly entry: unknown }>>((sent) =>
    run(copyOutboxEntries, [
      id(),
      encodeTexts(sent.map(({ entry }) => keyOfName(entry.key))),
      encodeTexts(sent.map(({ entry }) => JSON.stringify(entry.key))),
      encodeNumbers(sent.map(({ entry }) => entry.dueAt)),
    ]),
  )
  const finishAccount = async (): Promise<void> => {
    for (const buffer of [rows, records, entries]) await buffer.flush()
  }

  for await (const item of items) {
    const row = toItemRow(item, form)
    const registryChange = toRegistryChange(item)
    if (row !== undefined) await rows.add(row)
    else if (registryChange !== undefined) await writeRegistryChanges(run, registryChange)
    else if ('record' in item) await records.add(item)
    else if ('entry' in item) await entries.add(item)
    else if ('account' in item) {
      await finishAccount()
      account = item
      await run(copyAccount, [item.account, item.position])
    }
  }
  await finishAccount()
}

const checkUnused = async (run: Run): Promise<void> => {
  const [others] = await run<{ readonly count: number }>(countOthers, [])
  if (others?.count !== 0)
    throw new StoreError('other thingsync processes use the database: stop them first; nothing was copied')
}

/** Checks that no server and no other command uses a database. @throws StoreError if one is connected */
export const requireUnused = async (url: string): Promise<void> => {
  const database = openDatabase({ url, connections: 1 })
  try {
    await checkUnused(database.run)
  } finally {
    await database.close()
  }
}

/**
 * Copies all items of another store into an empty database, with the same positions, all or none.
 * @throws StoreError if the database is not empty, or in use
 */
export const copyInto = async (url: string, items: AsyncIterable<StoreItem>, form: ThingForm): Promise<void> => {
  const database = openDatabase({ url, connections: 1, timeoutMilliseconds: 60_000 })
  try {
    await database.transact(async (run) => {
      const [found] = await run<{ readonly isFilled: boolean }>(findAnything, [])
      await checkUnused(run)
      if (found?.isFilled !== false) throw new StoreError('the database is not empty; nothing was copied')
      await copyItemsInto(run, items, form)
    })
  } finally {
    await database.close()
  }
}
