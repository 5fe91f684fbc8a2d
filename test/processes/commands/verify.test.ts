import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type CliClient, enrolCliUser, openCliClient } from '../../support/cli-client.ts'
import { prepareUsers } from '../../support/prepare-accounts.ts'
import { createTemporaryFolder, runCli, startCliServer } from '../../support/run-cli.ts'

const createData = async () => join(await createTemporaryFolder(), 'data')

const uploadThings = (client: CliClient, name: string, count: number) =>
  client.sync({
    new_thing: Array.from({ length: count }, (_, n) => ({ local_id: `${name} ${n}`, title: `${name} ${n}` })),
  })

const findSegment = async (data: string): Promise<string> =>
  join(data, 'journal', (await readdir(join(data, 'journal'))).sort().at(-1) ?? '')

const edit = async (path: string, change: (text: string) => string): Promise<void> =>
  writeFile(path, change(await readFile(path, 'latin1')), 'latin1')

test('a running server is checked without a false alarm, stays untouched, and is not repaired', async () => {
  const data = await createData()
  const connect = await enrolCliUser(data)
  const server = await startCliServer(data)
  const client = await connect(server.baseUrl)
  let isStopped = false
  const uploads = (async () => {
    for (let n = 0; !isStopped; n++) await uploadThings(client, `batch ${n}`, 5)
  })()

  const checks = []
  for (let n = 0; n < 3; n++) checks.push(await runCli(['verify', '--data', data]))
  const repair = await runCli(['verify', '--repair', '--data', data])
  isStopped = true
  await uploads

  for (const { exitCode, stdout, stderr } of checks) {
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/: \d+ files checked, 0 damaged\n$/)
  }
  const stderr = `thingsync: data folder ${data} is in use by thingsync process ${server.child.pid}; stop it first\n`
  expect(repair).toEqual({ exitCode: 1, stdout: '', stderr })
})

test('damage is named file by file with what a repair would do, and the exit code is 3', async () => {
  const data = await createData()
  const connect = await enrolCliUser(data)
  const server = await startCliServer(data)
  await uploadThings(await connect(server.baseUrl), 'note', 3)
  // A clean stop brings all of it out of the journal.
  await server.stop('SIGKILL')
  const whole = await runCli(['verify', '--data', data, '--format', 'json'])
  const segment = await findSegment(data)
  await edit(segment, (text) => text.replace('note 1', 'nose 1'))
  await edit(join(data, 'directory.json'), (text) => text.replace('users', 'losers'))
  const before = await readFile(segment)

  const text = await runCli(['verify', '--data', data])
  const json = await runCli(['verify', '--data', data, '--format', 'json'])

  expect([whole.exitCode, JSON.parse(whole.stdout)]).toMatchObject([0, { damaged: 0, kept_in: null }])
  expect(JSON.parse(whole.stdout).files.map(({ state }: { state: string }) => state)).not.toContain('damaged')
  expect(text.exitCode).toBe(3)
  expect(text.stdout).toMatch(/^DAMAGED directory\.json: .*; no server starts on the folder\n +--repair would: /m)
  expect(text.stdout).toMatch(/^DAMAGED journal\/\d+\.ndjson: \d+ bytes at byte \d+ are not what was written/m)
  expect(text.stdout).toContain(`${data}: 6 files checked, 2 damaged\n`)
  expect(text.stderr).toContain('2 files are damaged')
  const named = JSON.parse(json.stdout).files.filter(({ state }: { state: string }) => state === 'damaged')
  expect(named.map(({ file }: { file: string }) => file)).toEqual(['directory.json', expect.stringMatching(/^journal/)])
  expect(await readFile(segment)).toEqual(before)
})

test('a repair keeps the damaged part aside, serves all that can be read, and every client is in step', async () => {
  const data = await createData()
  const connect = await enrolCliUser(data)
  const server = await startCliServer(data)
  const client = await connect(server.baseUrl)
  for (const name of ['first', 'second', 'third']) await uploadThings(client, name, 2)
  const { pos } = await client.sync()
  // A clean stop brings all of it out of the journal.
  await server.stop('SIGKILL')
  const segment = await findSegment(data)
  await edit(segment, (text) => text.replace('second 1', 'sicond 1'))
  const damaged = await runCli(['verify', '--data', data])

  const repaired = await runCli(['verify', '--repair', '--data', data, '--format', 'json'])
  const clean = await runCli(['verify', '--data', data])

  expect([damaged.exitCode, repaired.exitCode, repaired.stderr, clean.exitCode]).toEqual([3, 0, '', 0])
  const quarantineFolder: string = JSON.parse(repaired.stdout).kept_in
  expect(await readFile(segment.replace(data, quarantineFolder), 'utf8')).toContain('sicond 1')
  expect(clean.stdout).toMatch(/^note +repaired-/)
  const next = openCliClient((await startCliServer(data)).baseUrl, client.token)
  const response = await next.sync({ from: pos })
  const titles = ((response.things?.changed ?? []) as unknown as { title: string }[]).map(({ title }) => title)
  expect(titles).toEqual(['first 0', 'first 1', 'third 0', 'third 1'])
  expect(Number(response.pos)).toBeGreaterThan(Number(pos))
  await uploadThings(next, 'fourth', 1)
  expect((await next.sync({ from: response.pos })).things?.changed).toMatchObject([{ title: 'fourth 0' }])
})

