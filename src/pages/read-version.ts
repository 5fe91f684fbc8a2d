import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)

/** The version of this package. */
export const readVersion = async (): Promise<string> =>
  JSON.parse(await readFile(resolve('thingsync/package.json'), 'utf8')).version
