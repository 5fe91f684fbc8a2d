import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from './package-root.ts'
import type { Level } from './rule.ts'

/** One statement that a server must keep, in our own words, as `x-clauses` of the OpenAPI document holds it. */
export interface Clause {
  readonly id: string
  readonly section: string
  readonly level: Level
  readonly text: string
  /** Why no rule observes it. */
  readonly untested?: string
}

/** Reads the clauses that came with the package, in the order of the document. */
export async function readClauses(): Promise<readonly Clause[]> {
  return JSON.parse(await readFile(join(packageRoot, 'data', 'clauses.json'), 'utf8')) as Clause[]
}
