import { spawnSync } from 'node:child_process'
import { mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { nobodysPasswordHash } from '../../src/accounts/passwords.ts'
import { locateAccount } from '../../src/store/disk/directory.ts'
import { openJsonFileStore } from '../../src/store/json-file-store.ts'
import { contractForm, createThing, putThings } from '../store/fixtures.ts'
import { program } from '../support/run-cli.ts'

const mebibyte = 2 ** 20

/** Says at the end how many bytes a process had outside of the heap at most. */
const probe = `
import { writeSync } from 'node:fs'
let most = 0
setInterval(() => { most = Math.max(most, process.memoryUsage().external) }, 1).unref()
process.on('exit', () => writeSync(2, '\\noutside ' + most))`

/** A folder with an account of 40 MiB in its file, of which the journal holds 32 MiB more. */
const makeData = async (root: string): Promise<string> => {
  const folder = join(root, 'data')
  const store = await openJsonFileStore({ folder, form: contractForm })
  await store.registry.change((draft) =>
    draft.put('users', { id: 'ann', name: 'ann', passwordHash: nobodysPasswordHash, createdAt: 1 }),
  )
  const html = 'x'.repeat(mebibyte / 8)
  for (let n = 0; n < 72; n += 1) {
    const eight = Array.from({ length: 8 }, (_, index) => createThing(`${n}-${index}`, { html }))
    await putThings(store, 'ann', ...eight)
    if (n === 39) await store.checkpoint()
  }
  await store.close()
  return folder
}

const flipByte = async (path: string, at: number): Promise<void> => {
  const handle = await open(path, 'r+')
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at)
  await handle.write(Buffer.from([buffer.readUInt8() ^ 1]), 0, 1, at)
  await handle.close()
}

test('no tool needs a heap for all of an account, and only a backup has it in memory at all', async () => {
  const root = await mkdtemp(join(tmpdir(), 'thingsync-memory-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const [data, backup, script] = [await makeData(root), join(root, 'backup.gz'), join(root, 'probe.mjs')]
  await writeFile(script, probe)

  const run = (...args: readonly string[]) => {
    const limits = ['--max-old-space-size=32', '--max-semi-space-size=2', '--import', pathToFileURL(script).href]
    const { status, stderr } = spawnSync(process.execPath, [...limits, program, ...args], { encoding: 'utf8' })
    const [said = '', outside] = stderr.split('\noutside ')
    return { status, said, isSmall: Number(outside) < 24 * mebibyte }
  }
  const small = { status: 0, said: '', isSmall: true }

  expect(run('verify', '--data', data)).toEqual(small)
  expect(run('stats', '--data', data)).toEqual(small)
  // Brings what the journal holds to the account's file, and has the account as a server has it.
  expect(run('backup', backup, '--data', data)).toEqual({ ...small, isSmall: false })
  expect(run('restore', backup, '--data', join(root, 'restored'))).toEqual(small)
  await flipByte(join(data, 'accounts', locateAccount('ann')), 20 * mebibyte)
  expect(run('verify', '--data', data)).toEqual({
    ...small,
    status: 3,
    said: expect.stringContaining('1 file is damaged'),
  })
  expect(run('verify', '--repair', '--data', data)).toEqual(small)
  expect(await readdir(data)).toContainEqual(expect.stringMatching(/^repaired-/))
})
