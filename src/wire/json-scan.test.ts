import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findInText, findMark } from './json.ts'

const findFirst = (bytes: Buffer, sought: string, start: number, end: number): number => {
  for (let at = start; at < end; at++) if (sought.includes(String.fromCharCode(bytes[at] as number))) return at
  return Math.max(start, end)
}

test('the search finds the first of the bytes, or the end', () => {
  const text = fc.string({ unit: fc.constantFrom('"', '\\', ',', '[', '}', ':', 'a', 'ü') })
  fc.assert(
    fc.property(text, fc.nat(12), fc.nat(12), (given, start, size) => {
      const bytes = Buffer.from(given)
      const end = Math.min(bytes.length, start + size)

      expect(findInText(bytes, start, end)).toBe(findFirst(bytes, '"\\', start, end))
      expect(findMark(bytes, start, end)).toBe(findFirst(bytes, '",[]{}', start, end))
    }),
  )
})
