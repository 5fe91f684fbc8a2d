import { expect, test } from 'vitest'
import { createDeliveryRules, isDeliveryPlace } from './delivery-rules.ts'
import { judgeAddress } from './judge-address.ts'

const bad = 'must be an absolute http or https address'
const user = 'must not hold a user name or password'
const inside = 'must lead to the public internet, or to a host that the setting delivery_allow of this server names'
const otherProtocol = (port: number) =>
  `must not use port ${port}, which is another protocol's; the setting delivery_allow may name host and port`

const judge = (address: string, places: readonly string[] = []): string => {
  const verdict = judgeAddress(address, createDeliveryRules(places))
  return verdict.kind === 'refused' ? verdict.reason : 'allowed'
}

test.each<[string, string]>([
  // Public, in plain and in strange notations.
  ['https://example.com/hook', 'allowed'],
  ['http://example.com:8080/hook?x=1', 'allowed'],
  ['https://example.com./', 'allowed'],
  ['https://bücher.example/', 'allowed'],
  ['https://a@b.example/', user],
  ['https://8.8.8.8/', 'allowed'],
  ['http://134744072/', 'allowed'],
  ['http://8.8.8.8.:81/', 'allowed'],
  ['https://[2606:4700:4700::1111]/', 'allowed'],
  ['http://[::ffff:8.8.8.8]/', 'allowed'],
  ['http://[64:ff9b::808:808]/', 'allowed'],
  ['http://11.0.0.1/', 'allowed'],
  ['http://172.32.0.1/', 'allowed'],
  ['http://100.128.0.1/', 'allowed'],
  ['http://198.20.0.1/', 'allowed'],
  // Loopback and "this host".
  ['http://127.0.0.1/', inside],
  ['http://127.0.0.1.:80/', inside],
  ['http://127.1/', inside],
  ['http://127.255.255.254:8080/', inside],
  ['http://2130706433/', inside],
  ['http://0x7f000001/', inside],
  ['http://0x7f.1/', inside],
  ['http://0177.0.0.1/', inside],
  ['http://017700000001/', inside],
  ['http://１２７.０.０.１/', inside],
  ['http://127。0。0。1/', inside],
  ['http://①②⑦.0.0.1/', inside],
  ['http://%31%32%37.0.0.1/', inside],
  ['http://0/', inside],
  ['http://0.0.0.0/', inside],
  ['http://0.1.2.3/', inside],
  ['http://[::]/', inside],
  ['http://[::1]/', inside],
  ['http://[0:0:0:0:0:0:0:1]:8080/', inside],
  ['http://[::ffff:127.0.0.1]/', inside],
  ['http://[::ffff:7f00:1]/', inside],
  ['http://[::127.0.0.1]/', inside],
  ['http://[::ffff:0:127.0.0.1]/', inside],
  ['http://localhost/', inside],
  ['http://LOCALHOST.:3000/', inside],
  ['http://hooks.localhost/', inside],
  ['http://ｌｏｃａｌｈｏｓｔ/', inside],
  // Private networks.
  ['http://10.0.0.1/', inside],
  ['http://10.1/', inside],
  ['http://172.16.0.1/', inside],
  ['http://172.31.255.255/', inside],
  ['http://192.168.1.1/', inside],
  ['http://0xc0a80101/', inside],
  ['http://100.64.0.1/', inside],
  ['http://[fd12:3456::1]/', inside],
  ['http://[fc00::1]/', inside],
  ['http://[fec0::1]/', inside],
  ['http://[fe80::1]/', inside],
  ['http://[::ffff:192.168.1.1]/', inside],
  // Metadata of clouds.
  ['http://169.254.169.254/latest/meta-data/', inside],
  ['http://2852039166/', inside],
  ['http://[::ffff:a9fe:a9fe]/', inside],
  ['http://[fd00:ec2::254]/', inside],
  ['http://[fd20:ce::254]/', inside],
  ['http://100.100.100.200/', inside],
  ['http://192.0.0.192/', inside],
  ['http://168.63.129.16/', inside],
  // Inner addresses of ways between IPv4 and IPv6.
  ['http://[64:ff9b::7f00:1]/', inside],
  ['http://[64:ff9b::169.254.169.254]/', inside],
  ['http://[64:ff9b:1::808:808]/', inside],
  ['http://[64:ff9b:1:a00:0:100::]/', inside],
  ['http://[2002:7f00:1::]/', inside],
  ['http://[2002:808:808::1]/', inside],
  ['http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/', inside],
  // Neither public nor private.
  ['http://192.0.0.1/', inside],
  ['http://192.0.2.1/', inside],
  ['http://198.18.0.1/', inside],
  ['http://198.19.255.255/', inside],
  ['http://198.51.100.7/', inside],
  ['http://203.0.113.7/', inside],
  ['http://192.88.99.1/', inside],
  ['http://224.0.0.1/', inside],
  ['http://240.0.0.1/', inside],
  ['http://255.255.255.255/', inside],
  ['http://[ff02::1]/', inside],
  ['http://[100::1]/', inside],
  ['http://[2001:2::1]/', inside],
  ['http://[2001:20::1]/', inside],
  ['http://[2001:db8::1]/', inside],
  ['http://[3fff::1]/', inside],
  ['http://[5f00::1]/', inside],
  ['http://[4000::1]/', inside],
  // Ports.
  ['http://example.com:25/', otherProtocol(25)],
  ['https://example.com:22/', otherProtocol(22)],
  ['http://8.8.8.8:53/', otherProtocol(53)],
  ['http://example.com:6667/', otherProtocol(6667)],
  ['http://127.0.0.1:25/', otherProtocol(25)],
  ['http://example.com:0/', bad],
  ['http://example.com:65536/', bad],
  // No address at all, or not the one that it seems to be.
  ['http://[', bad],
  ['http://[fe80::1%25eth0]/', bad],
  ['http://[fe80::1%eth0]/', bad],
  ['http://[::1', bad],
  ['http://256.256.256.256/', bad],
  ['http://1.2.3.4.5/', bad],
  ['http://127.0.0.1\\@example.com/', bad],
  ['http://exa mple.com/', bad],
  ['http://example.com\r\nHost: x/', bad],
  ['http://example..com/', bad],
  ['http:/127.0.0.1/', bad],
  ['//127.0.0.1/', bad],
  ['', bad],
  ['gopher://example.com/', bad],
  ['file:///etc/passwd', bad],
  ['javascript:alert(1)', bad],
  ['http://example.com@127.0.0.1/', user],
  ['http://127.0.0.1@example.com/', user],
  ['http://example.com:80@127.0.0.1/', user],
  ['http://@127.0.0.1/', user],
])('%j is judged: %s', (address, verdict) => {
  expect(judge(address)).toBe(verdict)
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
])('with delivery_allow %s, %j is judged: %s', (place, address, verdict) => {
  expect(judge(address, ['reader.lan', place])).toBe(verdict)
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
])('%j is nothing that delivery_allow takes', (place) => {
  expect(isDeliveryPlace(place)).toBe(false)
  expect(() => createDeliveryRules([place])).toThrow(
    new TypeError(`delivery_allow: ${place} is neither a host nor a network`),
  )
})
