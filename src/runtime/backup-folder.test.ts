import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nameBackup, readBackupTime, rotateBackups } from './scheduled-backups.ts'

test('a rotation keeps the newest backups, and touches no other files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-backups-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const others = ['thingsync.json', 'thingsync-2026.ndjson.gz', 'mine.ndjson.gz']
  const times = [1_795_000_000, 1_795_086_400, 1_795_172_800]
  for (const name of [...others, ...times.map(nameBackup)]) await writeFile(join(folder, name), '')

  const removed = await rotateBackups(folder, 2)

  expect(removed).toEqual([nameBackup(1_795_000_000)])
  expect((await readdir(folder)).sort()).toEqual([...others, ...times.slice(1).map(nameBackup)].sort())
})

test('the name of a backup holds its time', () => {
  expect(nameBackup(1_795_000_000)).toBe('thingsync-2026-11-18T11-06-40Z.ndjson.gz')
  expect(readBackupTime(nameBackup(1_795_000_000))).toBe(1_795_000_000)
})
