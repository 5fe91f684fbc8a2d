import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DamagedFile } from '../record/sealed-json.ts'
import { StoreFailed } from '../store.ts'
import type { StoreLog } from '../store-log.ts'
import { copyDamaged } from './damaged-copy.ts'
import type { DiskGuard } from './disk-guard.ts'
import { discardAside, makeFolder, readDurable, writeAside, writeDurable } from './durable-json-file.ts'
import type { FileOperations } from './file-operations.ts'
import { emptyRegistrySnapshot, type RegistrySnapshot, registryForm } from './registry-file.ts'

/** The file of the registry and of all errands, replaced as a whole. All throw StoreFailed. */
export interface SnapshotFiles {
  readonly readRegistry: () => Promise<RegistrySnapshot>
  readonly writeRegistry: (snapshot: RegistrySnapshot) => Promise<void>
  /** Writes a file and removes it. */
  readonly check: () => Promise<void>
}

/** What snapshot files work with. */
export interface SnapshotFilesOptions {
  readonly folder: string
  readonly files: FileOperations
  readonly log: StoreLog
  readonly guard: DiskGuard
}

/** Opens the files in a data folder; makes its folders. @throws StoreFailed */
export const openSnapshotFiles = async ({
  folder,
  files,
  log,
  guard,
}: SnapshotFilesOptions): Promise<SnapshotFiles> => {
  const { reading, writing } = guard
  const asideFolder = join(folder, 'unfinished')
  const path = join(folder, 'directory.json')
  const file = { path, asideFolder, form: registryForm, files }

  const noteDamage = async (cause: DamagedFile): Promise<StoreFailed> => {
    const copy = await copyDamaged(files, path)
    const advice = 'repair it (and take its checksum line out) or put a backup in its place, then restart'
    log.error({ file: path, copy, reason: cause.message }, `${path} is damaged: ${cause.message}; ${advice}`)
    return new StoreFailed(`${path} is damaged: ${cause.message}`, { cause })
  }

  await writing(async () => {
    for (const name of [join(folder, 'accounts'), asideFolder]) await makeFolder(files, name)
  })

  return {
    readRegistry: () =>
      reading(async () => {
        try {
          return await readDurable(file, emptyRegistrySnapshot)
        } catch (error) {
          throw error instanceof DamagedFile ? await noteDamage(error) : error
        }
      }),
    writeRegistry: (snapshot) => writing(() => writeDurable(file, snapshot)),
    check: () =>
      writing(async () => {
        const probe = join(asideFolder, `check.${randomUUID()}`)
        try {
          await writeAside(files, probe, ['{}\n'])
        } finally {
          await discardAside(files, probe)
        }
      }),
  }
}
