import { readFileSync } from 'node:fs'

/** The lines of the n-th shell block below a heading of docs/install.md. */
export const readGuide = (heading: string, n = 0): string => {
  const page = readFileSync(new URL('../../docs/install.md', import.meta.url), 'utf8')
  const section = page.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? ''
  const block = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)][n]?.[1]
  if (block === undefined) throw new Error(`docs/install.md has no shell block ${n} below "${heading}"`)
  return block
}
