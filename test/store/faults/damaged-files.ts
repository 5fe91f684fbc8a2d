import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { openJsonFileStore } from '../../../src/store/json-file-store.ts'
import { type Store, StoreError } from '../../../src/store/store.ts'
import { contractForm } from '../fixtures.ts'
import { countUsers, listUsers, readCounted, writeOnce } from './counted-writes.ts'
import { type DamageKind, damageFile } from './damage-file.ts'
import { createDamageFixtures, type DamageFixture, resetFixture } from './damage-fixtures.ts'
import { createRandom } from './random.ts'

/** What became of data folders in which one file was damaged. */
export interface DamageFigures {
  readonly files: number
  /** Everything was there. */
  readonly whole: number
  /** Reads of some accounts failed with the name of the file; all other accounts were whole. */
  readonly named: number
  /** The store did not open, and named the file. */
  readonly closed: number
}

type Fate = Exclude<keyof DamageFigures, 'files'>

const kinds: readonly DamageKind[] = ['bit', 'bit', 'burst', 'zeros', 'cut', 'line lost', 'line twice', 'missing']

interface Damaged {
  readonly name: string
  readonly kind: DamageKind
}

const checkDamaged = async (fixture: DamageFixture, damaged: Damaged): Promise<Fate> => {
  const said: string[] = []
  const log = (_details: object, message: string): void => void said.push(message)
  const open = (): Promise<Store> =>
    openJsonFileStore({
      folder: fixture.folder,
      form: contractForm,
      log: { warn: log, error: log },
      segmentBytes: 2048,
    })

  const isNamed = (error: unknown): boolean => {
    if (!(error instanceof StoreError)) throw error
    const text = [error.message, ...said].join('\n')
    // If a file is missing from the middle of the journal, the error names the previous file, which ends too early.
    return text.includes(damaged.name) || (damaged.kind === 'missing' && text.includes('.ndjson is damaged'))
  }

  let store: Store
  try {
    store = await open()
  } catch (error) {
    assert.ok(isNamed(error), `${error} does not name ${damaged.name}`)
    return 'closed'
  }

  let fate: Fate = 'whole'
  const healthy = new Map<string, number>()
  const compare = (what: string, found: number, known: number): void => {
    assert.equal(found, known, `writes of ${what}`)
  }
  // The registry is served without what may be missing from it, so that the owner can log in; it was said.
  const isUntold = said.some((text) => text.includes(damaged.name) && text.includes('unknown accounts'))
  if (isUntold) fate = 'named'
  // Only the log says which outbox entries a damaged line held, when the file of the account is newer than the line.
  const isOutboxKnown = !said.some((text) => text.includes(damaged.name) && damaged.name.endsWith('.ndjson'))
  if (isUntold) await listUsers(store)
  else compare('the registry', await countUsers(store), fixture.users)
  for (const [userId, count] of fixture.counts) {
    try {
      const found = await readCounted(store, userId, { isOutboxKnown })
      compare(userId, found.count, count)
      healthy.set(userId, found.count)
    } catch (error) {
      assert.ok(isNamed(error), `${error} does not name ${damaged.name}`)
      fate = 'named'
    }
  }
  for (const userId of healthy.keys()) await writeOnce(store, userId, 'after the damage')
  await store.close()

  const reopened = await open()
  for (const [userId, count] of healthy) assert.equal((await readCounted(reopened, userId)).count, count + 1)
  await reopened.close()
  return fate
}

const damageOne = async (fixture: DamageFixture, seed: number): Promise<Fate> => {
  const random = createRandom(seed)
  const paths = [...fixture.files.keys()].filter((path) => /\.(json|ndjson)$/.test(path)).sort()
  const path = random.pick(paths)
  const kind = random.pick(kinds)
  await resetFixture(fixture)
  await damageFile(path, kind, random)
  try {
    return await checkDamaged(fixture, { name: basename(path), kind })
  } catch (error) {
    throw new Error(`seed ${seed}: ${kind} in ${path}`, { cause: error })
  }
}

/** Damages one file of a data folder, so many times with so many seeds. @throws at the first broken promise */
export const runDamagedFiles = async (
  wanted: { readonly files: number; readonly firstSeed: number },
  onFile: () => void = () => undefined,
): Promise<DamageFigures> => {
  const fixtures = await createDamageFixtures()
  const counts: Record<Fate, number> = { whole: 0, named: 0, closed: 0 }
  for (let index = 0; index < wanted.files; index += 1) {
    const fixture = fixtures[index % fixtures.length] as DamageFixture
    counts[await damageOne(fixture, wanted.firstSeed + index)] += 1
    onFile()
  }
  for (const { folder } of fixtures) await rm(folder, { recursive: true })
  return { files: wanted.files, ...counts }
}
