import { hash } from 'node:crypto'
import type { Counts, KeyCount } from '../../store.ts'
import { encodeTexts } from '../database/encode-array.ts'
import type { Database } from '../database/open-database.ts'
import { addCount, beginLines, findCount, forgetCount, takeBackCount, takePlace } from '../statements/counts.ts'

const hashKey = (table: string, key: string): string => hash('sha256', `${table}\n${key}`, 'base64url')

const nothing: KeyCount = { count: 0, msLeft: 0 }

/** Counts that all processes on a database have together, by the clock of the database. */
export const createCounts = (database: Database): Counts => ({
  openTable: (table, windowSeconds) => ({
    find: async (key) => (await database.run<KeyCount>(findCount, [hashKey(table, key)]))[0] ?? nothing,
    add: async (key) => (await database.run<KeyCount>(addCount, [hashKey(table, key), windowSeconds]))[0] ?? nothing,
    takeBack: async (key) => void (await database.run(takeBackCount, [hashKey(table, key)])),
    forget: async (key) => void (await database.run(forgetCount, [hashKey(table, key)])),
  }),
  takePlace: async (gaps, mostMs) => {
    const lines = encodeTexts([...gaps.keys()].map((line) => hashKey('line', line)))
    await database.run(beginLines, [lines])
    const [place] = await database.run<{ readonly waitMs: number }>(takePlace, [
      lines,
      `{${[...gaps.values()].join(',')}}`,
      mostMs,
    ])
    // Swept away in between: then nobody was in the line for a minute.
    return place?.waitMs ?? 0
  },
})