test('a journal that is gone or whose end is gone is named, though every file that is left is whole', async () => {
  const data = await createData()
  const connect = await enrolCliUser(data)
  const server = await startCliServer(data)
  await uploadThings(await connect(server.baseUrl), 'note', 1)
  await server.stop()
  const copy = `${data}-copy`
  await cp(data, copy, { recursive: true })
  await edit(join(copy, 'directory.json'), (text) =>
    text.replace(/"write":\d+/, '"write":99').replace(/,\n"checksum.*"/, ''),
  )
  const emptyCopy = `${data}-empty`
  await cp(data, emptyCopy, { recursive: true })
  await writeFile(await findSegment(emptyCopy), '')
  await rm(await findSegment(data))

  const removed = await runCli(['verify', '--data', data])
  const emptied = await runCli(['verify', '--data', emptyCopy])
  const short = await runCli(['verify', '--data', copy])

  expect([removed.exitCode, emptied.exitCode, short.exitCode]).toEqual([3, 3, 3])
  expect(removed.stdout).toContain('DAMAGED journal: is empty')
  expect(emptied.stdout).toMatch(
    /^DAMAGED journal.*: its end is missing: it ends at write \d+, and write \d+ was on disk/m,
  )
  expect(short.stdout).toContain('its end is missing')
})

test('a damaged control.json is named, and left alone by a repair, because a server may run', async () => {
  const data = await createData()
  await prepareUsers(data, 'anna')
  await writeFile(join(data, 'control.json'), '{}')

  const check = await runCli(['verify', '--data', data])
  const repair = await runCli(['verify', '--repair', '--data', data])

  const sentence = 'control.json is damaged; stop each thingsync that uses the folder, then delete this file'
  expect([check.exitCode, check.stdout]).toEqual([3, expect.stringContaining(sentence)])
  expect([repair.exitCode, repair.stderr]).toEqual([1, expect.stringContaining(sentence)])
})

test('a repair of a folder that is whole says how many files it has read', async () => {
  const data = await createData()
  await prepareUsers(data, 'anna')

  const [check, repair] = [
    await runCli(['verify', '--data', data]),
    await runCli(['verify', '--repair', '--data', data]),
  ]

  expect(check.stdout).toMatch(/: [1-9]\d* files checked, 0 damaged\n$/)
  expect(repair).toEqual(check)
})

test('an error of the system is one sentence that names the file, not the folder', async () => {
  const data = await createData()
  await prepareUsers(data, 'anna')
  await rm(join(data, 'journal'), { recursive: true })
  await writeFile(join(data, 'journal'), '')

  const [check, counts] = [await runCli(['verify', '--data', data]), await runCli(['stats', '--data', data])]

  const sentence = `thingsync: ENOTDIR: not a directory, scandir '${join(data, 'journal')}'\n`
  expect([check.exitCode, check.stdout, check.stderr]).toEqual([1, '', sentence])
  expect([counts.exitCode, counts.stdout, counts.stderr]).toEqual([1, '', sentence])
})

test('stats count what a folder holds, the same while the server runs and when it is stopped', async () => {
  const data = await createData()
  const connect = await enrolCliUser(data)
  const server = await startCliServer(data)
  const client = await connect(server.baseUrl)
  const { things } = await uploadThings(client, 'note', 7)
  await client.sync({ deleted_thing: [things?.new?.['note 3']] })

  const running = await runCli(['stats', '--data', data, '--format', 'json'])
  await server.stop()
  const stopped = await runCli(['stats', '--data', data, '--format', 'json'])
  const text = await runCli(['stats', '--data', data])

  const { size } = await stat(await findSegment(data))
  // The web app and the browser extension are apps of the server from the start.
  const counts = { users: 1, apps: 3, sessions: 1, accounts: 1, things: 6, deletions: 1, outbox_entries: 0 }
  expect(JSON.parse(running.stdout)).toMatchObject({
    ...counts,
    journal_segments: 1,
    last_checkpoint: expect.any(Number),
  })
  expect(JSON.parse(stopped.stdout)).toMatchObject({ ...counts, journal_bytes: size })
  expect(text.stdout).toMatch(/^things +6$/m)
  expect(text.stdout).toMatch(/^last checkpoint +\d{4}-.*Z$/m)
  expect([running.exitCode, stopped.exitCode, text.exitCode, text.stderr]).toEqual([0, 0, 0, ''])
})

test.each(['directory.json', 'accounts', 'journal'])(
  'stats of a folder without %s end with exit code 3',
  async (missing) => {
    const [data, backup, restored] = [await createData(), await createData(), await createData()]
    const connect = await enrolCliUser(data)
    const server = await startCliServer(data)
    await uploadThings(await connect(server.baseUrl), 'note', 7)
    await runCli(['backup', backup, '--data', data])
    // Of a restored account nothing is in the journal.
    await runCli(['restore', backup, '--data', restored])
    const whole = await runCli(['stats', '--data', restored])
    await rm(join(restored, missing), { recursive: true })

    const { exitCode, stdout, stderr } = await runCli(['stats', '--data', restored])

    expect([whole.exitCode, whole.stderr]).toEqual([0, ''])
    const sentence = 'thingsync: some files could not be counted; "thingsync verify" shows the damage\n'
    expect([exitCode, stderr]).toEqual([3, sentence])
    expect(stdout).toMatch(/^bytes +\d/m)
  },
)

test.each(['verify', 'stats', 'backup x'])('%s of a folder that is not there makes nothing', async (command) => {
  const data = await createData()

  const { exitCode, stderr } = await runCli([...command.split(' '), '--data', data])

  expect(stderr).toBe(
    `thingsync: data folder: ${data} does not exist; check the path, or choose another folder with --data or THINGSYNC_DATA\n`,
  )
  expect(exitCode).toBe(1)
  await expect(stat(data)).rejects.toThrow('ENOENT')
})

test.each(['verify', 'stats', 'backup', 'restore'])('help shows examples: %s', async (command) => {
  const { exitCode, stdout } = await runCli([command, '--help'])

  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^Examples?:$/m)
})
