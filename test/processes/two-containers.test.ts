import { spawn, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { enrolCliUser, openCliClient } from '../support/cli-client.ts'
import { createTemporaryFolder, program, runCli, startCliServer } from '../support/run-cli.ts'

const separate = ['--pid', '--fork', '--kill-child', '--mount-proc']
const canSeparate = spawnSync('unshare', [...separate, 'true']).status === 0

test.runIf(process.env.CI === 'true')('this machine has namespaces for processes', () => {
  expect(canSeparate).toBe(true)
})

/** A server whose processes are numbered apart, as in a container of its own. */
const startSeparateServer = async (data: string) => {
  const readyFile = join(await createTemporaryFolder(), 'ready.json')
  const serve = ['serve', '--data', data, '--port', '0', '--ready-file', readyFile]
  const child = spawn('unshare', [...separate, process.execPath, program, ...serve], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await expect.poll(() => readFile(readyFile, 'utf8').catch(() => ''), { timeout: 60_000 }).not.toBe('')
  const ready = JSON.parse(await readFile(readyFile, 'utf8'))
  const pid = Number((await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).trim())
  return { baseUrl: String(ready.base_url), pid }
}

test.runIf(canSeparate)(
  'of two containers on one volume one writes, and a suspended one no longer responds',
  async () => {
    const data = join(await createTemporaryFolder(), 'data')
    const connect = await enrolCliUser(data)
    const first = await startSeparateServer(data)
    const client = await connect(first.baseUrl)
    await client.sync({ new_thing: [{ local_id: '1', title: 'before' }] })
    process.kill(first.pid, 'SIGSTOP')

    const second = await startCliServer(data)
    const next = openCliClient(second.baseUrl, client.token)
    await next.sync({ new_thing: [{ local_id: '2', title: 'after' }] })
    process.kill(first.pid, 'SIGCONT')
    const late = await fetch(`${first.baseUrl}sync`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ new_thing: [{ local_id: '3', title: 'too late' }] }),
    })
    const notReady = await fetch(new URL('/readyz', first.baseUrl))

    expect([late.status, notReady.status]).toEqual([503, 503])
    await next.sync({ new_thing: [{ local_id: '4', title: 'in the end' }] })
    const titles = ((await next.sync()).things?.changed ?? []) as unknown as { title: string }[]
    expect(titles.map(({ title }) => title)).toEqual(['before', 'after', 'in the end'])
    await second.stop()
    expect((await runCli(['verify', '--data', data])).stdout).toMatch(/ 0 damaged\n$/)
  },
  300_000,
)
