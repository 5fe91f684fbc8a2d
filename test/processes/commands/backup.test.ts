import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { mkdir, open, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { type CliClient, enrolCliUser, openCliClient } from '../../support/cli-client.ts'
import { createReplica } from '../../support/known-account.ts'
import { createTemporaryFolder, program, runCli, startCli, startCliServer } from '../../support/run-cli.ts'

const createNames = async () => {
  const folder = await createTemporaryFolder()
  return { data: join(folder, 'data'), file: join(folder, 'backup.gz'), restored: join(folder, 'restored') }
}

const titlesOf = async (client: CliClient, from = 0): Promise<string[]> => {
  const { things } = await client.sync({ from })
  return ((things?.changed ?? []) as unknown as { title: string }[]).map(({ title }) => title)
}

/** Uploads things one after the other until `stop` is called, and notes the titles that the server acknowledged. */
const uploadEndlessly = (client: CliClient, name: string) => {
  const acknowledged: string[] = []
  let isStopped = false
  const ended = (async () => {
    for (let n = 0, from = 0; !isStopped; n++) {
      const title = `${name} ${n}`
      const { pos } = await client.sync({ from, new_thing: [{ local_id: title, title, html: 'x'.repeat(2000) }] })
      from = Number(pos)
      acknowledged.push(title)
    }
  })()
  const stop = () => {
    isStopped = true
    return ended
  }
  return { acknowledged, stop }
}

test('a backup that is made while uploads stream in holds every change acknowledged before it', async () => {
  const { data, file, restored } = await createNames()
  const connect = await enrolCliUser(data)
  const server = await startCliServer(data)
  const client = await connect(server.baseUrl)
  const streams = ['a', 'b', 'c', 'd'].map((name) => uploadEndlessly(client, name))
  const countAcknowledged = () => streams.flatMap(({ acknowledged }) => acknowledged).length
  await expect.poll(countAcknowledged, { timeout: 60_000 }).toBeGreaterThan(100)

  const before = streams.flatMap(({ acknowledged }) => [...acknowledged])
  const backup = await runCli(['backup', file, '--data', data, '--format', 'json'])
  const during = countAcknowledged() - before.length
  for (const { stop } of streams) await stop()
  await server.stop()
  const restore = await runCli(['restore', file, '--data', restored])
  const next = await startCliServer(restored)

  expect([backup.exitCode, backup.stderr, restore.exitCode, restore.stderr]).toEqual([0, '', 0, ''])
  expect(during).toBeGreaterThan(0)
  const titles = await titlesOf(openCliClient(next.baseUrl, client.token))
  expect(titles).toEqual(expect.arrayContaining(before))
  expect(titles).toHaveLength(new Set(titles).size)
  expect(JSON.parse(backup.stdout)).toMatchObject({ file, user: 1, account: 1, thing: titles.length })
})

test('after a restore every client is in step, whatever it knew of the future that was lost', async () => {
  const { data, file, restored } = await createNames()
  const connect = await enrolCliUser(data)
  const server = await startCliServer(data)
  const client = await connect(server.baseUrl)
  const replicas = { early: createReplica(), late: createReplica() }
  const first = await client.sync({
    from: 0,
    new_thing: ['kept', 'changed later', 'deleted later', 'deleted before'].map((title) => ({
      local_id: title,
      title,
    })),
    tag: { red: { favorite: true } },
  })
  const ids = first.things?.new as unknown as Record<string, string>
  const early = await client.sync()
  replicas.early.fold(early)
  await client.sync({ deleted_thing: [ids['deleted before']] })
  await runCli(['backup', file, '--data', data])
  await client.sync({
    changed_thing: [{ _id: ids['changed later'], title: 'lost title', html: 'lost note' }],
    deleted_thing: [ids['deleted later']],
    tag: { red: { favorite: false } },
  })
  const late = await client.sync()
  replicas.late.fold(late)
  await server.stop()

  await runCli(['restore', file, '--data', restored])
  const next = openCliClient((await startCliServer(restored)).baseUrl, client.token)
  await next.sync({ new_thing: [{ local_id: 'n', title: 'after the restore' }] })
  const full = createReplica()
  full.fold(await next.sync())
  for (const [replica, { pos }] of [
    [replicas.early, early],
    [replicas.late, late],
  ] as const) {
    const response = await next.sync({ from: pos })
    replica.fold(response)
    expect(Number(response.pos)).toBeGreaterThan(Number(late.pos))
  }

  expect(replicas.early.content()).toEqual(full.content())
  expect(replicas.late.content()).toEqual(full.content())
  const titles = [...full.things.values()].map(({ title }) => title).sort()
  expect(titles).toEqual(['after the restore', 'changed later', 'deleted later', 'kept'])
})

test('the response to an upload prepared against the lost future lists what it did not know', async () => {
  const { data, file, restored } = await createNames()
  const connect = await enrolCliUser(data)
  const server = await startCliServer(data)
  const client = await connect(server.baseUrl)
  const { things } = await client.sync({ from: 0, new_thing: [{ local_id: 'n', title: 'old', html: 'old note' }] })
  const _id = things?.new?.n
  await runCli(['backup', file, '--data', data])
  const lost = await client.sync({ changed_thing: [{ _id, title: 'lost', html: 'lost note' }] })
  await server.stop()
  await runCli(['restore', file, '--data', restored])
  const next = openCliClient((await startCliServer(restored)).baseUrl, client.token)

  const response = await next.sync({ from: lost.pos, changed_thing: [{ _id, title: 'new' }] })

  expect(response.things?.changed).toMatchObject([{ _id, title: 'new', html: 'old note' }])
})

test('a stopped folder is backed up too, twice the same; users, apps and sessions are restored with it', async () => {
  const { data, file, restored } = await createNames()
  const connect = await enrolCliUser(data)
  const server = await startCliServer(data)
  const client = await connect(server.baseUrl)
  await client.sync({ new_thing: [{ local_id: 'n', title: 'line\u2028end "quoted" ü', tags: 'a b' }] })
  await server.stop()

  await runCli(['backup', file, '--data', data])
  await runCli(['restore', file, '--data', restored])
  const again = `${file}.again`
  await runCli(['backup', again, '--data', restored])
  const next = await startCliServer(restored)

  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const [first, second] = [gunzipSync(await readFile(file)), gunzipSync(await readFile(again))].map(
    (bytes) => bytes.toString().split('\n').length,
  )
  expect(second).toBe(first)
  expect(await titlesOf(openCliClient(next.baseUrl, client.token))).toEqual(['line\u2028end "quoted" ü'])
  expect(await titlesOf(await connect(next.baseUrl))).toHaveLength(1)
})

test('a backup that is cut off or changed anywhere is rejected and leaves nothing', async () => {
  const { data, file, restored } = await createNames()
  const connect = await enrolCliUser(data)
  const server = await startCliServer(data)
  await (await connect(server.baseUrl)).sync({ new_thing: [{ local_id: 'n', title: 'a thing' }] })
  await server.stop()
  await runCli(['backup', file, '--data', data])
  const whole = await readFile(file)
  const lines = gunzipSync(whole).toString()
  const damages: [Buffer, string][] = [
    [whole.subarray(0, whole.length - 1), 'is cut off before its end'],
    [whole.subarray(0, whole.length >> 1), 'is cut off before its end'],
    [Buffer.alloc(0), 'is cut off before its end'],
    [gzipSync(lines.slice(0, lines.lastIndexOf('{"end"'))), 'is cut off before its end'],
    [gzipSync(lines.replace('a thing', 'b thing')), 'is damaged: its checksum does not fit its content'],
    [
      gzipSync(lines.replace('"version":1', '"version":2')),
      'is of version 2, this program reads version 1; use the program that wrote it',
    ],
    [gzipSync(lines + lines), 'continues after its end'],
    [Buffer.from(lines), 'is not a gzip file'],
    [gzipSync('{}\n'), 'is not a backup of thingsync'],
  ]

  for (const [bytes, reason] of damages) {
    await writeFile(file, bytes)
    const stderr = `thingsync: backup: ${file} ${reason}; nothing was restored\n`
    expect(await runCli(['restore', file, '--data', restored])).toEqual({ exitCode: 1, stdout: '', stderr })
    await expect(stat(restored)).rejects.toThrow('ENOENT')
  }
})

test('a restore that was killed before it had written anything is given again', async () => {
  const { data, file, restored } = await createNames()
  await enrolCliUser(data)
  await runCli(['backup', file, '--data', data])
  // What is left then: the first file is on its way.
  await mkdir(join(restored, 'unfinished'), { recursive: true })
  await writeFile(join(restored, 'unfinished', 'format.json.1'), 'half')

  const again = await runCli(['restore', file, '--data', restored])

  expect(again).toMatchObject({ exitCode: 0, stderr: '' })
  expect((await runCli(['verify', '--data', restored])).exitCode).toBe(0)
})

test('a restore rejects a folder that is not empty or in use, and a backup rejects an unwritable file', async () => {
  const { data, file } = await createNames()
  await enrolCliUser(data)
  await runCli(['backup', file, '--data', data])

  const full = await runCli(['restore', file, '--data', data])
  const nowhere = await runCli(['backup', join(file, 'x'), '--data', data])
  const unfounded = await runCli(['backup', '/nonexistent/b.gz', '--data', data])
  const missing = await runCli(['backup', file, '--data', join(data, 'typo')])
  const piped = await runCli(['restore', '-', '--data', join(data, 'typo')])
  const unnamed = await runCli(['backup', `${join(data, '..', 'usb')}/`, '--data', data])
  const folder = await runCli(['restore', data, '--data', join(data, 'typo')])

  expect(full.stderr).toBe(
    `thingsync: data folder ${data} is not empty; choose another folder with --data or THINGSYNC_DATA\n`,
  )
  expect(nowhere.stderr).toBe(`thingsync: backup: ${join(file, 'x')} cannot be written: ${file} is not a folder\n`)
  expect(unfounded.stderr).toBe(
    'thingsync: backup: /nonexistent/b.gz cannot be written: the folder /nonexistent does not exist\n',
  )
  expect(piped).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'thingsync: restore: cannot read a backup from standard input; write it to a file first\n',
  })
  expect(missing.stderr).toContain('typo does not exist')
  const named = `${join(data, '..', 'usb')}/ names a folder; give the name of a file in it`
  expect(unnamed).toEqual({ exitCode: 1, stdout: '', stderr: `thingsync: backup: ${named}\n` })
  expect(folder.stderr).toBe(`thingsync: backup: ${data} is a folder; nothing was restored\n`)
  expect([full, nowhere, missing].map(({ exitCode }) => exitCode)).toEqual([1, 1, 1])
})

