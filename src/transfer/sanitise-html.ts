import { createElementParser } from './element-parser.ts'
import { escapeAttribute, escapeText } from './note-text.ts'

const kept = new Set(
  'p div br hr h1 h2 h3 h4 h5 h6 b strong i em u s del ins sub sup mark small code pre blockquote ul ol li dl dt dd table thead tbody tfoot tr th td caption a img figure figcaption'.split(
    ' ',
  ),
)
const empty = new Set(['br', 'hr', 'img'])
/** Of these nothing is kept, not even what they contain. */
const dropped = new Set(
  'script style template noscript iframe object embed svg math head title select textarea audio video canvas form'.split(
    ' ',
  ),
)
const keptAttributes: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title'],
  img: ['src', 'alt', 'title'],
  ol: ['start'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
}

/** How elements of a program's own are written instead, as HTML. */
export type Replace = (name: string, attributes: Readonly<Record<string, string>>) => string | undefined

/**
 * HTML of another program with nothing in it but text, its structure, links and pictures: no scripts, styles, events or
 * addresses that run. Whoever shows it cleans it again, as with every note.
 */
export const sanitiseHtml = (html: string, replace: Replace = () => undefined): string => {
  let clean = ''
  let droppedDepth = 0
  const parser = createElementParser(
    {
      onopentag: (name, attributes) => {
        if (dropped.has(name)) droppedDepth++
        if (droppedDepth > 0) return
        const replacement = replace(name, attributes)
        if (replacement !== undefined) clean += replacement
        else if (kept.has(name)) clean += `<${name}${writeAttributes(name, attributes)}>`
      },
      onclosetag: (name) => {
        if (droppedDepth === 0 && kept.has(name) && !empty.has(name)) clean += `</${name}>`
        if (dropped.has(name)) droppedDepth--
      },
      ontext: (text) => {
        if (droppedDepth === 0) clean += escapeText(text)
      },
    },
    { recognizeSelfClosing: true },
  )
  parser.end(html)
  return clean.trim()
}

const writeAttributes = (name: string, attributes: Readonly<Record<string, string>>): string =>
  (keptAttributes[name] ?? [])
    .flatMap((key) => {
      const value = attributes[key]
      const isAddress = key === 'href' || key === 'src'
      if (value === undefined || (isAddress && !isHarmless(value, key === 'src'))) return []
      return [` ${key}="${escapeAttribute(value)}"`]
    })
    .join('')

const isHarmless = (address: string, isPicture: boolean): boolean =>
  (isPicture ? /^https?:\/\//iu : /^(?:https?:\/\/|mailto:|tel:)/iu).test(address)
