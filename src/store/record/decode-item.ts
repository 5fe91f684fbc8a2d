import { registryShapes } from '../disk/registry-file.ts'
import { BackupRefused } from '../tools/backup/backup-refused.ts'
import { isErrand, isRecord, isTag, isThing, isTombstone } from './account-file.ts'
import { findKind } from './backup-lines.ts'
import { isObjectOf, isPosition, isText, type Shape } from './shape.ts'
import type { StoreItem } from './store-item.ts'

const shapes = new Map<string, Shape>([
  ['user', isObjectOf({ user: registryShapes.users })],
  ['app', isObjectOf({ app: registryShapes.apps })],
  ['session', isObjectOf({ session: registryShapes.sessions })],
  ['code', isObjectOf({ code: registryShapes.codes })],
  ['browserSession', isObjectOf({ browserSession: registryShapes.browserSessions })],
  ['link', isObjectOf({ link: registryShapes.links })],
  ['key', isObjectOf({ key: registryShapes.keys })],
  ['account', isObjectOf({ account: isText, position: isPosition })],
  ['thing', isObjectOf({ thing: isThing })],
  ['tombstone', isObjectOf({ tombstone: isTombstone })],
  ['tag', isObjectOf({ tag: isTag })],
  ['record', isObjectOf({ record: isRecord })],
  ['errand', isObjectOf({ errand: isErrand })],
])

const isItem = (kind: string, value: unknown): value is StoreItem => shapes.get(kind)?.(value) ?? false

/** The item in a line of a backup. @throws BackupRefused when it is none that this program knows */
export const decodeItem = (line: string): StoreItem => {
  const item: unknown = JSON.parse(line)
  if (!isItem(findKind(line), item)) throw new BackupRefused(`backup: it holds an item that is not complete: ${line}`)
  return item
}
