import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { listStoreText } from '../../../src/runtime/piecewise-jobs.ts'
import { openJsonFileStore } from '../../../src/store/json-file-store.ts'
import { BackupError } from '../../../src/store/record/backup-format.ts'
import { writeBackup } from '../../../src/store/tools/backup.ts'
import { decodeItem } from '../../../src/store/tools/restore.ts'
import { thingForm } from '../../../src/things/thing.ts'
import { maxLinearGrowth, measureGrowth } from '../../measure-growth.ts'
import { fillStore, forgeBackup, listFolder, readItemLines, restoreBackup } from '../../support/restore.ts'
import { createTemporaryFolder, runCli } from '../../support/run-cli.ts'

let root = ''
let lines: readonly string[] = []

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'thingsync-findings-'))
  const store = await openJsonFileStore({ folder: join(root, 'data'), form: thingForm })
  await fillStore(store)
  const file = join(root, 'backup.gz')
  await writeBackup({ file, dataFolder: join(root, 'data') }, listStoreText(store), Math.floor(Date.now() / 1000))
  await store.close()
  lines = await readItemLines(file)
})

afterAll(() => rm(root, { recursive: true, force: true }))

const write = async (bytes: Buffer): Promise<string> => {
  const file = join(await createTemporaryFolder(), 'forged.gz')
  await writeFile(file, bytes)
  return file
}

/** Restores a file by the command; gives what it said without the name of the file, and what it left behind. */
const restore = async (file: string) => {
  const parent = await createTemporaryFolder()
  const data = join(parent, 'restored')
  const { exitCode, stdout, stderr } = await runCli(['restore', file, '--data', data])
  return { exitCode, stdout, stderr: stderr.replaceAll(file, 'FILE'), left: await listFolder(parent) }
}

/** Restores a backup without a process of its own; returns the error. Nothing may be left behind. */
const findError = async (bytes: Buffer): Promise<string> => {
  const folder = await createTemporaryFolder()
  const message = await restoreBackup(bytes, folder).then(
    () => 'nothing was rejected',
    (error: unknown) => (error instanceof BackupError ? error.message : String(error)),
  )
  expect(await listFolder(folder)).toEqual(['forged.gz'])
  return message.replace(join(folder, 'forged.gz'), 'FILE')
}

const rejected = (sentence: string) => ({
  ...{ exitCode: 1, stdout: '', left: [] },
  stderr: `thingsync: backup: FILE ${sentence}; nothing was restored\n`,
})

const advice = 'use another backup, or fix this in its source'

/** The number that a line of an item has in a backup, whose first line is the head. */
const numberOf = (beginning: string): number => lines.findIndex((line) => line.startsWith(beginning)) + 2

/** The backup of all lines, in which those that begin so read otherwise. */
const forge = (beginning: string, from: string | RegExp, to: string): Buffer => {
  const changed = lines.map((line) => (line.startsWith(beginning) ? line.replace(from, to) : line))
  expect(changed).not.toEqual(lines)
  return forgeBackup(changed)
}

test('a backup that holds something of every kind with every field is restored and is whole', async () => {
  const file = await write(forgeBackup(lines))
  const data = join(await createTemporaryFolder(), 'restored')

  const { exitCode, stderr } = await runCli(['restore', file, '--data', data])
  const verified = await runCli(['verify', '--data', data])
  const rehearsed = await runCli(['rehearse-restore', file])

  expect([exitCode, stderr, verified.exitCode, rehearsed.exitCode]).toEqual([0, '', 0, 0])
})

test('a position that leaves an account no room is rejected by line', async () => {
  const highest = forge('{"account"', /"position":\d+/, '"position":9007199254740991')

  expect(await restore(await write(highest))).toEqual(
    rejected(
      `cannot be used: line ${numberOf('{"account"')} is wrong: the account has a field position, which must be a position: a whole number from 0 to 499999999999999; ${advice}`,
    ),
  )
})

test('the hash of a password that would take gigabytes to check is rejected by line', async () => {
  const costly = forge('{"user"', /m=\d+,t=\d+/, 'm=4194304,t=1000')

  expect(await restore(await write(costly))).toEqual(
    rejected(
      `cannot be used: line 2 is wrong: the user has a field passwordHash, which must be the argon2id hash of a password, of a cost that is checked; ${advice}`,
    ),
  )
})

test('a redirect URI that no form accepts is rejected by line', async () => {
  const script = forge('{"app"', 'https://app.example/back', 'javascript:alert(1)')

  expect((await restore(await write(script))).stderr).toContain(
    `line ${numberOf('{"app"')} is wrong: the app has a field redirectUris, which has an entry that a form of this program rejects: the redirect URI "javascript:alert(1)" has a scheme that is not allowed`,
  )
})

