import { expect, test } from 'vitest'
import { foldText } from './query.ts'

test('equivalent spellings fold to the same text, in any case', () => {
  const pairs = [
    ['Straße', 'STRASSE'],
    ['İstanbul ılık', 'istanbul ilik'],
    ['Łódź Ørsted', 'lodz orsted'],
    ['Ελλάς', 'ΕΛΛΑΣ'],
    ['Cafe\u0301', 'CAFÉ'],
    ['שָׁלוֹם', 'שלום'],
    ['العَرَبِيَّة', 'العربية'],
    ['ｶﾀｶﾅ', 'カタカナ'],
  ]

  for (const [written = '', typed = ''] of pairs) expect(foldText(written)).toBe(foldText(typed))
})

test('a prefix of a Greek word in capitals finds the whole word', () => {
  expect(foldText('οδόστρωμα')).toContain(foldText('ΟΔΟΣ'))
})

test('letters with different meanings stay different', () => {
  expect(foldText('דג־ים')).toContain('־')
  expect(foldText('한국어')).toContain(foldText('한국'))
  expect(foldText('が')).not.toBe(foldText('か'))
})
