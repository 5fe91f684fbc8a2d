import { expect, test } from 'vitest'
import { runWhole } from '../slices.ts'
import { parseObject } from './parse-json.ts'

// Alone in its file: what else is parsed in a process decides whether a compiler errs (see `none` in parse-json).
test('a text is parsed the same however often such texts were parsed before, by any compiler of the engine', () => {
  const note = 'x'.repeat(2_000)
  const refused = Array.from({ length: 4_000 }, (_, n) => {
    const value = { from: n, new_thing: [{ local_id: `a ${n}`, title: `a ${n}`, html: note }] }
    return runWhole(parseObject(Buffer.from(JSON.stringify(value)))) === undefined ? [n] : []
  }).flat()

  expect(refused).toEqual([])
})