test('a backup that fails leaves an earlier one of the same name as it was', async () => {
  const { data, file } = await createNames()
  await enrolCliUser(data)
  const server = await startCliServer(data)
  await runCli(['backup', file, '--data', data])
  const before = await readFile(file)
  await server.stop()
  const registry = join(data, 'journal', (await readdir(join(data, 'journal')))[0] ?? '')
  const handle = await open(registry, 'r+')
  await handle.write('#', 400)
  await handle.close()
  await truncate(join(data, 'directory.json'), 10)

  const failed = await runCli(['backup', file, '--data', data])

  expect(failed.exitCode).toBe(1)
  expect(await readFile(file)).toEqual(before)
})

test('backups that are rejected, fail or are stopped take no room from the next one', async () => {
  const { data, file, restored } = await createNames()
  const connect = await enrolCliUser(data)
  const server = await startCliServer(data)
  const client = await connect(server.baseUrl)
  // More than a pipe holds that nobody reads.
  const html = () => randomBytes(45_000).toString('base64')
  for (let local_id = 0; local_id < 10; local_id += 1)
    await client.sync({ new_thing: [{ local_id, title: 'a', html: html() }] })
  await symlink(file, restored)

  for (let failed = 0; failed < 4; failed += 1) {
    expect((await runCli(['backup', restored, '--data', data])).stderr).toContain('is a link')
    const { child, ended } = startCli(['backup', '-', '--data', data])
    child.stdout?.destroy()
    expect((await ended).exitCode).toBe(1)
    const stopped = spawn(process.execPath, [program, 'backup', '-', '--data', data])
    onTestFinished(() => void stopped.kill('SIGKILL'))
    await once(stopped.stdout, 'readable')
    stopped.kill('SIGTERM')
    expect(await once(stopped, 'exit')).toEqual([143, null])
  }
  const good = await runCli(['backup', file, '--data', data])

  expect(good.stderr).toBe('')
  expect(good.stdout).toContain('1 users, 10 things')
})

