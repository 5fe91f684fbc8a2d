import { expect, test } from 'vitest'
import { createDeliveryRules } from './delivery-rules.ts'
import { judgeAddress } from './judge-address.ts'

test('an address outside ASCII is allowed also after thousands of others', () => {
  const rules = createDeliveryRules()
  const judge = (address: string) => judgeAddress(address, rules).kind
  for (let index = 0; index < 30_000; index += 1) judge(`https://example.com/${index}`)

  expect(judge('https://ü.example/ü')).toBe('allowed')
})
