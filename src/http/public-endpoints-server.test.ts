import { expect, test } from 'vitest'
import { openTestServer } from '../../test/support/open-test-server.ts'

test('the base URL describes the server to unauthenticated clients', async () => {
  const baseUrl = 'https://x.example/things/v1/'
  const settings = { baseUrl, passwordGrant: false, maxBodyBytes: 4_000_000 }
  const server = await openTestServer({ settings })

  const response = await fetch(server.baseUrl)
  const described = await response.json()
  const rejected = await fetch(server.baseUrl, { method: 'POST' })
  const stripped = await fetch(new URL('/v1/', server.baseUrl))

  expect(response.status).toBe(200)
  expect(described).toMatchObject({
    name: 'thingsync',
    contract: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    base_url: baseUrl,
    operations: { sync: ['GET', 'POST'], 'thing/add': ['POST'], token: ['POST'], 'sync/events': ['GET'] },
    password_grant: false,
    query_token: true,
    link_preview: true,
    max_body_bytes: 4_000_000,
    links: { openapi: 'https://x.example/things/openapi.json' },
  })
  expect(await stripped.json()).toEqual(described)
  expect([rejected.status, rejected.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})
