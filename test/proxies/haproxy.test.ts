import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findFreePort } from '../free-port.ts'
import { sendRequest } from './ask.ts'
import { tryProxy } from './open-proxy.ts'
import { findProgram, haproxy } from './proxies.ts'
import { startProxy } from './start-proxy.ts'

tryProxy(haproxy)

test.skipIf(findProgram(haproxy.program) === undefined)(
  'without a server HAProxy responds like a server that is not available',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'thingsync-proxy-'))
    const port = await findFreePort()
    const context = { folder, port, root: join(folder, 'root.sock'), below: join(folder, 'below.sock') }
    const { stop } = await startProxy(haproxy, context)
    const response = await sendRequest(`https://127.0.0.1:${port}/v1/sync`)
    await stop()
    await rm(folder, { recursive: true })

    expect(response).toMatchObject({
      status: 503,
      headers: { 'content-type': 'application/json', 'retry-after': '5' },
    })
    expect(JSON.parse(`${response.text}`)).toMatchObject({ error: 'temporarily_unavailable' })
  },
)
