import { expect, test } from 'vitest'
import { openTestServer } from '../../support/open-test-server.ts'
import { openRaw, rawHead } from '../../support/raw-connection.ts'

test('a request that is rejected before its body is there gets one response, even if the body is slow', async () => {
  const server = await openTestServer({ settings: { requestTimeoutSeconds: 1 } })
  const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '1000' }

  const { ended } = await openRaw(server.baseUrl, `${rawHead('POST', '/v1/nothing', type)}title=A`)

  const received = await ended
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404'])
})
