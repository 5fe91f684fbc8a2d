import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of this package, whether it runs as TypeScript from `src` or as JavaScript from `dist/src`. */
export const packageRoot: string = findPackageRoot(dirname(fileURLToPath(import.meta.url)))

/** The suite's version, as package.json gives it. */
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
