import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openJsonFileStore } from '../../src/store/json-file-store.ts'
import type { Store } from '../../src/store/store.ts'
import { compileProgram } from '../store/faults/compile-program.ts'
import { contractForm, listIds } from '../store/fixtures.ts'

const kills = 10
/** Whether a kill meets a file that is being written is chance: that many are enough to see it. */
const maxKills = 100
const userIds = ['ann', 'bob', 'cyd']
const writersPerUser = 3

interface Acknowledged {
  readonly count: number
  readonly position: number
}

/** Starts the writer, kills it soon after some writes, while it is at work, and returns the last ones it printed. */
const writeUntilKilled = async (
  writer: string,
  folder: string,
  writes: number,
): Promise<ReadonlyMap<string, Acknowledged>> => {
  const child = spawn(process.execPath, [writer, folder, ...userIds])
  const closed = once(child, 'close')
  let output = ''
  let errors = ''
  child.stderr.on('data', (data) => {
    errors += String(data)
  })
  child.stdout.on('data', (data) => {
    output += String(data)
    if (output.split('\n').length > writes) setTimeout(() => child.kill('SIGKILL'), Math.random() * 3)
  })
  const [, signal] = await closed
  if (signal !== 'SIGKILL') throw new Error(`the writer ended by itself: ${errors}`)

  const last = new Map<string, Acknowledged>()
  // A line that the kill cut off is no acknowledgment.
  for (const line of output.split('\n').slice(0, -1)) {
    const [userId = '', count, position] = line.split(' ')
    const acknowledged = { count: Number(count), position: Number(position) }
    if (acknowledged.count > (last.get(userId)?.count ?? 0)) last.set(userId, acknowledged)
  }
  return last
}

const readCount = async (store: Store, userId: string): Promise<Acknowledged> => {
  const view = await store.read(userId)
  return { position: view.position, count: Number((await view.listRecords('counter', '')).get('') ?? 0) }
}

/** What is stored must be the work of whole writes: the last three things, one that is changed often, all deletions. */
const checkWhole = async (store: Store, userId: string): Promise<void> => {
  const view = await store.read(userId)
  const { count, position } = await readCount(store, userId)
  const living = [count - 2, count - 1, count].filter((n) => n > 0).map((n) => `t${n}`)
  const deleted = Array.from({ length: Math.max(0, count - 3) }, (_, index) => `t${index + 1}`)

  expect(position).toBe(count * 2 + deleted.length)
  expect(new Set((await listIds(view, 0)).changed)).toEqual(new Set(count > 0 ? [...living, 'often'] : []))
  expect((await view.findThing('often'))?.title).toBe(count > 0 ? `${count}` : undefined)
  // Positions 1, 3 and 5 created the first three things; later ones came after.
  expect((await listIds(view, 5)).deleted).toEqual(deleted.slice(0, 3))
}

test(`after kill -9 in the middle of writes, ${kills} times or more, every acknowledged change is there`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-kill-'))
  const writer = await compileProgram('../endless-writer.js')
  const known = new Map<string, Acknowledged>()
  let repairs = 0
  let oldest = ''
  const countRepair = (): void => {
    repairs += 1
  }

  // Until a kill came while a file was being written, and an account was saved: otherwise nothing would be shown.
  const isShown = (): boolean => repairs > 0 && oldest !== '000000000001.ndjson'
  for (let kill = 0; kill < kills || (!isShown() && kill < maxKills); kill += 1) {
    const acknowledged = await writeUntilKilled(writer.path, folder, 1 + (kill % 12))
    const log = { warn: countRepair, error: (_: object, message: string) => expect.fail(message) }
    const store = await openJsonFileStore({ folder, form: contractForm, log, segmentBytes: 8 * 1024 })
    for (const userId of userIds) {
      const { count, position } = acknowledged.get(userId) ?? known.get(userId) ?? { count: 0, position: 0 }
      const kept = await readCount(store, userId)
      expect(kept.count).toBeGreaterThanOrEqual(count)
      // Each of the account's writers may have had one write on its way.
      expect(kept.count).toBeLessThanOrEqual(count + writersPerUser)
      expect(kept.position).toBeGreaterThanOrEqual(position)
      await checkWhole(store, userId)
      known.set(userId, kept)
    }
    await store.close()
    oldest = (await readdir(join(folder, 'journal'))).sort()[0] ?? ''
  }

  expect(isShown()).toBe(true)
  expect(Math.min(...Array.from(known.values(), ({ count }) => count))).toBeGreaterThan(kills)
  for (const created of [folder, writer.folder]) await rm(created, { recursive: true })
})
