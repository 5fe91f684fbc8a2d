import { expect, test } from 'vitest'
import { createChangeBuffer } from './change-text.ts'

const closed = (pieces: readonly Buffer[]): unknown => JSON.parse(Buffer.concat(pieces).toString())

test('every step is found at its offset, and all form a list, whatever their sizes', () => {
  const room = createChangeBuffer()
  const steps = Array.from({ length: 3000 }, (_, n) => ({ n, text: 'ключ €😀'.repeat((n * n) % 97) }))
  steps.push({ n: -1, text: 'ю'.repeat(400_000) }, { n: -2, text: 'last' })

  const offsets = steps.map((step) => room.add(JSON.stringify(step)))

  for (const [index, step] of steps.entries()) {
    const json = Buffer.from(JSON.stringify(step))
    const { bytes, start } = room.find(offsets[index] as number)
    expect(bytes.subarray(start, start + json.length).equals(json)).toBe(true)
  }
  expect(closed(room.close([]))).toEqual(steps)
})

test('the given steps come before all others', () => {
  const [room, empty] = [createChangeBuffer(), createChangeBuffer()]
  room.add('3')

  expect([closed(room.close(['1', '2'])), closed(empty.close(['1'])), closed(createChangeBuffer().close([]))]).toEqual([
    [1, 2, 3],
    [1],
    [],
  ])
})
