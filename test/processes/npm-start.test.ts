import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openRaw, rawHead } from '../support/raw-connection.ts'
import { createTemporaryFolder, program, readWhenThere } from '../support/run-cli.ts'

const project = new URL('../../', import.meta.url)

/** A package with the scripts of ours, where the command is the one that was built and the build has nothing to do. */
const createPackage = async (): Promise<string> => {
  const folder = await createTemporaryFolder()
  const { scripts } = JSON.parse(await readFile(new URL('package.json', project), 'utf8'))
  const { prestart, start } = scripts
  const manifest = { name: 'fixture', version: '0.0.0', scripts: { build: 'node --version', prestart, start } }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  const command = join(folder, 'dist/start.cjs')
  await mkdir(join(command, '..'), { recursive: true })
  await writeFile(command, `require(${JSON.stringify(program)})`)
  return folder
}

/** Asks `ps`, because one that has ended and that nobody waits for still takes signals. */
const isRunning = (pid: number): boolean =>
  /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim())

const untilEnded = async (pid: number): Promise<void> => {
  while (isRunning(pid)) await sleep(50)
}

/** Runs `npm start` until its server is ready; what is left of both is killed when the test is finished. */
const startByNpm = async (run: (folder: string, readyFile: string) => ChildProcess) => {
  const folder = await createPackage()
  const readyFile = join(folder, 'ready.json')
  const npm = run(folder, readyFile)
  let pid: number | undefined
  onTestFinished(() => {
    npm.kill('SIGKILL')
    if (pid !== undefined && isRunning(pid)) process.kill(pid, 'SIGKILL')
  })
  pid = (await readWhenThere<{ pid: number }>(readyFile, () => npm.exitCode !== null)).pid
  return { npm, pid, readyFile }
}

const options = (readyFile: string) => ['--port', '0', '--ready-file', readyFile, '--no-first-run']

// SIGINT and SIGHUP come from the terminals below.
test.each(['SIGTERM', 'SIGKILL'] as const)(
  '%s to the process of npm start ends the server in order',
  async (signal) => {
    const { npm, pid, readyFile } = await startByNpm((folder, file) =>
      spawn('npm', ['start', '--', ...options(file)], { cwd: folder, stdio: 'ignore' }),
    )

    npm.kill(signal)
    await untilEnded(pid)

    await expect(readFile(readyFile)).rejects.toThrow('ENOENT')
  },
)

// `exec`: some shells that stay between `script` and npm end by Ctrl-C themselves, and would hide how npm ended.
test('Ctrl-C at the terminal of npm start, which sends two signals, finishes the running requests', async () => {
  const { npm, readyFile } = await startByNpm((folder, file) => {
    const command = ['exec', 'npm', 'start', '--', ...options(file), '--log-format', 'json'].join(' ')
    return spawn('script', ['-qefc', command, '/dev/null'], { cwd: folder })
  })
  const ended = once(npm, 'close')
  let output = ''
  npm.stdout?.on('data', (chunk) => {
    output += chunk
  })
  const { base_url } = JSON.parse(await readFile(readyFile, 'utf8'))
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': '19',
    connection: 'close',
    expect: '100-continue',
  }
  const request = await openRaw(base_url, rawHead('POST', '/v1/token', headers))
  await expect.poll(request.received).toContain('100 Continue')

  npm.stdin?.write('\u0003')
  await expect.poll(() => output, { timeout: 60_000 }).toContain('stopping')
  // Too early, the response comes before npm has forwarded its signal; the later, the likelier a fault shows.
  await sleep(300)
  request.socket.write('grant_type=password')
  const response = await request.ended
  const [exitCode] = await ended

  expect(response).toContain('HTTP/1.1 401 Unauthorized')
  expect(output).toContain('"msg":"stopped"')
  expect(exitCode).toBe(0)
  await expect(readFile(readyFile)).rejects.toThrow('ENOENT')
})

test.each(['json', 'pretty'])('closing the terminal of npm start ends the server in order (log %s)', async (format) => {
  const { npm, pid, readyFile } = await startByNpm((folder, file) => {
    // A terminal of its own, which is closed when `script` is killed.
    const command = ['exec', 'npm', 'start', '--', ...options(file), '--log-format', format].join(' ')
    return spawn('script', ['-qfc', command, '/dev/null'], { cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] })
  })

  npm.kill('SIGKILL')
  await untilEnded(pid)

  await expect(readFile(readyFile)).rejects.toThrow('ENOENT')
})
