import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { localCertificate } from '../../support/certificate.ts'
import { createTemporaryFolder, runCli, startCliServer } from '../../support/run-cli.ts'

const statusOf = async (data: string) => JSON.parse((await runCli(['status', '--data', data, '--json'])).stdout)

test('status says who, how much, what waits and recent errors, of a server that runs and of one that does not', async () => {
  const data = await createTemporaryFolder()
  const server = await startCliServer(data)
  const grant = { grant_type: 'password', client_id: 'nosuch', client_secret: 'x', username: 'anna', password: 'x' }
  await fetch(`${server.baseUrl}token`, { method: 'POST', body: new URLSearchParams(grant) })

  const running = await statusOf(data)
  const { stdout: text } = await runCli(['status', '--data', data])
  await server.stop()
  const stopped = await statusOf(data)

  const byUser = { by_user: [{ user: 'owner', sessions: 0, last_used: null }] }
  const known = {
    users: { all: 1, admins: 1, disabled: 0, seen_today: 0 },
    ...byUser,
    waiting: { outbox_entries: 0, due: 0, oldest_due: null },
  }
  expect(running).toMatchObject(known)
  expect(running.server).toMatchObject({ pid: server.child.pid, base_url: server.baseUrl, backup: null })
  expect(running.server.recent).toEqual([
    { at: expect.any(Number), level: 'warn', message: 'sign-in failed from 127.0.0.1: reason=client user=anna' },
  ])
  expect(text).toContain('warn sign-in failed from 127.0.0.1: reason=client user=anna')
  expect(text).toMatch(/^waiting deliveries +0, 0 due$/m)
  expect(stopped).toMatchObject({ ...known, server: null })
  expect(stopped.journal_bytes).toBeGreaterThan(0)
})

test('a token that was never used is no sign of its owner, in status', async () => {
  const data = await createTemporaryFolder()
  const server = await startCliServer(data)
  const created = await runCli(['token', 'add', 'x', '--user', 'owner', '--data', data, '--format', 'json'])

  const unused = await statusOf(data)
  await fetch(`${server.baseUrl}user/get`, { headers: { authorization: `Bearer ${JSON.parse(created.stdout).token}` } })
  const used = await statusOf(data)

  expect([unused.by_user, unused.users.seen_today]).toMatchObject([
    [{ user: 'owner', sessions: 1, last_used: null }],
    0,
  ])
  expect([used.by_user, used.users.seen_today]).toMatchObject([[{ last_used: expect.any(Number) }], 1])
})

test('healthcheck sends its request where the server listens: a port, a socket, TLS', async () => {
  const data = await createTemporaryFolder()
  const socket = join(data, 'thingsync.sock')
  const files = ['--tls-cert', join(data, 'chain.pem'), '--tls-key', join(data, 'key.pem')]
  await writeFile(join(data, 'chain.pem'), localCertificate.cert)
  await writeFile(join(data, 'key.pem'), localCertificate.key)
  const onSocket = ['--socket', socket, '--base-url', 'https://x.example/']
  const [behindSocket, withTls] = await Promise.all([
    startCliServer(await createTemporaryFolder(), ['--no-first-run', ...onSocket]),
    startCliServer(await createTemporaryFolder(), ['--no-first-run', ...files]),
  ])
  const port = ['--port', new URL(withTls.baseUrl).port]

  const healthy = await Promise.all([
    runCli(['healthcheck', ...onSocket, '--ready']),
    runCli(['healthcheck', ...files, ...port, '--host', '0.0.0.0']),
  ])
  await Promise.all([behindSocket.stop(), withTls.stop()])
  const stopped = await runCli(['healthcheck', ...files, ...port])

  for (const run of healthy) expect(run).toEqual({ exitCode: 0, stdout: 'healthy\n', stderr: '' })
  expect([stopped.exitCode, stopped.stdout]).toEqual([1, ''])
  expect(stopped.stderr).toMatch(/^thingsync: not healthy: 127\.0\.0\.1 port \d+: .*ECONNREFUSED/)
})

