import { expect, test } from 'vitest'
import { validateRedirectUris } from './accounts/apps.ts'
import { checkUrl, createDeliveryRules } from './outbound/address-guard.ts'
import { parseUrl } from './parse-url.ts'

test('a URL outside ASCII is valid even after thousands of calls, wherever it is checked', () => {
  const rules = createDeliveryRules()
  for (let index = 0; index < 30_000; index += 1) checkUrl(`https://example.com/${index}`, rules)
  const address = 'https://example.com/ü'

  expect(checkUrl('https://ü.example/ü', rules)).toEqual({ kind: 'allowed' })
  expect(parseUrl(address)?.pathname).toBe('/%C3%BC')
  expect(() => validateRedirectUris([address])).toThrow('must be written https://example.com/%C3%BC')
})

test.each(['', 'no address', 'http://', 'http://['])('%j is no URL', (text) => {
  expect(parseUrl(text)).toBeUndefined()
})

test('a URL with a host that is too long for the DNS is invalid in any spelling', () => {
  const host = '\u4e00\u4e01a'.repeat(350)
  const written = [
    `http://${host}`,
    `HTTPS:\\\\${host}\\a`,
    `ht\ttp:${host}?b`,
    ` ws://a:b@${host}:1/`,
    `ftp:/${encodeURI(host)}#c`,
  ]

  expect(written.map(parseUrl)).toEqual(written.map(() => undefined))
})

test('a long URL with a short host is valid', () => {
  const long = 'a'.repeat(5_000)
  const written = [
    `https://example.com/${long}`,
    `https://example.com?${long}`,
    `https://example.com#${long}`,
    `https://${long}:${long}@example.com`,
    `com.example.app:${long}`,
    `com.example.app:/${long}`,
    `https://${'a'.repeat(1_024)}/`,
  ]

  expect(written.map((text) => parseUrl(text)?.href.length)).toEqual(
    written.map((text) => expect.closeTo(text.length, -1)),
  )
})
