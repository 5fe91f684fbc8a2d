import { isErrand, isRecord, isTag, isThing, isTombstone } from '../../record/account-file.ts'
import { findKind } from '../../record/backup-lines.ts'
import { registryShapes } from '../../record/registry-shapes.ts'
import { isObjectOf, isPosition, isText, type Shape } from '../../record/shape.ts'
import { itemNames, type StoreItem } from '../../record/store-item.ts'
import { registryKinds } from '../../registry/registry-state.ts'
import { BackupRefused } from './backup-refused.ts'

const nameShape = (name: string, shape: Shape) => [name, isObjectOf({ [name]: shape })] as const

const shapes = new Map<string, Shape>([
  ...registryKinds.map((kind) => nameShape(itemNames[kind], registryShapes[kind])),
  ['account', isObjectOf({ account: isText, position: isPosition })],
  nameShape('thing', isThing),
  nameShape('tombstone', isTombstone),
  nameShape('tag', isTag),
  nameShape('record', isRecord),
  nameShape('errand', isErrand),
])

const isItem = (kind: string, value: unknown): value is StoreItem => shapes.get(kind)?.(value) ?? false

/** The item in a line of a backup. @throws BackupRefused when it is none that this program knows */
export const decodeItem = (line: string): StoreItem => {
  const item: unknown = JSON.parse(line)
  if (!isItem(findKind(line), item)) throw new BackupRefused(`backup: it holds an item that is not complete: ${line}`)
  return item
}
