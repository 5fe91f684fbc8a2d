import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runWhole } from '../../slices.ts'
import type { Change } from '../change.ts'
import { encodeLine, encodeLongLine, readLine, readSteps } from './journal-line.ts'
import { encodeChanges, encodeManyChanges } from './write-steps.ts'

const change: fc.Arbitrary<Change> = fc.record({
  record: fc.record({ kind: fc.string(), group: fc.string(), key: fc.string({ unit: 'binary' }), value: fc.string() }),
})

test('a long line is the same, byte for byte, as one that is made at once', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200, size: 'max' }), fc.string(), (changes, key) => {
      const line = { write: 7, batch: 6, key }
      const { encoded } = runWhole(encodeManyChanges(changes))
      const long = Buffer.concat(encodeLongLine(line, encoded))

      expect(long.equals(Buffer.from(encodeLine(line, encodeChanges(changes))))).toBe(true)
      const read = long.subarray(0, -1)
      expect([readLine(read), readSteps(read)]).toEqual([line, JSON.parse(JSON.stringify(changes))])
    }),
    { numRuns: 50 },
  )
})

test('changes that are larger than a piece are encoded whole', () => {
  const value = 'ключ'.repeat(400_000)
  const changes = ['a', 'b', 'c'].map((key): Change => ({ record: { kind: 'k', group: 'g', key, value } }))

  const { encoded } = runWhole(encodeManyChanges(changes))

  expect(Buffer.concat(encoded).equals(Buffer.from(encodeChanges(changes)))).toBe(true)
})
