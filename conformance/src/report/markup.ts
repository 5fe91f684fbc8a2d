import { visible } from './visible.ts'

/** HTML that is safe to write: every text that went into it is escaped. */
export interface Markup {
  readonly markup: string
}

/** What may stand in the gaps of `html`: text is escaped, markup is not, a list is written one after the other. */
export type Gap = string | number | Markup | readonly Markup[]

/** Template tag that makes Markup. */
export function html(parts: TemplateStringsArray, ...gaps: readonly Gap[]): Markup {
  return { markup: parts.map((part, index) => part + fill(gaps[index] ?? '')).join('') }
}

function fill(gap: Gap): string {
  if (typeof gap === 'string' || typeof gap === 'number') return escapeText(String(gap))
  return 'markup' in gap ? gap.markup : gap.map((one) => one.markup).join('\n')
}

function escapeText(text: string): string {
  return visible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
