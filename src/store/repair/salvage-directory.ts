import type { App, AuthorizationCode, BrowserSession, Key, Link, Session, User } from '../directory.ts'
import { createDirectoryState, type DirectoryDocument } from '../directory-state.ts'
import { directoryShapes } from '../files/directory-file.ts'
import { DamagedFile } from '../files/sealed-json.ts'
import { isPosition } from '../files/shape.ts'
import type { KeptWrite } from '../journal/read-lines.ts'
import { decodeDirectoryChanges } from '../journal/write-steps.ts'
import type { Errand } from '../store.ts'
import { salvageLines } from './salvage-lines.ts'

const isUser = (item: unknown): item is User => directoryShapes.users(item)
const isApp = (item: unknown): item is App => directoryShapes.apps(item)
const isSession = (item: unknown): item is Session => directoryShapes.sessions(item)
const isCode = (item: unknown): item is AuthorizationCode => directoryShapes.codes(item)
const isBrowserSession = (item: unknown): item is BrowserSession => directoryShapes.browserSessions(item)
const isErrand = (item: unknown): item is Errand => directoryShapes.errands(item)
const isKey = (item: unknown): item is Key => directoryShapes.keys(item)
const isLink = (item: unknown): item is Link => directoryShapes.links(item)

/** What is known of the directory, and of errands, before the journal's writes are added. */
export interface SalvagedDirectory {
  readonly document: DirectoryDocument
  readonly errands: readonly Errand[]
  /** Number of the last write in it; 0 when that cannot be told. */
  readonly write: number
}

/** Reads the lines of `directory.json` that are whole. */
export const salvageDirectory = (text: string): SalvagedDirectory => {
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

/** The directory that salvaged lines and the writes of the journal that can be read make together. */
export const rebuildDirectory = (
  { document, write: saved }: Pick<SalvagedDirectory, 'document' | 'write'>,
  writes: readonly KeptWrite[],
): DirectoryDocument => {
  const state = createDirectoryState(document)
  for (const { write, steps } of writes) {
    if (write <= saved) continue
    try {
      state.apply(decodeDirectoryChanges(steps))
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error
    }
  }
  return state.document()
}
