import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

const readFixtures = (): readonly string[] => {
  const fixtures = require('dompurify-fixtures/test/fixtures/expect.js') as readonly { readonly payload: string }[]
  return fixtures.map(({ payload }) => payload)
}

const readSeeds = (): readonly string[] =>
  readFileSync(require.resolve('xss-filters/tests/fuzz/bin/seed.xss'), 'utf8').split('\n')

const readNaughtyStrings = (): readonly string[] =>
  (require('big-list-of-naughty-strings') as readonly string[]).filter((text) => /<|javascript:|alert\(/iu.test(text))

/**
 * Texts that others have run scripts with, each once: the fixtures of DOMPurify, the seeds of xss-filters and, of the Big
 * List of Naughty Strings, what has to do with HTML. They are read from those packages, in versions that carry them.
 */
export const readKnownAttacks = (): readonly string[] => [
  ...new Set(
    [...readFixtures(), ...readSeeds(), ...readNaughtyStrings()]
      .map((text) => text.trim())
      .filter((text) => text !== ''),
  ),
]
