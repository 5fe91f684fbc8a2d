import { expect, test } from 'vitest'
import { createExcerpts } from './excerpts.ts'
import type { Row } from './item-parts.ts'

const rowOf = (number: number, hasNote = true): Row => ({
  number,
  id: `id${number}`,
  title: '',
  tags: [],
  date: 0,
  archived: false,
  hasNote,
  isPending: false,
})

/** Excerpts of notes that a test changes, with the read IDs. */
const createFixture = () => {
  const notes = new Map<string, string>()
  const readIds: (readonly string[])[] = []
  let work: (() => Promise<void>) | undefined
  const excerpts = createExcerpts({
    findThings: async (ids) => {
      readIds.push(ids)
      return new Map(ids.map((id) => [id, { html: notes.get(id) ?? '' }]))
    },
    later: (next) => {
      work = next
    },
  })
  const settle = async () => {
    await work?.()
    work = undefined
  }
  return { excerpts, notes, readIds, settle }
}

test('the notes of visible rows are read together, once, and again after a change', async () => {
  const { excerpts, notes, readIds, settle } = createFixture()
  const [one, two, noNote] = [rowOf(1), rowOf(2), rowOf(3, false)]
  notes.set('id1', '<p>oat <b>milk</b></p>')

  const before = [one, two, noNote].map(excerpts.read)
  await settle()
  const after = [one, two, noNote].map(excerpts.read)
  notes.set('id1', '<p>bread</p>')
  const changed = rowOf(1)
  const meanwhile = excerpts.read(changed)
  await settle()

  expect(before).toEqual([undefined, undefined, undefined])
  expect(after).toEqual(['oat milk', '', undefined])
  expect([meanwhile, excerpts.read(changed)]).toEqual(['oat milk', 'bread'])
  expect(readIds).toEqual([['id1', 'id2'], ['id1']])
  expect(excerpts.revision.read()).toBe(2)
})

test('of many rows that a user scrolled past, only the last are read and kept', async () => {
  const { excerpts, readIds, settle } = createFixture()
  const rows = Array.from({ length: 1_000 }, (_, number) => rowOf(number))

  for (const row of rows) excerpts.read(row)
  await settle()
  for (let start = 0; start < 1_000; start += 50) {
    for (const row of rows.slice(start, start + 50)) excerpts.read(row)
    await settle()
  }

  expect(readIds[0]?.length).toBe(80)
  expect(rows.filter((row) => excerpts.read(row) !== undefined).length).toBe(400)
})
