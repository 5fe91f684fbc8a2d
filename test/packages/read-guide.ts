import { readFileSync } from 'node:fs'

/** The shell blocks of a page in `docs/`, in order, each below its heading of the second level. */
export const readShellBlocks = (name: string): readonly { readonly heading: string; readonly lines: string }[] => {
  const page = readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
  return page.split(/^## /m).flatMap((section) =>
    [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, lines = '']) => ({
      heading: section.slice(0, section.indexOf('\n')),
      lines,
    })),
  )
}

/** The lines of the n-th shell block below a heading of docs/how-to/host/install.md. */
export const readGuide = (heading: string, n = 0): string => {
  const blocks = readShellBlocks('how-to/host/install.md').filter((block) => block.heading === heading)
  const block = blocks[n]
  if (block === undefined) throw new Error(`docs/how-to/host/install.md has no shell block ${n} below "${heading}"`)
  return block.lines
}
