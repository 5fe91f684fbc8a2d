import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createTemporaryFolder, startCliServer } from '../../support/run-cli.ts'

const returned = 'memory was returned to the system'

test('a server that is idle after its start returns memory to the system once', async () => {
  const server = await startCliServer(await createTemporaryFolder(), ['--log-level', 'debug', '--no-first-run'])
  const count = () => server.stdout().split(returned).length - 1

  await vi.waitFor(() => expect(count()).toBe(1), { timeout: 90_000, interval: 500 })
  await sleep(12_000)

  expect(count()).toBe(1)
  expect((await server.stop()).exitCode).toBe(0)
}, 120_000)