test('what no form of the program makes is rejected by line, with the reason of the form', async () => {
  const longName = `a${'\u0345'.repeat(16_000)}${'\u0301'.repeat(16_000)}`
  const forged: readonly (readonly [Buffer, string])[] = [
    [forge('{"user"', '"anna"', JSON.stringify(longName)), 'the name of the user must have 1 to 200 characters'],
    [forge('{"user"', '"bert"', '"anna"'), 'the user name "anna" occurs twice'],
    [forge('{"record":{"kind":"webhook"', /https:..hook/g, 'ftp://hook'), 'must be an absolute http or https URL'],
    [forge('{"tag"', '#aabbcc', 'red;x'), 'must be false, #rgb or #rrggbb'],
    [forge('{"user"', /"createdAt":\d+/, '"createdAt":1e300'), 'must be a time in seconds'],
    [forge('{"session"', /"accessHash":"[^"]*"/, '"accessHash":"short"'), 'must be a SHA-256 as base64url'],
    [forge('{"thing"', /"at":\[\d+/, '"at":[1'), 'after its position 1'],
  ]

  for (const [bytes, reason] of forged) expect(await findError(bytes)).toContain(reason)
})

test('items that come twice, belong to nobody or are more than a user may have are rejected', async () => {
  const first = (beginning: string) => lines.find((line) => line.startsWith(beginning)) ?? ''
  const twice = (beginning: string) => forgeBackup(lines.toSpliced(numberOf(beginning) - 2, 0, first(beginning)))
  const without = (beginning: string) => forgeBackup(lines.filter((line) => !line.startsWith(beginning)))
  const token = JSON.parse(lines.find((line) => line.includes('"personal"')) ?? '')
  const tokens = Array.from({ length: 201 }, (_, number) =>
    JSON.stringify({
      session: {
        ...token.session,
        ...{ id: `s${number}`, personal: { ...token.session.personal, hash: `${number}`.padStart(43, '0') } },
      },
    }),
  )
  const forged: readonly (readonly [Buffer, string])[] = [
    ...['user', 'app', 'session', 'link', 'key', 'account', 'thing', 'tag', 'record', 'entry'].map(
      (kind) => [twice(`{"${kind}"`), 'occurs twice'] as const,
    ),
    [without('{"user"'), 'the account has no user'],
    [without('{"account"'), 'comes before the first account'],
    [forgeBackup(lines.toSpliced(numberOf('{"code"') - 2, 0, ...tokens)), 'has more than 200 personalTokens'],
  ]

  for (const [bytes, reason] of forged) expect(await findError(bytes)).toContain(reason)
})

test('a backup whose lines are no items is rejected by line, and nothing of them is repeated', async () => {
  const inLine2 = (line: string) => forgeBackup([line, ...lines])
  const said = (what: string) => `backup: FILE cannot be used: line 2 ${what}; ${advice}; nothing was restored`
  const forged: readonly (readonly [string, string])[] = [
    ['secret', 'is not JSON'],
    ['', 'is not JSON'],
    ['{"user":{"id":"secret"}', 'is not JSON'],
    ['{"user":{"id":"secret"}}', 'is not a complete user'],
    ['{"secret":1}', 'is of an unknown kind'],
    ['{"__proto__":{"isAdmin":true}}', 'is of an unknown kind'],
    [`${(lines[0] ?? '').slice(0, -1)},"thing":1}`, 'is not a complete user'],
    [`{"record":${'['.repeat(1_000_000)}`, 'is nested deeper than 32 levels'],
    [`{"record":[${'0,'.repeat(1_000_000)}0]}`, 'holds more than 100000 values'],
    [`{"user":"${'x'.repeat(5_000_000)}"}`, 'has more than 4194304 characters'],
  ]

  for (const [line, what] of forged) expect(await findError(inLine2(line))).toBe(said(what))
})

test('a line without end is rejected when it is longer than any item, not when memory ends', async () => {
  const folder = await createTemporaryFolder()
  const endless = async (beginning: string, characters: number): Promise<string> => {
    const file = join(folder, `${beginning.length}.gz`)
    const piece = 'x'.repeat(1024 * 1024)
    const pieces = function* () {
      yield beginning
      for (let length = 0; length < characters; length += piece.length) yield piece
    }
    await pipeline(Readable.from(pieces()), createGzip({ level: 1 }), async (bytes) => {
      const all: Buffer[] = []
      for await (const chunk of bytes) all.push(chunk)
      await writeFile(file, Buffer.concat(all))
    })
    return file
  }
  const head = JSON.stringify({ format: 'thingsync backup', version: 1, createdAt: 1 })

  expect(await restore(await endless('', 600_000_000))).toEqual(
    rejected(`cannot be used: line 1 has more than 4194304 characters; ${advice}`),
  )
  expect(await restore(await endless(`${head}\n{"thing":{"_id":"`, 600_000_000))).toEqual(
    rejected(`cannot be used: line 2 has more than 134217728 characters; ${advice}`),
  )
})

test('the largest html that a server accepts is restored, whatever JSON makes of its characters', async () => {
  const largest = forge('{"thing":{"_id":"a"', '"<p>\\"note\\"</p>"', JSON.stringify('\u0001'.repeat(16 * 1024 * 1024)))
  const file = await write(largest)
  const data = join(await createTemporaryFolder(), 'restored')

  expect(await runCli(['restore', file, '--data', data])).toMatchObject({ exitCode: 0, stderr: '' })
})

test('what is no regular file, no gzip file or no backup is rejected in one sentence', async () => {
  const folder = await createTemporaryFolder()
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const short = await write(forgeBackup(lines))
  await truncate(short, 300)
  const unfinished = gzipSync(`{"format":"thingsync backup","version":1,"createdAt":1}\n${lines[0]?.slice(0, 50)}`)
  await mkdir(join(folder, 'folder'))

  expect(await restore(pipe)).toEqual(rejected('is not a regular file; write the backup to a file first'))
  expect(await restore(join(folder, 'folder'))).toEqual(rejected('is a folder'))
  expect(await restore('/dev/zero')).toEqual(rejected('is not a regular file; write the backup to a file first'))
  expect(await restore(await write(Buffer.from('secret')))).toEqual(rejected('is not a gzip file'))
  expect(await restore(await write(Buffer.alloc(0)))).toEqual(rejected('is cut off before its end'))
  expect(await restore(short)).toEqual(rejected('is cut off before its end'))
  expect(await restore(await write(unfinished))).toEqual(rejected('is cut off before its end'))
  expect(await restore(await write(forgeBackup(lines, 9e15)))).toEqual(rejected('is not a backup of thingsync'))
})

test('a rehearsal rejects the same, and leaves no temporary folder', async () => {
  const file = await write(forge('{"user"', /m=\d+,t=\d+/, 'm=4194304,t=1000'))
  const into = await createTemporaryFolder()

  const { exitCode, stderr } = await runCli(['rehearse-restore', file, '--into', into])

  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('cannot be used: line 2 is wrong')])
  expect(await readdir(into)).toEqual([])
})

