import { type AccountItem, type StoreItem, takeRegistryItem } from '../record/store-item.ts'
import { encodeThingStep } from '../record/thing-step.ts'
import { encodeChange } from '../record/write-steps.ts'
import { mapKinds, type RegistryChanges, registryIds } from '../registry/registry-state.ts'
import { StoreFailed, type ThingForm } from '../store.ts'
import { keyOfName, keyOfTag, keyOfThing, scopeOf } from './accounts/names.ts'
import { encodeNumbers, encodeTexts, encodeWholes } from './database/encode-array.ts'
import { openDatabase, type Run } from './database/open-database.ts'
import { keepChanges } from './registry/keep-changes.ts'
import * as statements from './statements/copy.ts'

/** So many rows go out at a time. */
const mostRows = 1000

/** Where a thing, a deletion or the settings of a tag stand. */
interface ItemRow {
  readonly key: string
  readonly position: number
  readonly step: string
}

const toItemRow = (item: StoreItem, { showThing }: ThingForm): ItemRow | undefined => {
  if ('thing' in item) {
    const { thing } = item
    const { id, position, createdPosition, othersPosition, writer } = thing
    const place = { position, createdPosition, othersPosition, writerJson: JSON.stringify(writer) }
    // Whether its tags make it a todo is told when it is read.
    return { key: keyOfThing(id), position, step: encodeThingStep(showThing(thing, false), thing, false, place) }
  }
  if ('tombstone' in item)
    return { key: keyOfThing(item.tombstone.id), position: item.tombstone.position, step: encodeChange(item) }
  if ('tag' in item) return { key: keyOfTag(item.tag.name), position: item.tag.position, step: encodeChange(item) }
  return undefined
}

const noChanges = mapKinds<RegistryChanges>(() => new Map())

const toRegistryChange = (item: StoreItem): RegistryChanges | undefined =>
  takeRegistryItem(item, (kind, value) => ({ ...noChanges, [kind]: new Map([[registryIds[kind](value), value]]) }))

/** Collects rows of one kind, and sends them when there are enough. */
const createRows = <Row>(send: (rows: readonly Row[]) => Promise<unknown>) => {
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
      if (rows.length >= mostRows) await flush()
    },
  }
}

const copyItems = async (run: Run, items: AsyncIterable<StoreItem>, form: ThingForm): Promise<void> => {
  let account: AccountItem | undefined
  const id = (): string => account?.account ?? ''
  const rows = createRows<ItemRow>((sent) =>
    run(statements.copyItems, [
      id(),
      encodeTexts(sent.map(({ key }) => key)),
      encodeWholes(sent.map(({ position }) => position)),
      encodeTexts(sent.map(({ step }) => step)),
    ]),
  )
  const records = createRows<Extract<StoreItem, { readonly record: unknown }>>((sent) =>
    run(statements.copyRecords, [
      id(),
      encodeTexts(sent.map(({ record: { kind, group } }) => scopeOf(kind, group))),
      encodeTexts(sent.map(({ record }) => keyOfName(record.key))),
      encodeTexts(sent.map(encodeChange)),
    ]),
  )
  const errands = createRows<Extract<StoreItem, { readonly errand: unknown }>>((sent) =>
    run(statements.copyErrands, [
      id(),
      encodeTexts(sent.map(({ errand }) => keyOfName(errand.key))),
      encodeTexts(sent.map(({ errand }) => JSON.stringify(errand.key))),
      encodeNumbers(sent.map(({ errand }) => errand.dueAt)),
    ]),
  )
  const finishAccount = async (): Promise<void> => {
    for (const each of [rows, records, errands]) await each.flush()
  }

  for await (const item of items) {
    const row = toItemRow(item, form)
    const registryChange = toRegistryChange(item)
    if (row !== undefined) await rows.add(row)
    else if (registryChange !== undefined) await keepChanges(run, registryChange)
    else if ('record' in item) await records.add(item)
    else if ('errand' in item) await errands.add(item)
    else if ('account' in item) {
      await finishAccount()
      account = item
      await run(statements.copyAccount, [item.account, item.position])
    }
  }
  await finishAccount()
}

const refuseWhileInUse = async (run: Run): Promise<void> => {
  const [others] = await run<{ readonly count: number }>(statements.countOthers, [])
  if (others?.count !== 0)
    throw new StoreFailed('other programs of thingsync work on the database; stop them first; nothing was copied')
}

/** @throws StoreFailed when servers, or other commands, are connected to a database */
export const requireUnused = async (url: string): Promise<void> => {
  const database = openDatabase({ url, connections: 1 })
  try {
    await refuseWhileInUse(database.run)
  } finally {
    await database.close()
  }
}

/**
 * Puts all items of another store into an empty database, at the positions that they have there; all or nothing.
 * @throws StoreFailed when the database is not empty, or in use
 */
export const copyInto = async (url: string, items: AsyncIterable<StoreItem>, form: ThingForm): Promise<void> => {
  const database = openDatabase({ url, connections: 1, patienceMilliseconds: 60_000 })
  try {
    await database.transact(async (run) => {
      const [found] = await run<{ readonly isFilled: boolean }>(statements.findAnything, [])
      await refuseWhileInUse(run)
      if (found?.isFilled !== false) throw new StoreFailed('the database is not empty; nothing was copied')
      await copyItems(run, items, form)
    })
  } finally {
    await database.close()
  }
}
