import { expect, test } from 'vitest'
import { appendToRedirect, findPolicySource, isRedirectOfCode, isRegisteredRedirect } from './redirect-uris.ts'

const https = 'https://app.example/back'

test.each([
  'https://app.example/back/',
  'https://app.example/back?x=1',
  'https://app.example/back#',
  'https://app.example/back#x',
  'https://app.example/Back',
  'https://APP.example/back',
  'HTTPS://app.example/back',
  'http://app.example/back',
  'https://app.example:443/back',
  'https://app.example:8443/back',
  'https://app.example//back',
  'https://app.example/x/../back',
  'https://app.example/./back',
  'https://app.example/%62ack',
  'https://app.example\\back',
  'https:\\\\app.example\\back',
  '//app.example/back',
  '///app.example/back',
  '/back',
  'https://app.example.evil.example/back',
  'https://evil.example/https://app.example/back',
  'https://app.example@evil.example/back',
  'https://user@app.example/back',
  'https://user:secret@app.example/back',
  'https://evil.example\\@app.example/back',
  'https://app.example./back',
  'https://аpp.example/back',
  'https://xn--pp-7kc.example/back',
  'https://app.example/back ',
  ' https://app.example/back',
  'https://app.example/back\t',
  'https://app.example/back\r\nset-cookie: a=b',
  'javascript:alert(1)',
  'data:text/html,x',
  '',
])('%j is not the registered https://app.example/back', (given) => {
  expect(isRegisteredRedirect([https], given)).toBe(false)
  expect(isRegisteredRedirect([https], https)).toBe(true)
})

test.each([
  ['http://127.0.0.1/back', 'http://127.0.0.1:51004/back'],
  ['http://127.0.0.1:3000/back', 'http://127.0.0.1/back'],
  ['http://[::1]:3000/back?x=1', 'http://[::1]:65535/back?x=1'],
  ['http://localhost:3000', 'http://localhost:4000'],
])('the port of the loopback address %s may differ: %s', (registered, given) => {
  expect(isRegisteredRedirect([https, registered], given)).toBe(true)
})

test.each([
  'http://127.0.0.2:3000/back',
  'http://localhost:3000/back',
  'http://127.0.0.1:3000/Back',
  'http://127.0.0.1:3000/back?x=1',
  'http://127.0.0.1:3000/back#x',
  'http://127.0.0.1:0/back',
  'http://127.0.0.1:65536/back',
  'http://127.0.0.1:080000/back',
  'http://127.0.0.1:00080/back',
  'http://127.0.0.1:080/back',
  'http://127.0.0.1:+80/back',
  'http://127.0.0.1:/back',
  'http://127.0.0.1:80@evil.example/back',
  'http://127.0.0.1:80\\@evil.example/back',
  'http://127.0.0.1.evil.example/back',
  'http://127.0.0.1:3000.evil.example/back',
  'https://127.0.0.1:3000/back',
  'http://0x7f.0.0.1:3000/back',
  'http://[::ffff:127.0.0.1]:3000/back',
])('%j is not the registered http://127.0.0.1/back with another port', (given) => {
  expect(isRegisteredRedirect(['http://127.0.0.1/back'], given)).toBe(false)
})

test('only the port of a loopback address may differ', () => {
  expect(isRegisteredRedirect(['https://app.example:1/back'], 'https://app.example:2/back')).toBe(false)
  expect(isRegisteredRedirect(['http://localhost.evil.example:1/b'], 'http://localhost.evil.example:2/b')).toBe(false)
})

test('private-use schemes are compared character by character', () => {
  const own = 'com.example.app:/back'

  expect(isRegisteredRedirect([own], own)).toBe(true)
  expect(isRegisteredRedirect([own], 'com.example.app:/back2')).toBe(false)
  expect(isRegisteredRedirect([own], 'com.example.app2:/back')).toBe(false)
})

test('response fields are appended to the existing query, percent-encoded', () => {
  const fields = { code: 'c1', state: 'a b&c=d#é\r\n', iss: undefined }
  const query = 'code=c1&state=a%20b%26c%3Dd%23%C3%A9%0D%0A'

  expect(appendToRedirect('https://app.example/back', fields)).toBe(`https://app.example/back?${query}`)
  expect(appendToRedirect('https://app.example/back?x=1', fields)).toBe(`https://app.example/back?x=1&${query}`)
  expect(appendToRedirect('https://app.example/back?', fields)).toBe(`https://app.example/back?${query}`)
  expect(appendToRedirect('com.example.app:/back', fields)).toBe(`com.example.app:/back?${query}`)
})

const sent = { isCode: (given: string) => given === 'c1', isState: (given: string) => given === 'a b' }

test('the URI of a code is the redirect URI, with or without the appended parameters', () => {
  const location = appendToRedirect(https, { code: 'c1', state: 'a b', iss: 'https://things.example' })
  const withQuery = 'https://app.example/back?x=1'

  expect(isRedirectOfCode(https, https, sent)).toBe(true)
  expect(isRedirectOfCode(https, location, sent)).toBe(true)
  expect(isRedirectOfCode(https, `${https}?code=c1&state=a+b`, sent)).toBe(true)
  expect(isRedirectOfCode(https, `${https}?state=a%20b&code=c1`, sent)).toBe(true)
  expect(isRedirectOfCode(withQuery, `${withQuery}&code=c1`, sent)).toBe(true)
  expect(isRedirectOfCode('https://app.example', 'https://app.example/?code=c1', sent)).toBe(true)
  expect(isRedirectOfCode('http://127.0.0.1:3000', 'http://127.0.0.1:3000/?code=c1&state=a+b', sent)).toBe(true)
})

test.each([
  'https://app.example/back?code=c2',
  'https://app.example/back?state=a',
  'https://app.example/back?code=c1&code=c1',
  'https://app.example/back?code=c1&code=c2',
  'https://app.example/back?code=c1&x=1',
  'https://app.example/back?code=c1&state=other',
  'https://app.example/back?code=c1&state=',
  'https://app.example/back?code=c1#x',
  'https://app.example/back?',
  'https://app.example/back&code=c1',
  'https://app.example/other?code=c1',
  'https://evil.example/?https://app.example/back?code=c1',
  '',
])('%j is not the URI to which the code c1 was sent', (given) => {
  expect(isRedirectOfCode(https, given, sent)).toBe(false)
})

test.each([
  ['https://app.example/back?x=1', 'https://app.example'],
  ['https://app.example:8443/back', 'https://app.example:8443'],
  ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
  ['http://[::1]:3000/', 'http:'],
  ['com.example.app:/back', 'com.example.app:'],
])('the policy source of %s is %s', (redirectUri, source) => {
  expect(findPolicySource(redirectUri)).toBe(source)
})
