import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

/** The path of the one file of the release whose name ends so. */
export const findReleased = (ending: string): string => {
  const { release } = inject('packages')
  const found = readdirSync(release).filter((name) => name.endsWith(ending))
  if (found.length !== 1) throw new Error(`${found.length} files of the release end with ${ending}`)
  return join(release, found[0] ?? '')
}
