import { expect, test } from 'vitest'
import { refuseBadRedirectUris } from './accounts/redirect-uris.ts'
import { createDeliveryRules } from './outbound/delivery-rules.ts'
import { judgeAddress } from './outbound/judge-address.ts'
import { parseUrl } from './parse-url.ts'

test('an address outside ASCII is one also after thousands of others, wherever it is judged', () => {
  const rules = createDeliveryRules()
  for (let index = 0; index < 30_000; index += 1) judgeAddress(`https://example.com/${index}`, rules)
  const address = 'https://example.com/ü'

  expect(judgeAddress('https://ü.example/ü', rules)).toEqual({ kind: 'allowed' })
  expect(parseUrl(address)?.pathname).toBe('/%C3%BC')
  expect(() => refuseBadRedirectUris([address])).toThrow('has to be written https://example.com/%C3%BC')
})

test.each(['', 'no address', 'http://', 'http://['])('%j is no address', (text) => {
  expect(parseUrl(text)).toBeUndefined()
})
