import * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  applyAll,
  contractForm,
  createSettings,
  createThing,
  encodeSteps,
  noReaders,
} from '../../../test/store/fixtures.ts'
import { runToEnd } from '../../scheduling.ts'
import { type Account, beginAccount, documentOf } from '../account/account.ts'
import type { Change } from '../record/change.ts'
import { removal } from '../record/change-text.ts'
import { DamagedFile, encodeLine } from '../record/checked-lines.ts'
import { passLines, readLines } from './journal-index.ts'

let folder = ''
beforeAll(async () => {
  folder = await files.mkdtemp(join(tmpdir(), 'thingsync-lines-'))
})
afterAll(() => files.rm(folder, { recursive: true, force: true }))

const begin = (position: number) => beginAccount(contractForm, noReaders, position)
const thingAt = (id: string, position: number, title = 'title'): Change => ({
  thing: {
    ...createThing(id, { title, tags: 'red' }),
    position,
    createdPosition: 1,
    writer: 'phone',
    othersPosition: 0,
  },
})

const writes: readonly (readonly Change[])[] = [
  [
    thingAt('a', 1),
    thingAt('b', 2),
    { record: { kind: 'k', group: 'g', key: '},{"thing":{"', value: [{ thing: {} }] } },
  ],
  [
    { tag: { name: 'red', position: 3, settings: createSettings('strike') } },
    thingAt('a', 4, '},{"thing":{"id":"é€😀'),
  ],
  [{ tombstone: { id: 'b', position: 5, createdPosition: 2 } }, { removedRecords: { kind: 'k', group: 'g' } }],
  [
    thingAt('with a fraction', 6, '\u0000'),
    thingAt('b', 7),
    { record: { kind: 'k', group: 'g', key: '', value: null } },
  ],
]

const show = (account: Account) => {
  const { position, things, tombstones, tags, records } = documentOf(account)
  return { position, things: [...things], tombstones: [...tombstones], tags: [...tags], records: [...records] }
}

const load = async (lines: readonly Buffer[]) => {
  const path = join(folder, 'segment.ndjson')
  await files.writeFile(path, Buffer.concat(lines))
  let end = 0
  const locations = lines.map((line, index) => {
    const start = end
    end += line.length
    return { path, write: index + 1, start, end: end - 1 }
  })
  const loading = begin(0)
  try {
    await passLines(readLines(files, locations), loading)
  } catch (error) {
    if (error instanceof DamagedFile) return undefined
    throw error
  }
  return show(loading.finish())
}

const encode = (steps: string, write: number): Buffer =>
  Buffer.concat(runToEnd(encodeLine({ write, batch: 1, key: 'account ann' }, [Buffer.from(steps)])))
const encodeAll = (all: typeof writes) => all.map((changes, index) => encode(encodeSteps(changes), index + 1))
const asWhole = (all: typeof writes) => {
  const account = beginAccount(contractForm, noReaders, 0).finish()
  for (const changes of all) applyAll(account, changes)
  return show(account)
}

test('writes read from the bytes of their lines result in the same account as their changes', async () => {
  expect(await load(encodeAll(writes))).toEqual(asWhole(writes))
})

test('a line that is larger than one read results in the same account', async () => {
  const things = Array.from({ length: 5000 }, (_, n) =>
    thingAt(`id ${n}`, 8 + n, `},{"thing":{"${'é'.repeat(n % 400)}`),
  )
  const large = { record: { kind: 'k', group: 'g', key: 'large', value: 'x'.repeat(3_000_000) } }
  const all = [...writes, [...things, large, thingAt('last', 5008)]]

  expect(await load(encodeAll(all))).toEqual(asWhole(all))
})

test.each([
  ['a removal', JSON.stringify(removal)],
  ['a position that does not follow', encodeSteps([thingAt('a', 2)])],
  ['a step that is not complete', '[{"thing":{"id":"a"}}]'],
  ['a step of another kind', '[{"other":1}]'],
  ['something behind its steps', `${encodeSteps([thingAt('a', 1)])},"more":1`],
  ['no steps', '[]'],
  ['half a step', '[{"thing":'],
])('a line with %s is rejected', async (_, steps) => {
  expect(await load([encode(steps, 1)])).toBeUndefined()
})

test('a line with a changed byte is rejected', async () => {
  const lines = encodeAll(writes)
  const [first = Buffer.alloc(0)] = lines
  const loadedAt: number[] = []

  for (let at = 0; at < first.length - 1; at += 1) {
    const changed = Buffer.from(first)
    changed[at] = (changed[at] as number) ^ 2
    // Alone, and together with other lines.
    for (const all of [[changed], [changed, ...lines.slice(1)]]) if ((await load(all)) !== undefined) loadedAt.push(at)
  }

  expect(loadedAt).toEqual([])
})
