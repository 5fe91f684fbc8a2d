import { entriesTable, packKeysTable, packsTable } from './indexeddb-database.ts'
import { fillPacks } from './indexeddb-pack.ts'
import type { PackIndex } from './indexeddb-packs.ts'

/** Changes one record of one table. */
export type WriteStep = { readonly table: string; readonly key: string | number } & (
  | { readonly isRemoved: true }
  | { readonly isRemoved?: false; readonly value: unknown }
)

/** What a write does to the tables, in one transaction. */
export interface WritePlan {
  readonly tables: string | string[]
  readonly steps: readonly WriteStep[]
  /** To be called when all of it was done. */
  readonly confirm: () => void
}

/** From so many entries on they become packs. */
const fewestPacked = 64
// Removing packs looks at all keys once.
const fewestRemoved = 32

/** How these changes are written; `mayRemove` when nothing is reading packs that nobody needs any more. */
export const planWrite = (changes: ReadonlyMap<string, unknown>, index: PackIndex, mayRemove: boolean): WritePlan => {
  const steps: WriteStep[] = []
  const set = [...changes].filter(([, value]) => value !== undefined)
  const isPacked = set.length >= fewestPacked
  const putKeys: string[] = []
  const removedKeys: string[] = []
  const packs: (readonly [pack: number, keys: readonly string[]])[] = []

  for (const [key, value] of changes) {
    if (value !== undefined && isPacked) {
      if (index.singles.has(key)) steps.push({ table: entriesTable, key, isRemoved: true })
      removedKeys.push(key)
    } else if (value !== undefined || index.isPacked(key)) {
      // Nothing in the place of a value hides what the pack has.
      steps.push({ table: entriesTable, key, value })
      putKeys.push(key)
    } else {
      steps.push({ table: entriesTable, key, isRemoved: true })
      removedKeys.push(key)
    }
  }
  for (const { keys, value } of isPacked ? fillPacks(set) : []) {
    const key = index.lastPack() + packs.length + 1
    steps.push({ table: packsTable, key, value }, { table: packKeysTable, key, value: JSON.stringify(keys) })
    packs.push([key, keys])
  }
  const dead = mayRemove ? index.listDead() : []
  const gone = dead.length < fewestRemoved ? [] : dead
  for (const key of gone) {
    steps.push({ table: packsTable, key, isRemoved: true }, { table: packKeysTable, key, isRemoved: true })
  }
  return {
    tables: isPacked || gone.length > 0 ? [entriesTable, packsTable, packKeysTable] : entriesTable,
    steps,
    confirm: () => {
      // First these: that a pack goes says nothing of what this write has put in its place.
      if (gone.length > 0) index.noteRemoved(gone)
      index.noteSingles(putKeys, removedKeys)
      for (const [pack, keys] of packs) index.notePack(pack, keys)
    },
  }
}