test('a backup that is replaced after it was checked is not restored', async () => {
  const { checkBackup, readBackup } = await import('../../../src/store/tools/restore.ts')
  const { createItemCheck } = await import('../../../src/cli/check-items.ts')
  const { restoreFolder } = await import('../../../src/store/tools/restore.ts')
  const file = await write(forgeBackup(lines))
  const checked = await checkBackup(file, createItemCheck())
  await writeFile(file, forge('{"app"', 'https://app.example/back', 'javascript:alert(1)'))
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-replaced-'))
  onTestFinished(() => rm(folder, { recursive: true }))

  const { createdAt } = checked
  await expect(restoreFolder(folder, readBackup(file, checked), { now: Date.now(), createdAt })).rejects.toThrow(
    'was changed while it was restored',
  )

  expect(await readdir(folder)).toEqual([])
})

/** Lines of a thing whose html is the worst for what looks through them. */
const worst: Readonly<Record<string, (size: number) => string>> = {
  quotes: (size) => '"'.repeat(size),
  backslashes: (size) => '\\'.repeat(size),
  'quotes and backslashes': (size) => '\\"'.repeat(size / 2),
  brackets: (size) => '[{'.repeat(size / 2),
}

test.each(Object.entries(worst))('a line with 1 MB of %s costs in proportion to its length', async (_, createHtml) => {
  const line = lines.find((each) => each.startsWith('{"thing"')) ?? ''
  const createLine = (size: number) => line.replace('"<p>\\"note\\"</p>"', () => JSON.stringify(createHtml(size)))
  expect(createLine(1000).length).toBeGreaterThan(line.length + 500)

  const { growth } = await measureGrowth(createLine, decodeItem, 1024 * 1024)

  expect(growth).toBeLessThan(maxLinearGrowth)
})

test('names and texts of 1 MB are rejected without being looked through', async () => {
  const marks = JSON.stringify(`a${'\u0345\u0301'.repeat(512 * 1024)}`)

  for (const [beginning, field] of [
    ['{"user"', /"name":"[^"]*"/],
    ['{"app"', /"name":"[^"]*"/],
    ['{"link":', /"name":"[^"]*"/],
  ] as const)
    expect(await findError(forge(beginning, field, `"name":${marks}`))).toContain('must have 1 to 200 characters')
})
