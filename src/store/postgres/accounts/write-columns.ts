import { encodeFlags, encodeNumbers, encodeTexts, encodeWholes } from '../database/encode-array.ts'
import type { Value } from '../database/statement.ts'
import { type WritePart, writeParts } from '../statements/write-parts.ts'
import type { WriteShape } from '../statements/writes.ts'
import type { WriteBatch } from './chain.ts'
import { keyOfName } from './names.ts'
import { collectErrands, collectItems, collectRecords } from './write-states.ts'

/** What keeps some batches, each of another account: what the writes are, and the values of the statement for these. */
export interface WriteColumns extends WriteShape {
  readonly values: readonly Value[]
}

/** Writes out some batches, each of another account. `now` is Unix time in milliseconds. */
export const writeColumns = (id: string, batches: readonly WriteBatch[], now: number): WriteColumns => {
  const states = batches.map((batch) => ({
    ...{ userId: batch.userId, last: batch.writes.at(-1) },
    ...{ epoch: batch.epoch, base: batch.base, raised: batch.raised },
    items: [...collectItems(batch)],
    records: collectRecords(batch),
    errands: [...collectErrands(batch)],
  }))
  const each = <Part>(list: (state: (typeof states)[number]) => readonly Part[]) =>
    states.flatMap((state) => list(state).map((item) => ({ userId: state.userId, item })))
  const accounts = (rows: readonly { readonly userId: string }[]): Buffer => encodeTexts(rows.map((row) => row.userId))

  const items = each((state) => state.items)
  const put = each((state) => [...state.records.put.values()])
  const gone = each((state) => state.records.gone)
  const due = each((state) => state.errands.flatMap(([key, dueAt]) => (dueAt === null ? [] : [{ key, dueAt }])))
  const settled = each((state) => state.errands.flatMap(([key, dueAt]) => (dueAt === null ? [key] : [])))
  const columns: Readonly<Record<WritePart, readonly [rows: readonly unknown[], write: () => readonly Value[]]>> = {
    items: [
      items,
      () => [
        accounts(items),
        encodeTexts(items.map(({ item: [key] }) => key)),
        encodeWholes(items.map(({ item: [, { position }] }) => position)),
        encodeTexts(items.map(({ item: [, { step }] }) => step)),
      ],
    ],
    records: [
      put,
      () => [
        accounts(put),
        encodeTexts(put.map(({ item }) => item.scope)),
        encodeTexts(put.map(({ item }) => item.key)),
        encodeWholes(put.map(({ item }) => item.revision)),
        encodeTexts(put.map(({ item }) => item.step)),
      ],
    ],
    removals: [
      gone,
      () => [
        accounts(gone),
        encodeTexts(gone.map(({ item }) => item.scope)),
        encodeTexts(gone.map(({ item }) => item.key)),
      ],
    ],
    errands: [
      due,
      () => [
        accounts(due),
        encodeTexts(due.map(({ item: { key } }) => keyOfName(key))),
        encodeTexts(due.map(({ item: { key } }) => JSON.stringify(key))),
        encodeNumbers(due.map(({ item: { dueAt } }) => dueAt)),
      ],
    ],
    settled: [settled, () => [accounts(settled), encodeTexts(settled.map(({ item: key }) => keyOfName(key)))]],
  }
  const parts = writeParts.filter((part) => columns[part][0].length > 0)
  return {
    isOneAccount: batches.length === 1,
    parts,
    values: [
      id,
      now,
      accounts(states),
      encodeWholes(states.map(({ epoch }) => epoch)),
      encodeWholes(states.map(({ base }) => base)),
      encodeWholes(states.map(({ last }) => last?.write.position ?? 0)),
      encodeWholes(states.map(({ last }) => last?.revision ?? 0)),
      encodeFlags(states.map(({ records }) => records.gone.length > 0)),
      encodeTexts(states.map(({ last }) => last?.writer ?? '')),
      encodeWholes(states.map(({ raised }) => raised)),
      ...parts.flatMap((part) => columns[part][1]()),
    ],
  }
}
