import { expect, test } from 'vitest'
import { guardedUrls } from '../../test/support/guarded-urls.ts'
import { checkUrl, createDeliveryRules, isDeliveryTarget } from './address-guard.ts'

const bad = 'must be an absolute http or https URL'
const user = 'must not contain a user name or password'
const inside = 'must lead to the public internet, or to a host that the setting delivery_allow of this server names'
const otherProtocol = (port: number) =>
  `must not use port ${port}, which belongs to another protocol; the setting delivery_allow may name host and port`

const check = (url: string, targets: readonly string[] = []): string => {
  const result = checkUrl(url, createDeliveryRules(targets))
  return result.kind === 'blocked' ? result.reason : 'allowed'
}

test.each(guardedUrls)('the result of checking %j is: %s', (url, result) => {
  const reasons = { allowed: 'allowed', bad, user, inside }
  expect(check(url)).toBe(typeof result === 'number' ? otherProtocol(result) : reasons[result])
})

test('the reasons name the setting of the rules', () => {
  const rules = createDeliveryRules([], 'link_preview_allow')

  expect([checkUrl('http://10.0.0.1/', rules), checkUrl('http://example.com:25/', rules)]).toEqual([
    { kind: 'blocked', reason: inside.replace('delivery_allow', 'link_preview_allow') },
    { kind: 'blocked', reason: otherProtocol(25).replace('delivery_allow', 'link_preview_allow') },
  ])
  expect(() => createDeliveryRules(['*.lan'], 'link_preview_allow')).toThrow(
    new TypeError('link_preview_allow: *.lan is neither a host nor a network'),
  )
})

test.each<[string, string, string]>([
  ['127.0.0.1', 'http://127.0.0.1:9000/', 'allowed'],
  ['127.0.0.1', 'http://[::ffff:127.0.0.1]/', 'allowed'],
  ['127.0.0.1', 'http://127.0.0.2/', inside],
  ['127.0.0.1:9000', 'http://127.0.0.1:9000/', 'allowed'],
  ['127.0.0.1:9000', 'http://127.0.0.1:9001/', inside],
  ['127.0.0.1:80', 'http://127.0.0.1/', 'allowed'],
  ['10.0.0.0/8', 'http://10.255.0.1/', 'allowed'],
  ['10.0.0.0/8', 'http://11.0.0.1/', 'allowed'],
  ['10.0.0.0/8', 'http://192.168.0.1/', inside],
  ['10.0.0.0/8', 'http://[64:ff9b::a00:1]/', inside],
  ['10.0.0.0/8', 'http://10.0.0.1:25/', otherProtocol(25)],
  ['10.0.0.1:25', 'http://10.0.0.1:25/', 'allowed'],
  ['example.com:25', 'http://example.com:25/', 'allowed'],
  ['example.com', 'http://example.com:25/', otherProtocol(25)],
  ['::1', 'http://[::1]/', 'allowed'],
  ['[::1]:3000', 'http://[::1]:3000/', 'allowed'],
  ['[::1]:3000', 'http://[::1]/', inside],
  ['fd00::/8', 'http://[fd12::1]/', 'allowed'],
  ['fd00::/8', 'http://[fe80::1]/', inside],
  ['64:ff9b:1::/48', 'http://[64:ff9b:1::808:808]/', 'allowed'],
  ['localhost', 'http://LocalHost.:3000/', 'allowed'],
  ['localhost', 'http://hooks.localhost/', inside],
  ['localhost:3000', 'http://localhost/', inside],
  ['Bücher.localhost.', 'http://xn--bcher-kva.localhost/', 'allowed'],
])('with delivery_allow %s, the result of checking %j is: %s', (target, url, result) => {
  expect(check(url, ['reader.lan', target])).toBe(result)
})

test.each([
  '',
  '*',
  '*.lan',
  'http://reader.lan',
  'reader.lan/hook',
  'anna@reader.lan',
  'reader.lan:0',
  'reader.lan:65536',
  'reader.lan:http',
  '10',
  '127.1',
  '0x7f.0.0.1',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0/8',
  'fd00::/129',
  '::ffff:10.0.0.0/104',
  'fe80::1%eth0',
  '[::1',
  'reader lan',
])('delivery_allow does not accept %j', (target) => {
  expect(isDeliveryTarget(target)).toBe(false)
  expect(() => createDeliveryRules([target])).toThrow(
    new TypeError(`delivery_allow: ${target} is neither a host nor a network`),
  )
})
