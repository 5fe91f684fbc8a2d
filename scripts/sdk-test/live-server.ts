import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A server with one user and one app; `close` stops it and removes its data. */
export type LiveServer = { baseUrl: string; clientId: string; clientSecret: string; close: () => Promise<void> }

const cli = [process.execPath, '--import', 'tsx', 'src/cli/main.ts'] as const

const runCommand = (args: readonly string[], input = ''): string =>
  execFileSync(cli[0], [...cli.slice(1), ...args], { encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'inherit'] })

/**
 * Starts our server from its sources on a free port, with a data folder that has one user and an app; `prepareData` may
 * change the folder before.
 */
export async function openLiveServer(
  user: { username: string; password: string },
  prepareData: (folder: string) => Promise<void> = async () => {},
): Promise<LiveServer> {
  const folder = mkdtempSync(join(tmpdir(), 'thingsync-sdk-test-'))
  const readyFile = join(folder, 'ready.json')
  const data = ['--data', join(folder, 'data')]
  runCommand(['user', 'add', user.username, '--password-stdin', ...data], `${user.password}\n`)
  const app = JSON.parse(runCommand(['app', 'add', 'sdk', '--format', 'json', ...data]))
  await prepareData(join(folder, 'data'))
  const options = ['--port', '0', '--no-first-run', '--ready-file', readyFile, '--log-level', 'warn']
  const child = spawn(cli[0], [...cli.slice(1), 'serve', ...data, ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'close')
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null) throw new Error('the server did not start')
    await sleep(20)
  }
  const { base_url: baseUrl } = JSON.parse(readFileSync(readyFile, 'utf8'))
  return {
    baseUrl,
    clientId: app.client_id,
    clientSecret: app.client_secret,
    async close() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}
