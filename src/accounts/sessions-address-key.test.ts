import { expect, test } from 'vitest'
import { findAddressKey, formatAddress } from './sessions.ts'

test.each([
  ['203.0.113.7', '203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7', '203.0.113.7'],
  ['2001:db8:0:7:1:2:3:4', '2001:db8:0:7:1:2:3:4', '2001:db8:0:7::/64'],
  ['2001:DB8:0:7::', '2001:db8:0:7::', '2001:db8:0:7::/64'],
  ['fe80::1%eth0', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '::1', '0:0:0:0::/64'],
  ['', 'unknown', 'unknown'],
  ['1', 'unknown', 'unknown'],
  ['x'.repeat(100_000), 'unknown', 'unknown'],
])('%.50s is shown as %s and counted under %s', (address, shown, key) => {
  expect([formatAddress(address), findAddressKey(address)]).toEqual([shown, key])
})
