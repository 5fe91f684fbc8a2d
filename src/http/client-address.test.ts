import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { createFindClientAddress } from './client-address.ts'

const requestFrom = (remoteAddress: string | undefined, forwardedFor?: string) => {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage
}

test.each<[readonly string[], string | undefined, string | undefined, string]>([
  [[], '127.0.0.1', '203.0.113.7', '127.0.0.1'],
  [[], undefined, '203.0.113.7', ''],
  [['loopback'], undefined, '203.0.113.7', ''],
  [['loopback'], '127.0.0.1', undefined, '127.0.0.1'],
  [['loopback'], '127.0.0.1', '203.0.113.7', '203.0.113.7'],
  [['loopback'], '::ffff:127.0.0.1', '203.0.113.7', '203.0.113.7'],
  [['loopback'], '198.51.100.1', '203.0.113.7', '198.51.100.1'],
  [['loopback'], '127.0.0.1', '9.9.9.9, 203.0.113.7', '203.0.113.7'],
  [['loopback', '10.0.0.0/8'], '127.0.0.1', '9.9.9.9, 203.0.113.7, 10.1.2.3', '203.0.113.7'],
  [['2001:db8::/32'], '2001:db8::1', '2001:db9::7', '2001:db9::7'],
  [['loopback'], '127.0.0.1', 'unknown', '127.0.0.1'],
  [['loopback'], '127.0.0.1', '203.0.113.7, <script>', '127.0.0.1'],
  [['loopback'], '127.0.0.1', '203.0.113.7:80', '127.0.0.1'],
  [['loopback'], '127.0.0.1', '', '127.0.0.1'],
  [['loopback'], '127.0.0.1', 'x'.repeat(10_000), '127.0.0.1'],
])('with %j trusted, the client of %s with X-Forwarded-For %.40s is %s', (trusted, peer, forwardedFor, address) => {
  expect(createFindClientAddress(trusted)(requestFrom(peer, forwardedFor))).toBe(address)
})

test.each<[readonly string[], string | undefined, string]>([
  [[], undefined, ''],
  [[], '203.0.113.7', '203.0.113.7'],
  [[], '9.9.9.9, 203.0.113.7', '203.0.113.7'],
  [['10.0.0.0/8'], '9.9.9.9, 203.0.113.7, 10.1.2.3', '203.0.113.7'],
  [[], '203.0.113.7, unknown', ''],
])('behind a Unix socket, with %j trusted, %s is %j', (trusted, forwardedFor, address) => {
  expect(createFindClientAddress(trusted, () => true)(requestFrom(undefined, forwardedFor))).toBe(address)
})
