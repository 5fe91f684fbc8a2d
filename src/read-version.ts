import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)

/** The version of this package. */
export const readVersion = (): string => JSON.parse(readFileSync(resolve('thingsync/package.json'), 'utf8')).version
