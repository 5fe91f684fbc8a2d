import { isErrand, isRecord, isTag, isTombstone, isWrittenThing } from '../../record/account-file.ts'
import { findKind } from '../../record/backup-lines.ts'
import { registryShapes } from '../../record/registry-shapes.ts'
import { isObjectOf, isPosition, isText, type Shape } from '../../record/shape.ts'
import { itemNames, type StoreItem } from '../../record/store-item.ts'
import { readWrittenThing, type WrittenThing } from '../../record/thing-step.ts'
import { registryKinds } from '../../registry/registry-state.ts'
import { BackupRefused } from './backup-refused.ts'

const nameShape = (name: string, shape: Shape) => [name, isObjectOf({ [name]: shape })] as const

const shapes = new Map<string, Shape>([
  ...registryKinds.map((kind) => nameShape(itemNames[kind], registryShapes[kind])),
  ['account', isObjectOf({ account: isText, position: isPosition })],
  ['thing', isWrittenThing],
  nameShape('tombstone', isTombstone),
  nameShape('tag', isTag),
  nameShape('record', isRecord),
  nameShape('errand', isErrand),
])

/** The members of an item; one that has no other than its name is not listed. */
const members = new Map([
  ['account', ['account', 'position']],
  ['thing', ['thing', 'at', 'by', 'todoStatus']],
])

/** The largest thing that a server accepts has 16 Mi characters of html, and JSON writes each of them as up to six. */
export const maxThingLineCharacters = 128 * 1024 * 1024

/** No other item comes near this. */
export const maxLineCharacters = 4 * 1024 * 1024

/** How many characters a line may have, as far as its beginning tells. */
export const findMaxCharacters = (line: string): number =>
  line.startsWith('{"thing":') ? maxThingLineCharacters : maxLineCharacters

// What JSON.parse makes of a line takes many times its memory when the line is nothing but brackets and commas.
const maxDepth = 32
const maxValues = 100_000

/** Where the text ends that begins at a quote. */
const findTextEnd = (json: string, start: number): number => {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let first = end
    while (json[first - 1] === '\\') first -= 1
    if ((end - first) % 2 === 0) return end
  }
  return json.length
}

/** What is wrong with the structure of a JSON text before it is parsed, as the end of a sentence. */
const findStructureFault = (json: string): string | undefined => {
  let [depth, values] = [0, 0]
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at]
    if (character === '"') at = findTextEnd(json, at)
    else if (character === '{' || character === '[') {
      depth += 1
      values += 1
    } else if (character === ',') values += 1
    else if (character === '}' || character === ']') depth -= 1
    if (depth > maxDepth) return `is nested deeper than ${maxDepth} levels`
    if (values > maxValues) return `holds more than ${maxValues} values`
  }
  return undefined
}

const parseLine = (line: string): unknown => {
  const fault = findStructureFault(line)
  if (fault !== undefined) throw new BackupRefused(fault)
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) throw new BackupRefused('is no JSON')
    throw error
  }
}

const isItem = (kind: string, value: unknown): value is Exclude<StoreItem, { thing: unknown }> | WrittenThing =>
  shapes.get(kind)?.(value) === true &&
  Object.keys(value as object).every((name) => (members.get(kind) ?? [kind]).includes(name))

/**
 * The item in a line of a backup.
 * @throws BackupRefused when it is none that this program knows; the message is the end of a sentence about the line, and
 *   holds nothing of what stands in it
 */
export const decodeItem = (line: string): StoreItem => {
  const item = parseLine(line)
  const kind = findKind(line)
  if (!shapes.has(kind)) throw new BackupRefused('is of no kind that this program knows')
  if (!isItem(kind, item)) throw new BackupRefused(`is not a complete ${kind}`)
  return 'thing' in item ? { thing: readWrittenThing(item) } : item
}

/**
 * Users, apps, sessions and the like of a data folder stand in one file, which is read as one text; a text of Node has no
 * more than 512 Mi characters.
 */
const maxRegistryCharacters = 500 * 1024 * 1024

const registryNames = new Set<string>(Object.values(itemNames))

/** Counts the characters of lines of the registry as they pass. @throws BackupRefused when they are too many */
export const createRegistryMeter = (): ((line: string) => void) => {
  let characters = 0
  return (line) => {
    if (!registryNames.has(findKind(line))) return
    characters += line.length
    if (characters > maxRegistryCharacters)
      throw new BackupRefused(
        `users, apps, sessions and the like up to here take more than ${maxRegistryCharacters} characters, which is too much for a data folder`,
      )
  }
}
