import { isErrand, isRecord, isTag, isThing, isTombstone } from '../files/account-file.ts'
import { directoryShapes } from '../files/directory-file.ts'
import { isObjectOf, isPosition, isText, type Shape } from '../files/shape.ts'
import type { StoreItem } from '../store-item.ts'
import { findKind } from './backup-form.ts'
import { BackupRefused } from './backup-refused.ts'

const shapes = new Map<string, Shape>([
  ['user', isObjectOf({ user: directoryShapes.users })],
  ['app', isObjectOf({ app: directoryShapes.apps })],
  ['session', isObjectOf({ session: directoryShapes.sessions })],
  ['code', isObjectOf({ code: directoryShapes.codes })],
  ['browserSession', isObjectOf({ browserSession: directoryShapes.browserSessions })],
  ['link', isObjectOf({ link: directoryShapes.links })],
  ['key', isObjectOf({ key: directoryShapes.keys })],
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
