import { expect, test } from 'vitest'
import { openFileServer, openTestServer, type TestServer } from '../../support/open-test-server.ts'

const path = '/.well-known/oauth-authorization-server'
const server = await openFileServer()
const rootOf = ({ baseUrl }: TestServer) => new URL(baseUrl).origin

const read = async (one: TestServer, at = path) => {
  const response = await fetch(`${rootOf(one)}${at}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  return response.json()
}

const describe = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/v1/token`,
  revocation_endpoint: `${issuer}/v1/revoke`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token', 'password'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  bearer_methods_supported: ['header', 'body', 'query'],
  service_documentation: `${issuer}/docs`,
})

test('the metadata says where everything is, in the words of RFC 8414', async () => {
  expect(await read(server)).toEqual(describe(rootOf(server)))
})

test('without a base URL it names the host of the request', async () => {
  const at = rootOf(server).replace('127.0.0.1', 'localhost')

  expect(await (await fetch(`${at}${path}`)).json()).toEqual(describe(at))
})

test('with a path prefix it is where RFC 8414 puts it, and where clients and proxies look', async () => {
  const one = await openTestServer({ settings: { baseUrl: 'https://example.org/things/v1/' } })
  const whole = describe('https://example.org/things')

  for (const at of [`${path}/things`, `/things${path}`, path]) expect(await read(one, at)).toEqual(whole)
  expect((await fetch(`${rootOf(one)}${path}/other`)).status).toBe(404)
})

test('it says what is switched off', async () => {
  const one = await openTestServer({ settings: { passwordGrant: false, queryToken: false } })

  expect(await read(one)).toMatchObject({
    grant_types_supported: ['authorization_code', 'refresh_token'],
    bearer_methods_supported: ['header', 'body'],
  })
})

test('it is read, and never written', async () => {
  const response = await fetch(`${rootOf(server)}${path}`, { method: 'POST' })

  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})
