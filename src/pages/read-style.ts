import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The style of all pages. */
export interface PageStyle {
  readonly css: string
  /** Names it in a Content-Security-Policy: `'sha256-…'`. */
  readonly source: string
}

const folder = join(import.meta.dirname, 'style')

/**
 * Reads the files of `style/`. Pages carry their style with them, so that one answer is the whole page; the policy
 * names it by its hash, so that no other style, and nothing that somebody smuggled in, is obeyed.
 */
export const readPageStyle = (): Promise<PageStyle> => readStyle(['tokens.css', 'base.css', 'parts.css'])

/** Reads files of `style/` for a page that needs more. */
export const readStyle = async (files: readonly string[]): Promise<PageStyle> => {
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  const css = texts
    .join('\n')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\n\s*/g, '\n')
    .trim()
  return { css, source: `'sha256-${createHash('sha256').update(css).digest('base64')}'` }
}
