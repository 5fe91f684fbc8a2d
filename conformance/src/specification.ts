import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Rule } from './rule.ts'

/** The folder of this package, both for TypeScript in `src` and for JavaScript in `dist/src`. */
const packageRoot: string = findPackageRoot(dirname(fileURLToPath(import.meta.url)))

/** The suite's version, from package.json. */
export const suiteVersion: string = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')).version

function findPackageRoot(folder: string): string {
  try {
    readFileSync(join(folder, 'package.json'))
    return folder
  } catch (error) {
    const above = dirname(folder)
    if (isMissing(error) && above !== folder) return findPackageRoot(above)
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** Returns where the specification contains a requirement: the file `protocol.md` of this package, and the anchor. */
export const anchorOfRequirement = (id: string): string => `protocol.md#${id.toLowerCase()}`

/** Returns where the specification explains a rule: its first requirement, or its section if it has none. */
export const anchorOfRule = ({ requirements: [first], section }: Pick<Rule, 'requirements' | 'section'>): string =>
  first === undefined ? `protocol.md#interface-${section}` : anchorOfRequirement(first)

/** Finds the path of `protocol.md` on this machine: in the built package, or in the project's folder. */
export const findSpecification = (): string => {
  const built = fileURLToPath(new URL('../protocol.md', import.meta.url))
  return existsSync(built) ? built : fileURLToPath(new URL('../../docs/reference/protocol.md', import.meta.url))
}

/** Compares sections of the interface as numbers (`4.10` comes after `4.9`); equal sections keep their order. */
export function compareSections(a: Sectioned, b: Sectioned): number {
  const left = a.section.split('.').map(Number)
  const right = b.section.split('.').map(Number)
  for (let level = 0; level < Math.max(left.length, right.length); level += 1) {
    const difference = (left[level] ?? 0) - (right[level] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** An item that belongs to a section. */
interface Sectioned {
  readonly section: string
}

/** Returns the title of a section of the interface. */
export function titleOfSection(section: string): string {
  return titles.get(section) ?? titles.get(section.split('.')[0] ?? '') ?? 'Other'
}

const titles: ReadonlyMap<string, string> = new Map([
  ['1', 'The service'],
  ['2', 'Resources and their fields'],
  ['2.1', 'Thing'],
  ['2.2', 'Tag settings'],
  ['2.3', 'Position'],
  ['2.4', 'Token response'],
  ['2.5', 'User'],
  ['3', 'States'],
  ['4', 'Operations'],
  ['4.1', 'The other operations'],
  ['4.2', 'Token endpoint'],
  ['4.3', 'sync'],
  ['5', 'Authentication'],
  ['5.1', 'Grants'],
  ['5.2', 'Token response'],
  ['5.3', 'Presenting the access token'],
  ['6', 'Events'],
  ['7', 'Errors'],
  ['8', 'Limits'],
  ['9', 'Versioning'],
])

/** Groups items by section, in the order of the interface. */
export function groupBySection<Item extends Sectioned>(items: readonly Item[]): [section: string, items: Item[]][] {
  const groups = new Map<string, Item[]>()
  for (const item of items.toSorted(compareSections)) {
    const group = groups.get(item.section)
    if (group) group.push(item)
    else groups.set(item.section, [item])
  }
  return [...groups]
}
