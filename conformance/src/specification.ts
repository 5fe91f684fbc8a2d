import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Rule } from './rule.ts'

/** Where the specification tells a clause: the file `interface.md` of this package, and the place in it. */
export const addressOfClause = (id: string): string => `interface.md#${id.toLowerCase()}`

/** Where it tells what a rule asks for: its first clause, or its section if it has none. */
export const addressOfRule = ({ clauses: [first], section }: Pick<Rule, 'clauses' | 'section'>): string =>
  first === undefined ? `interface.md#interface-${section}` : addressOfClause(first)

/** The path of `interface.md` on this machine: in the package as it is built, or in the project's folder. */
export const findSpecification = (): string => {
  const built = fileURLToPath(new URL('../interface.md', import.meta.url))
  return existsSync(built) ? built : fileURLToPath(new URL('../../docs/interface.md', import.meta.url))
}
