import { join } from 'node:path'
import { registryShapes } from '../record/registry-shapes.ts'
import { DamagedFile, decodeSealed, encodeSealed } from '../record/sealed-json.ts'
import { isListOf, isObjectOf, isOptional, isPosition, type Shape } from '../record/shape.ts'
import type { RegistryKind } from '../registry/registry.ts'
import { emptyRegistry, mapKinds, type RegistryDocument } from '../registry/registry-state.ts'
import type { Errand } from '../store.ts'
import { type DurableFile, readDurable, writeDurable } from './durable-json-file.ts'
import type { FileOperations } from './file-operations.ts'

const head = { format: 'thingsync directory', version: 1 }

/** What `directory.json` holds: the registry, and the errands of all accounts. */
export interface RegistrySnapshot {
  /** The last write of the journal that it includes. */
  readonly write: number
  readonly document: RegistryDocument
  readonly errands: readonly Errand[]
  /** The last write whose errands it includes for certain; `write` when left out. Lower while the journal is damaged. */
  readonly errandsWrite?: number
}

const isDocumentShape = isObjectOf({
  write: isPosition,
  errandsWrite: isOptional(isPosition),
  ...mapKinds<Readonly<Record<RegistryKind, Shape>>>((kind) => isListOf(registryShapes[kind])),
  errands: isListOf(registryShapes.errands),
})

type Written = RegistryDocument & Omit<RegistrySnapshot, 'document'>

const isWritten = (value: unknown): value is Written => isDocumentShape(value)

/**
 * `directory.json` of a data folder: users, apps, sessions and the like, and errands.
 */
export const registryFile = (folder: string, files: FileOperations): DurableFile<RegistrySnapshot> => ({
  path: join(folder, 'directory.json'),
  asideFolder: join(folder, 'unfinished'),
  files,
  encode: ({ write, document, errands, errandsWrite = write }) => {
    const known = { ...head, write, ...(errandsWrite !== write && { errandsWrite }) }
    return encodeSealed(known, { ...mapKinds<RegistryDocument>((kind) => document[kind]), errands })
  },
  decode: (text) => {
    const value: unknown = decodeSealed(text, head)
    if (!isWritten(value)) throw new DamagedFile('a user, app or session in it is not complete')
    const { write, errands, errandsWrite = write } = value
    const document = mapKinds<RegistryDocument>((kind) => value[kind])
    return { write, document, errands, ...(errandsWrite !== write && { errandsWrite }) }
  },
})

/** What `directory.json` holds; an empty registry where there is none. @throws DamagedFile, NewerVersion, the system's error */
export const readRegistry = (folder: string, files: FileOperations): Promise<RegistrySnapshot> =>
  readDurable(registryFile(folder, files), { write: 0, document: emptyRegistry, errands: [] })

/** Replaces `directory.json`. @throws SyncFailed, or the system's error */
export const writeRegistry = (folder: string, files: FileOperations, snapshot: RegistrySnapshot): Promise<void> =>
  writeDurable(registryFile(folder, files), snapshot)
