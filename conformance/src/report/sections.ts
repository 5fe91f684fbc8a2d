/** Orders by section of the interface as numbers (`4.10` after `4.9`); within a section the order stays. */
export function compareSections(a: Sectioned, b: Sectioned): number {
  const left = a.section.split('.').map(Number)
  const right = b.section.split('.').map(Number)
  for (let level = 0; level < Math.max(left.length, right.length); level += 1) {
    const difference = (left[level] ?? 0) - (right[level] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Something that belongs to a section. */
export interface Sectioned {
  readonly section: string
}

/** Titles of the sections of the interface that rules belong to. */
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

/** Groups what belongs together, in the order of the interface. */
export function groupBySection<Item extends Sectioned>(items: readonly Item[]): [section: string, items: Item[]][] {
  const groups = new Map<string, Item[]>()
  for (const item of items.toSorted(compareSections)) {
    const group = groups.get(item.section)
    if (group) group.push(item)
    else groups.set(item.section, [item])
  }
  return [...groups]
}
