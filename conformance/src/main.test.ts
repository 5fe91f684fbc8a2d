import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openRightServer } from './model/right-server.ts'

const program = fileURLToPath(new URL('main.ts', import.meta.url))

test('Ctrl-C removes what the run created, reports the results so far, and exits with 130', async () => {
  const server = await openRightServer()
  const environment = {
    THINGSYNC_BASE_URL: server.baseUrl,
    THINGSYNC_CLIENT_ID: server.clientId,
    THINGSYNC_CLIENT_SECRET: server.clientSecret,
    THINGSYNC_USER: server.users.map(({ username, password }) => `${username}:${password}`).join('\n'),
  }
  const running = spawn(process.execPath, ['--import', 'tsx', program, '--rule', 'HISTORY', '--histories', '200'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  running.stdout.on('data', (chunk) => {
    output += chunk
  })
  const listThings = () => [...server.state.accounts.values()].flatMap((account) => [...account.things.values()])
  running.stderr.resume()
  while (listThings().every((thing) => thing.deleted)) await setTimeout(10)

  running.kill('SIGINT')
  const [exitCode] = await once(running, 'close')

  const things = listThings()
  await server.close()
  expect(output).toMatch(/^INTERRUPTED: \d+ of \d+ rules were checked, /m)
  expect({ exitCode, made: things.length > 0, left: things.filter((thing) => !thing.deleted).length }).toEqual({
    ...{ exitCode: 130, made: true, left: 0 },
  })
})