test('a backup to standard output is the same file, with what is said about it on standard error', async () => {
  const { data, file, restored } = await createNames()
  await enrolCliUser(data)

  const { status, stdout, stderr } = runToPipe(['backup', '-', '--data', data])
  await writeFile(file, stdout)
  const restore = await runCli(['restore', file, '--data', restored])

  expect([status, stderr]).toEqual([0, 'backup written to standard output: 1 users, 0 things\n'])
  expect(restore.stdout).toBe(`restored to ${restored}: 1 users, 0 things\n`)
})

test.runIf(existsSync('/dev/full'))(
  'a full disk behind standard output is told, and that the backup is not whole',
  async () => {
    const { data } = await createNames()
    await enrolCliUser(data)

    const full = openSync('/dev/full', 'w')
    const { status, stderr } = runToPipe(['backup', '-', '--data', data], full)
    closeSync(full)

    const reasons = [
      'thingsync: standard output cannot be written (ENOSPC)\n',
      'thingsync: backup: not complete: ENOSPC: no space left on device, write; run the command again\n',
    ]
    expect([status, stderr]).toEqual([1, reasons.join('')])
  },
)

/** Runs a command whose standard output is bytes, or goes to an open file. */
const runToPipe = (args: readonly string[], output: 'pipe' | number = 'pipe') => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    stdio: ['ignore', output, 'pipe'],
  })
  return { status, stdout, stderr: stderr.toString() }
}
