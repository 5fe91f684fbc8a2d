import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { contractForm, createSettings, createThing, listIds, putThings } from '../../test/store/fixtures.ts'
import { openJsonFileStore } from './json-file-store.ts'
import { maxPosition } from './model.ts'
import { encodeItem } from './record/backup-format.ts'
import { describeFiles, readFolder } from './tools/inspect.ts'
import { restoreFolder } from './tools/restore.ts'

test('an account at the maximum position can be read, and accepts no more changes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-last-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  async function* lines() {
    const metadata = { position: maxPosition - 1, createdPosition: 1, othersPosition: 0, writer: 'phone' }
    yield JSON.stringify({ account: 'ann', position: maxPosition - 1 })
    yield encodeItem({ thing: { ...createThing('a'), ...metadata } })
  }
  await restoreFolder(folder, lines(), { now: Date.now(), isMove: true })
  const store = await openJsonFileStore({ folder, form: contractForm })

  await putThings(store, 'ann', createThing('b'))
  const full = 'the account is at position 999999999999999, the maximum'
  await expect(putThings(store, 'ann', createThing('c'))).rejects.toThrow(full)
  await expect(store.write('ann', 'phone', (draft) => draft.deleteThing('a'))).rejects.toThrow(full)
  await expect(store.write('ann', 'phone', (draft) => draft.putTag('t', createSettings(false)))).rejects.toThrow(full)
  await store.write('ann', 'phone', (draft) => draft.putRecord('kind', 'group', 'key', 'value'))
  const view = await store.read('ann')
  const listed = await listIds(view, 0)
  await putThings(store, 'bob', createThing('x'))
  await store.close()

  expect(view.position).toBe(maxPosition)
  expect(listed).toEqual({ changed: ['a', 'b'], deleted: [] })
  expect(describeFiles(await readFolder(folder)).filter(({ state }) => state === 'damaged')).toEqual([])
})
