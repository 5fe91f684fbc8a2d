import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { joinChecksums } from './compress.ts'

test.each([0, 1, 2, 3, 7, 255, 256, 65_537, 1_000_003])(
  'the checksum of %i bytes is joined to an earlier one',
  (size) => {
    const [before, behind] = [randomBytes(100), randomBytes(size)]

    const joined = joinChecksums(crc32(before), crc32(behind), size)

    expect(joined).toBe(crc32(Buffer.concat([before, behind])))
  },
)

test('a checksum is joined to the checksum of no bytes', () => {
  expect(joinChecksums(crc32(''), crc32('some bytes'), 10)).toBe(crc32('some bytes'))
})
