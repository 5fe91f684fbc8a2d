import { expect, test } from 'vitest'
import { isWebAddress } from './web-address.ts'

test.each([
  ['https://hooks.example.org/x?y=1#z', true],
  ['HTTP://127.0.0.1:8080', true],
  ['http://[::1]/', true],
  ['https://bücher.example/', true],
  ['http://[', false],
  ['http://a:99999/', false],
  ['https://anna:secret@hooks.example.org/', false],
  ['https://anna@hooks.example.org/', false],
  ['ftp://hooks.example.org/', false],
  ['/x', false],
])('%s: %s', (value, expected) => {
  expect(isWebAddress(value)).toBe(expected)
})
