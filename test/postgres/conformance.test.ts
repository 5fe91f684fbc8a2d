import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { type CliServer, runCli, startCliServer } from '../support/run-cli.ts'
import { openTestDatabase } from './open-database.ts'
import { startBalancer } from './start-balancer.ts'

const suite = fileURLToPath(new URL('../../conformance/dist/src/main.js', import.meta.url))
const password = 'correct horse'

/** What a run of the suite found: rules by their ids. */
interface Report {
  readonly passed: readonly string[]
  /** Requirements on a restart and on token expiry, which another run of the suite checks. */
  readonly skipped: readonly string[]
  readonly others: readonly string[]
}

interface CheckedRule {
  readonly id: string
  readonly status: string
  readonly message?: string
}

const runAsJson = async (...args: readonly string[]): Promise<Record<string, string>> => {
  const { stdout, stderr, exitCode } = await runCli([...args, '--format', 'json'])
  if (exitCode !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

/** Processes on one database, and two accounts and two apps in it. */
const openProcesses = async (count: number) => {
  const { url, drop } = await openTestDatabase()
  const settings = [
    '--no-first-run',
    '--trust-proxy',
    'loopback',
    '--delivery-allow',
    '127.0.0.1',
    '--link-preview-allow',
    '127.0.0.1',
    '--log-level',
    'warn',
  ]
  // A data folder is not used with a database, and need not be there.
  const servers = await Promise.all(
    Array.from({ length: count }, () => startCliServer('/nowhere', settings, { THINGSYNC_STORE: url })),
  )
  onTestFinished(async () => {
    await Promise.all(servers.map((server: CliServer) => server.stop()))
    await drop()
  })
  for (const name of ['anna', 'bert'])
    expect(await runCli(['user', 'add', name, '--password-stdin', '--store', url], password)).toMatchObject({
      exitCode: 0,
    })
  const app = await runAsJson('app', 'add', 'suite', '--store', url)
  const other = await runAsJson('app', 'add', 'other', '--store', url)
  return { servers, app, other }
}

const runSuite = async (
  baseUrl: string,
  { app, other }: Pick<Awaited<ReturnType<typeof openProcesses>>, 'app' | 'other'>,
  profile: string,
): Promise<Report> => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-suite-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const report = join(folder, 'report.json')
  const client = ['--client-id', `${app.client_id}`, '--client-secret', `${app.client_secret}`]
  const child = spawn(
    process.execPath,
    [
      ...[suite, 'run', '--base-url', baseUrl, '--profile', profile, ...client],
      ...['--other-client', `${other.client_id}:${other.client_secret}`, '--webhook-listen', '127.0.0.1:0'],
      ...['--user', `anna:${password}`, '--user', `bert:${password}`],
      ...['--report', `json=${report}`, '--scripts', folder],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  await once(child, 'close')
  const { results }: { readonly results: readonly CheckedRule[] } = JSON.parse(await readFile(report, 'utf8'))
  const list = (isSelected: (status: string) => boolean) =>
    results
      .filter(({ status }) => isSelected(status))
      .map(({ id, status, message = '' }) => `${id} ${status} ${message}`)
  return {
    passed: list((status) => status === 'passed'),
    skipped: list((status) => status === 'skipped'),
    others: list((status) => status !== 'passed' && status !== 'skipped'),
  }
}

const minutes = 60_000

test(
  'three processes on a database, each of which gets requests in turn, keep every rule of the suite together',
  async () => {
    const { servers, ...apps } = await openProcesses(3)
    const port = await startBalancer(servers.map(({ baseUrl }) => Number(new URL(baseUrl).port)))

    const { passed, skipped, others } = await runSuite(`http://127.0.0.1:${port}/v1/`, apps, 'full')

    expect(others.join('\n')).toBe('')
    expect(skipped.filter((rule) => !/^(RESTART|TOKEN-EXPIRE|TOKEN-LIFE)-/.test(rule))).toEqual([])
    expect(passed.length).toBeGreaterThan(500)
  },
  10 * minutes,
)
