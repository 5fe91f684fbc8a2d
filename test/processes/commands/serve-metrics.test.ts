import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder, runCli, startCliServer } from '../../support/run-cli.ts'

test('serve shows metrics on a port of their own, with what the store writes', async () => {
  const server = await startCliServer(await createTemporaryFolder(), ['--metrics-port', '0'])
  const address = /"metrics":"([^"]+)"/.exec(server.stdout())?.[1]

  const shown = await (await fetch(`http://${address}/metrics`)).text()

  expect(shown).toMatch(/^thingsync_commit_writes_sum [1-9]/m)
  expect(shown).toMatch(/^thingsync_journal_bytes [1-9]\d+$/m)
  expect(shown).toMatch(/^thingsync_accounts_in_memory \d+$/m)
  expect(shown).toMatch(/^thingsync_deliveries_waiting 0$/m)
  expect((await server.stop()).exitCode).toBe(0)
})

test('a port for metrics that is taken is named before anything is made', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo

  const run = await runCli([
    'serve',
    '--data',
    await createTemporaryFolder(),
    '--port',
    '0',
    '--metrics-port',
    `${port}`,
  ])

  const sentence = `metrics_port: port ${port} of 127.0.0.1 cannot be used (EADDRINUSE); choose another port with --metrics-port`
  expect(run).toEqual({ exitCode: 1, stdout: '', stderr: `thingsync: ${sentence}\n` })
})
