import { expect, test } from 'vitest'
import { openFlow } from '../../support/open-flow.ts'
import { createTestBrowser, hiddenFields } from '../../support/test-browser.ts'

const {
  server,
  confidential,
  several,
  open,
  back,
  loopback,
  own,
  pkce,
  pathOf,
  backAt,
  issuer,
  asConfidential,
  asOpen,
  anna,
} = await openFlow()

const wrongRequests: [string, Record<string, string>, string, string][] = [
  ['no response_type', { response_type: '' }, 'invalid_request', 'response_type is required'],
  ['another response_type', { response_type: 'token' }, 'unsupported_response_type', 'response_type must be code'],
  ['no challenge', { code_challenge: '', code_challenge_method: '' }, 'invalid_request', 'code_challenge is required'],
  ['plain', { code_challenge_method: 'plain' }, 'invalid_request', 'code_challenge_method must be S256'],
  ['no method', { code_challenge_method: '' }, 'invalid_request', 'code_challenge_method must be S256'],
  ['a short challenge', { code_challenge: 'abc' }, 'invalid_request', 'code_challenge must be a SHA-256'],
]

test.each(wrongRequests)('%s goes back to the app', async (_name, change, error, description) => {
  const path = pathOf({ client_id: open.clientId, redirect_uri: own, ...pkce, ...change })

  const anonymous = backAt(await createTestBrowser(server).open(path), own)
  const known = backAt(await anna.open(path), own)

  expect(anonymous).toEqual({
    error,
    error_description: expect.stringContaining(description),
    state: 's1',
    iss: issuer,
  })
  expect(known).toEqual(anonymous)
})

test.each(['state', 'scope', 'code_challenge', 'code_challenge_method', 'response_type'])(
  'a badly encoded %s goes back to the app',
  async (name) => {
    const rest = new URLSearchParams(pathOf({ client_id: open.clientId, redirect_uri: own, ...pkce }).split('?')[1])
    rest.delete(name)
    const state = name === 'state' ? {} : { state: 's1' }

    for (const broken of ['%ff', '100%', '%zz', '%C3']) {
      const path = `/authorize?${name}=${broken}&${rest}`
      const anonymous = backAt(await createTestBrowser(server).open(path), own)
      const known = backAt(await anna.open(path), own)

      const error_description = `${name} is not percent-encoded UTF-8`
      expect(anonymous).toEqual({ error: 'invalid_request', error_description, ...state, iss: issuer })
      expect(known).toEqual(anonymous)
    }
  },
)

test('a badly encoded unknown parameter is ignored', async () => {
  const page = await anna.open(`${asOpen(own)}&utm=%ff&%ff=1`)

  expect([page.status, page.html.includes('Allow A native reader')]).toEqual([200, true])
})

test('a form whose state was damaged on its way also goes back to the app', async () => {
  const page = await anna.open(asOpen(own))
  const form = `${new URLSearchParams({ ...hiddenFields(page.html, '/authorize'), decision: 'allow' })}`

  expect(backAt(await anna.post('/authorize', form.replace('state%3Ds1', 'state%3D%25ff')), own)).toEqual({
    error: 'invalid_request',
    error_description: 'state is not percent-encoded UTF-8',
    iss: issuer,
  })
})

test.each(['client_id', 'redirect_uri'])(
  'a badly encoded %s is a page that names it, and leads nowhere',
  async (name) => {
    const rest = new URLSearchParams(asConfidential.split('?')[1])
    rest.delete(name)

    for (const browser of [createTestBrowser(server), anna]) {
      const page = await browser.open(`/authorize?${name}=%ff&${rest}`)

      expect([page.status, page.location]).toEqual([400, ''])
      expect(page.html).toContain(`<code>${name}</code> is not percent-encoded UTF-8`)
    }
  },
)

const lost: [string, string, Record<string, string>][] = [
  ['client_id', 'an unknown app', { client_id: 'nobody', redirect_uri: back }],
  ['client_id', 'no app', { client_id: '', redirect_uri: back }],
  ['redirect_uri', 'a redirect of another app', { client_id: several.clientId, redirect_uri: loopback }],
  ['redirect_uri', 'an unknown redirect', { client_id: confidential.clientId, redirect_uri: 'https://evil.example/' }],
]

test.each(lost)('%s: %s is a page that names the parameter, and leads nowhere', async (parameter, _name, change) => {
  for (const browser of [createTestBrowser(server), anna]) {
    const page = await browser.open(pathOf(change))

    expect([page.status, page.location]).toEqual([400, ''])
    expect(page.html).toContain(`<code>${parameter}</code>`)
    expect(page.html.replace(/<style>.*<\/style>/s, '')).not.toContain('example')
    expect(page.html).toContain('Go back to the app')
  }
})

test.each([
  '//app.example/back',
  'https:/app.example/back',
  'https:\\\\app.example\\back',
  'https://app.example\\@evil.example/back',
  'https://app.example@evil.example/back',
  'https://anna:x@app.example/back',
  'https://app.example/back#x',
  'https://app.example/x/../back',
  'https://app.example/%2e%2e/back',
  'https://app.example/BACK',
  'https://APP.example/back',
  'https://app.example:8443/back',
  'https://app.example:443/back',
  'https://app.example./back',
  'https://аpp.example/back',
  'https://app.example/back\r\nset-cookie:a=b',
  'https://app.example/back?x=1',
  'http://app.example/back',
  'javascript:alert(1)//https://app.example/back',
])('%j leads nowhere', async (redirect_uri) => {
  const { status, location, headers } = await anna.open(pathOf({ client_id: confidential.clientId, redirect_uri }))

  expect([status, location, headers.get('set-cookie')]).toEqual([400, '', null])
})

test('a parameter given twice is an error; a page shows it when the parameter names the app or its URI', async () => {
  const twice = `&redirect_uri=${encodeURIComponent(back)}`
  const onPage = await Promise.all([
    anna.open(`${asConfidential}${twice}`),
    anna.open(`${asConfidential}&client_id=${confidential.clientId}`),
  ])

  expect(onPage.map(({ status, location }) => [status, location])).toEqual(Array(2).fill([400, '']))
  expect(backAt(await anna.open(`${asConfidential}&state=s2`), back)).toEqual({
    error: 'invalid_request',
    error_description: 'state is given more than once',
    iss: issuer,
  })
})
