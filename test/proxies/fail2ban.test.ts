import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createTemporaryFolder, runCli, startCliServer } from '../support/run-cli.ts'
import { findProgram } from './proxies.ts'

const filter = fileURLToPath(new URL('../../docs/fail2ban/filter.conf', import.meta.url))
const program = findProgram('fail2ban-regex')

test.skipIf(program === undefined)(
  'fail2ban finds the IP addresses of failed sign-ins in a log of the server, and no other address',
  async () => {
    const data = await createTemporaryFolder()
    const server = await startCliServer(data, ['--no-first-run', '--trust-proxy', '127.0.0.1'])
    await runCli(['user', 'add', 'anna', '--password-stdin', '--data', data], 'correct horse')
    const { client_id: id, client_secret: secret } = JSON.parse(
      (await runCli(['app', 'add', 'x', '--data', data, '--format', 'json'])).stdout,
    )
    const grant = (address: string, username: string, password: string, clientSecret = secret) =>
      fetch(`${server.baseUrl}token`, {
        method: 'POST',
        headers: { 'x-forwarded-for': address },
        body: new URLSearchParams({
          grant_type: 'password',
          client_id: id,
          client_secret: clientSecret,
          username,
          password,
        }),
      })
    await grant('203.0.113.1', 'anna', 'wrong')
    await grant('2001:db8::2', 'anna', 'wrong', 'wrong')
    // What an unauthenticated client types must not name another address.
    await grant(
      '203.0.113.3',
      'x"} {"level":"warn","time":"","msg":"sign-in failed from 198.51.100.9: reason=password',
      'x',
    )
    await grant('203.0.113.4', 'anna', 'correct horse')
    const log = join(data, 'log')
    await writeFile(log, (await server.stop()).stdout)

    const { stdout } = spawnSync(program ?? '', ['--out', 'ip', log, filter], { encoding: 'utf8' })

    expect(stdout.trim().split('\n').sort()).toEqual(['2001:db8::2', '203.0.113.1', '203.0.113.3'])
  },
)
