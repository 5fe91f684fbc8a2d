import { expect, test } from 'vitest'
import { DamagedFile, decodeSealed, encodeSealed } from './checked-lines.ts'

const head = { format: 'test', version: 1 }
const lists = { things: [{ id: 'é"\u2028\ud800' }, { id: '"checksum": "' }], none: [] }
const text = [...encodeSealed(head, lists)].join('')

const readCheck = (damaged: string): unknown => {
  try {
    return decodeSealed(damaged, head)
  } catch (error) {
    if (error instanceof DamagedFile) return 'damaged'
    throw error
  }
}

test('a sealed document is plain JSON with one item per line, and can be decoded', () => {
  expect(text.split('\n')).toHaveLength(9)
  expect(JSON.parse(text)).toMatchObject({ ...head, ...lists })
  expect(decodeSealed(text, head)).toMatchObject({ ...head, ...lists })
})

test('a text of many pieces has one checksum over all of them', () => {
  const many = { things: Array.from({ length: 5000 }, (_, n) => `ä${n}`.repeat(20)) }
  const pieces = [...encodeSealed(head, many)]

  expect(pieces.length).toBeGreaterThan(5)
  expect(decodeSealed(pieces.join(''), head)).toMatchObject(many)
})

test('a text that is cut anywhere is damaged', () => {
  const whole = decodeSealed(text, head)

  // Without its last line break the text is still whole.
  const cuts = Array.from({ length: text.length - 1 }, (_, length) => readCheck(text.slice(0, length)))

  expect(new Set(cuts)).toEqual(new Set(['damaged']))
  expect(readCheck(text.trimEnd())).toEqual(whole)
})

test('a text with one changed character is damaged, or has the same content', () => {
  for (let index = 0; index < text.length; index += 1)
    for (const other of ['0', '\u0000', ' ', '"']) {
      const read = readCheck(`${text.slice(0, index)}${other}${text.slice(index + 1)}`)
      if (read !== 'damaged') expect(read, `${other} at ${index}`).toMatchObject({ ...head, ...lists })
    }
})

test('a text that a user repaired is accepted without a checksum, or with dashes as its digits', () => {
  const repaired = text.replace('"none": [', '"none": ["new"')

  expect(readCheck(repaired)).toBe('damaged')
  expect(decodeSealed(repaired.replace(/,\n"checksum": "crc32 .*/, '}'), head)).toMatchObject({ none: ['new'] })
  expect(decodeSealed(repaired.replace(/("crc32 )\w{8}("\}\n)$/, '$1--------$2'), head)).toMatchObject({
    none: ['new'],
  })
})

test('another format or a later version is rejected', () => {
  expect(() => decodeSealed(text, { ...head, format: 'other' })).toThrow('its format is "test", not "other"')
  expect(() => decodeSealed(text, { ...head, version: 0 })).toThrow('its version is 1, this program reads version 0')
})