test('a server makes backups by itself, and the newest can be rehearsed', async () => {
  const [data, folder] = [await createTemporaryFolder(), await createTemporaryFolder()]
  const server = await startCliServer(data, ['--backup-every', '24h', '--backup-folder', folder])
  await vi.waitFor(() => expect(server.stdout()).toContain(`bytes written to ${folder}`), { timeout: 60_000 })

  const rehearsed = await runCli(['rehearse-restore', '--backup-folder', folder, '--into', folder, '--format', 'json'])
  const { server: state } = await statusOf(data)
  await server.stop()

  const { whole, backup, restored } = JSON.parse(rehearsed.stdout)
  expect([rehearsed.exitCode, whole, restored]).toEqual([0, true, backup])
  expect(backup).toMatchObject({ user: 1, app: 3 })
  expect(state.backup).toEqual({ last: expect.any(Number), next: state.backup.last + 86_400, problem: null })
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^thingsync-.*Z\.ndjson\.gz$/)])
})

test('a backup may be given to a command, and one that fails is named', async () => {
  const folder = await createTemporaryFolder()
  const give = async (name: string, command: string) => {
    const server = await startCliServer(join(folder, name), ['--backup-every', '24h', '--backup-command', command])
    await vi.waitFor(() => expect(server.stdout()).toMatch(/"msg":"(the )?backup/), { timeout: 60_000 })
    return (await server.stop()).stdout
  }

  const created = await give('good', `cat > ${folder}/backup.gz`)
  const failed = await give('bad', 'echo no room there >&2; exit 3')

  expect(created).toContain('bytes sent to backup_command')
  expect(gunzipSync(await readFile(join(folder, 'backup.gz'))).toString()).toMatch(/^\{"format":"thingsync backup"/)
  expect(failed).toContain('the backup failed: backup_command ended with 3')
  expect(failed).toContain('no room there')
})

test('a backup that is cut off is no backup, and a rehearsal leaves nothing behind', async () => {
  const folder = await createTemporaryFolder()
  const server = await startCliServer(join(folder, 'data'))
  await runCli(['backup', join(folder, 'whole.gz'), '--data', join(folder, 'data')])
  await server.stop()
  await writeFile(join(folder, 'cut.gz'), (await readFile(join(folder, 'whole.gz'))).subarray(0, -20))

  const whole = await runCli(['rehearse-restore', join(folder, 'whole.gz'), '--into', folder])
  const cut = await runCli(['rehearse-restore', join(folder, 'cut.gz'), '--into', folder])

  expect([whole.exitCode, whole.stdout.split('\n').at(-2)]).toEqual([0, 'everything was restored'])
  expect([cut.exitCode, cut.stderr]).toEqual([1, expect.stringContaining('is cut off before its end')])
  expect((await readdir(folder)).sort()).toEqual(['cut.gz', 'data', 'whole.gz'])
})

test('a rehearsal distinguishes a damaged backup from one that holds something twice', async () => {
  const folder = await createTemporaryFolder()
  const [data, whole] = [join(folder, 'data'), join(folder, 'whole.gz')]
  const [damaged, twice] = [join(folder, 'damaged.gz'), join(folder, 'twice.gz')]
  const server = await startCliServer(data)
  await server.stop()
  await writeFile(join(folder, 'list.txt'), 'https://example.org/\n')
  await runCli(['import', join(folder, 'list.txt'), '--user', 'owner', '--data', data])
  await runCli(['backup', whole, '--data', data])
  const lines = gunzipSync(await readFile(whole))
    .toString()
    .trimEnd()
    .split('\n')
  const thing = lines.findIndex((line) => line.startsWith('{"thing"'))
  const zip = (given: readonly string[]) => gzipSync(`${given.join('\n')}\n`)
  await writeFile(damaged, zip(lines.with(thing, (lines[thing] ?? '').replace('example.org', 'example.net'))))
  // As a faulty program could write it: sums and counts are right, but two apps have one id.
  const app = lines.findIndex((line) => line.startsWith('{"app"'))
  const doubled = lines.toSpliced(app, 0, lines[app] ?? '').slice(0, -1)
  const { end } = JSON.parse(lines.at(-1) ?? '')
  const sha256 = createHash('sha256')
    .update(`${doubled.join('\n')}\n`)
    .digest('hex')
  await writeFile(twice, zip([...doubled, JSON.stringify({ end: { ...end, app: end.app + 1 }, sha256 })]))

  const rehearse = (file: string) => runCli(['rehearse-restore', file, '--into', folder])
  const [unreadable, repeated] = [await rehearse(damaged), await rehearse(twice)]

  expect([unreadable.exitCode, unreadable.stderr]).toEqual([1, expect.stringContaining('its checksum does not fit')])
  expect([repeated.exitCode, repeated.stderr]).toEqual([1, expect.stringContaining('the app occurs twice')])
  expect((await readdir(folder)).filter((name) => name.startsWith('thingsync-rehearsal-'))).toEqual([])
})

const serveWithBackupsIn = (folder: string, data: string) =>
  runCli(['serve', '--data', data, '--port', '0', '--backup-every', '1h', '--backup-folder', folder])

test('backups may not stand in the data folder, and what cannot be their folder is named as the setting', async () => {
  const data = await createTemporaryFolder()
  const [inData, file] = [join(data, 'backups', 'daily'), join(await createTemporaryFolder(), 'file')]
  await writeFile(file, '')

  const runs = [await serveWithBackupsIn(inData, data), await serveWithBackupsIn(join(file, 'x'), data)]

  expect(runs.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
    [1, `thingsync: backup_folder: ${inData} is in the data folder; choose a folder outside it\n`],
    [1, `thingsync: backup_folder: ${file}/x cannot be used (ENOTDIR); check its path and permissions\n`],
  ])
  expect(await readdir(data)).not.toContain('backups')
})

test.runIf(existsSync('/proc/self'))('a folder for backups that the file system rejects is an error', async () => {
  const { exitCode, stderr } = await serveWithBackupsIn('/proc/backups/daily', await createTemporaryFolder())

  expect([exitCode, stderr]).toEqual([
    1,
    'thingsync: backup_folder: /proc/backups/daily cannot be used (ENOENT); check its path and permissions\n',
  ])
})

test('copy says what it takes, instead of a store, of standard input and of a folder that is not there', async () => {
  const nowhere = join(await createTemporaryFolder(), 'typo')
  const copy = (from: string, to: string) => runCli(['copy', from, to])

  const runs = [
    await copy('json', 'postgres://u@host/db'),
    await copy('postgres://u@host/db', 'memory'),
    await copy('postgres://u@host/db', '-'),
    await copy(nowhere, 'postgres://u@host/db'),
  ]

  const what = 'give a data folder, or a URL like postgres://user@host/database'
  expect(runs.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
    [2, `thingsync: FROM: "json" is not the location of a store; ${what}\n`],
    [2, `thingsync: TO: "memory" is not the location of a store; ${what}\n`],
    [2, `thingsync: TO: "-" is not the location of a store; ${what}\n`],
    [1, `thingsync: FROM: the folder ${nowhere} does not exist; ${what}\n`],
  ])
})

test('copy rejects an invalid URL in a sentence without its password', async () => {
  const run = await runCli(['copy', await createTemporaryFolder(), 'postgres://u:se/cret@host/db'])

  const sentence =
    'thingsync: TO: must be a folder, or a URL like postgres://user@host/database, not "postgres://u:***@host/db"\n'
  expect(run).toEqual({ exitCode: 2, stdout: '', stderr: sentence })
})
