import { readRegistryLine } from '../../disk/load-account.ts'
import { parseJson } from '../../record/parse-json.ts'
import { registryShapes } from '../../record/registry-shapes.ts'
import { DamagedFile } from '../../record/sealed-json.ts'
import { isPosition } from '../../record/shape.ts'
import { createRegistryState, type RegistryDocument } from '../../registry/registry-state.ts'
import type { Errand } from '../../store.ts'
import type { ReadLines } from '../../wal/read-lines.ts'

/** What is known of the registry, and of errands, before the journal's writes are added. */
export interface SalvagedRegistry {
  readonly document: RegistryDocument
  readonly errands: readonly Errand[]
  /** Number of the last write in it; 0 when that cannot be told. */
  readonly write: number
}

/** Reads the lines of `directory.json` that are whole, whatever has become of the others. */
export const salvageRegistry = (text: string): SalvagedRegistry => {
  const [first = '', ...rest] = text.split('\n').map((line) => line.replace(/,$/, ''))
  const { write }: { readonly write?: unknown } = Object(parseJson(`${first}}`))
  const items = rest.filter((line) => line.startsWith('{')).map(parseJson)
  const lists = Object.entries(registryShapes).map(([name, shape]) => [name, items.filter(shape)] as const)
  const { errands, ...document } = Object.fromEntries(lists) as unknown as RegistryDocument &
    Pick<SalvagedRegistry, 'errands'>
  return { document, errands, write: isPosition(write) ? Number(write) : 0 }
}

/** The registry that salvaged lines and the writes of the journal that can be read make together. */
export const rebuildRegistry = async (
  { document, write: saved }: Pick<SalvagedRegistry, 'document' | 'write'>,
  lines: ReadLines,
): Promise<RegistryDocument> => {
  const state = createRegistryState(document)
  for await (const group of lines)
    for (const { write, bytes } of group) {
      if (write <= saved) continue
      try {
        state.apply(readRegistryLine(bytes))
      } catch (error) {
        if (!(error instanceof DamagedFile)) throw error
      }
    }
  return state.document()
}
