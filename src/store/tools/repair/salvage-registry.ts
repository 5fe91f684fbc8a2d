import { registryShapes } from '../../disk/registry-file.ts'
import { DamagedFile } from '../../record/sealed-json.ts'
import { isPosition } from '../../record/shape.ts'
import { decodeRegistryChanges } from '../../record/write-steps.ts'
import type { App, AuthorizationCode, BrowserSession, Key, Link, Session, User } from '../../registry/registry.ts'
import { createRegistryState, type RegistryDocument } from '../../registry/registry-state.ts'
import type { Errand } from '../../store.ts'
import type { KeptWrite } from '../../wal/read-lines.ts'
import { salvageLines } from './salvage-lines.ts'

const isUser = (item: unknown): item is User => registryShapes.users(item)
const isApp = (item: unknown): item is App => registryShapes.apps(item)
const isSession = (item: unknown): item is Session => registryShapes.sessions(item)
const isCode = (item: unknown): item is AuthorizationCode => registryShapes.codes(item)
const isBrowserSession = (item: unknown): item is BrowserSession => registryShapes.browserSessions(item)
const isErrand = (item: unknown): item is Errand => registryShapes.errands(item)
const isKey = (item: unknown): item is Key => registryShapes.keys(item)
const isLink = (item: unknown): item is Link => registryShapes.links(item)

/** What is known of the registry, and of errands, before the journal's writes are added. */
export interface SalvagedRegistry {
  readonly document: RegistryDocument
  readonly errands: readonly Errand[]
  /** Number of the last write in it; 0 when that cannot be told. */
  readonly write: number
}

/** Reads the lines of `directory.json` that are whole. */
export const salvageRegistry = (text: string): SalvagedRegistry => {
  const { head, items } = salvageLines(text)
  const document = {
    users: items.filter(isUser),
    apps: items.filter(isApp),
    sessions: items.filter(isSession),
    codes: items.filter(isCode),
    browserSessions: items.filter(isBrowserSession),
    links: items.filter(isLink),
    keys: items.filter(isKey),
  }
  return { document, errands: items.filter(isErrand), write: isPosition(head.write) ? Number(head.write) : 0 }
}

/** The registry that salvaged lines and the writes of the journal that can be read make together. */
export const rebuildRegistry = (
  { document, write: saved }: Pick<SalvagedRegistry, 'document' | 'write'>,
  writes: readonly KeptWrite[],
): RegistryDocument => {
  const state = createRegistryState(document)
  for (const { write, steps } of writes) {
    if (write <= saved) continue
    try {
      state.apply(decodeRegistryChanges(steps))
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error
    }
  }
  return state.document()
}
