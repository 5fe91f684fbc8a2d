import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const page = readFileSync(fileURLToPath(new URL('../../docs/how-to/clients/sign-in.md', import.meta.url)), 'utf8')

/**
 * The program under a heading of `docs/how-to/clients/sign-in.md`: the first block of code there.
 * @throws when there is none
 */
export const readProgram = (heading: string): string => {
  const section = page.split(`\n### ${heading}\n`)[1]?.split(/\n#{2,3} /)[0] ?? ''
  const code = /\n```\w+\n(.*?\n)```\n/s.exec(section)?.[1]
  if (code === undefined) throw new Error(`docs/how-to/clients/sign-in.md has no program under "${heading}"`)
  return code
}

/** What the page says of an app that is registered without `--standard`, by the name of the library. */
export const readPromises = (): ReadonlyMap<string, string> =>
  new Map(
    [...page.matchAll(/^\| \[([^\]]+)\]\([^)]*\) \| ([^|]*) \|/gm)].map(([, name = '', says = '']) => [name, says]),
  )
