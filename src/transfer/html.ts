import { type Handler, Parser, type ParserOptions } from 'htmlparser2'
import { maxElementDepth } from './limits.ts'
import { escapeAttribute, escapeText } from './note-html.ts'

/** Returns the open elements of a parser, the innermost first. The list can be changed. */
export const openElements = (parser: Parser): string[] => {
  // A private field. Nothing else limits it, and the time of each tag grows with its length.
  const { stack } = parser as unknown as { readonly stack: string[] }
  return stack
}

/**
 * Creates an HTML parser with at most `maxDepth` open elements. Of deeper elements only the contents remain, so that no
 * text is lost; browsers do the same.
 */
export const createElementParser = (
  handler: Partial<Handler>,
  options: ParserOptions,
  maxDepth = maxElementDepth,
): Parser => {
  let isTooDeep = false
  const parser = new Parser(
    {
      ...handler,
      onopentagname: (name) => {
        const elements = openElements(parser)
        isTooDeep = elements.length > maxDepth
        if (isTooDeep) elements.shift()
        else handler.onopentagname?.(name)
      },
      onopentag: (name, attributes, isImplied) => {
        if (!isTooDeep) handler.onopentag?.(name, attributes, isImplied)
      },
    },
    options,
  )
  return parser
}

const blockElements = new Set([
  'p',
  'div',
  'br',
  'li',
  'tr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'pre',
  'blockquote',
  'ul',
  'ol',
])
const hiddenElements = new Set(['script', 'style', 'template', 'head', 'title'])

/** Converts html to the plain text that a user reads, with an empty line between paragraphs. */
export const readPlainText = (html: string): string => {
  let text = ''
  // Line ends after the text that are not in it yet: a repeated look at its end would take time proportional to its
  // length.
  let breaks = 0
  let hidden = 0
  const isBegun = () => text !== '' || breaks > 0
  const breakLine = (name: string) => {
    if (name === 'br') breaks++
    else if (name === 'p') breaks = isBegun() ? 2 : 0
    else if (blockElements.has(name) && isBegun() && breaks === 0) breaks = 1
  }
  const write = (data: string) => {
    let end = data.length
    while (data[end - 1] === '\n') end--
    if (end > 0) {
      text += '\n'.repeat(breaks) + data.slice(0, end)
      breaks = 0
    }
    breaks += data.length - end
  }
  const handler = {
    onopentagname: (name: string) => {
      if (hiddenElements.has(name)) hidden++
      breakLine(name)
    },
    onclosetag: (name: string) => {
      if (hiddenElements.has(name)) hidden--
      if (name !== 'br') breakLine(name)
    },
    ontext: (data: string) => {
      if (hidden === 0) write(data)
    },
  }
  createElementParser(handler, {}).end(html)
  return text.trim()
}

const allowedElements = new Set(
  'p div br hr h1 h2 h3 h4 h5 h6 b strong i em u s del ins sub sup mark small code pre blockquote ul ol li dl dt dd table thead tbody tfoot tr th td caption a img figure figcaption'.split(
    ' ',
  ),
)
const voidElements = new Set(['br', 'hr', 'img'])
/** These elements are removed with their contents. */
const removedElements = new Set(
  'script style template noscript iframe object embed svg math head title select textarea audio video canvas form'.split(
    ' ',
  ),
)
const allowedAttributes: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title'],
  img: ['src', 'alt', 'title'],
  ol: ['start'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
}

/** Returns HTML that replaces a program-specific element, or undefined for other elements. */
type Replace = (name: string, attributes: Readonly<Record<string, string>>) => string | undefined

/**
 * Sanitizes HTML of another program: only text, its structure, links and pictures remain, without scripts, styles,
 * event handlers and script URLs. Code that shows a note must still sanitize it.
 */
export const sanitizeHtml = (html: string, replace: Replace = () => undefined): string => {
  let clean = ''
  let droppedDepth = 0
  const parser = createElementParser(
    {
      onopentag: (name, attributes) => {
        if (removedElements.has(name)) droppedDepth++
        if (droppedDepth > 0) return
        const replacement = replace(name, attributes)
        if (replacement !== undefined) clean += replacement
        else if (allowedElements.has(name)) clean += `<${name}${writeAttributes(name, attributes)}>`
      },
      onclosetag: (name) => {
        if (droppedDepth === 0 && allowedElements.has(name) && !voidElements.has(name)) clean += `</${name}>`
        if (removedElements.has(name)) droppedDepth--
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
  (allowedAttributes[name] ?? [])
    .flatMap((key) => {
      const value = attributes[key]
      const isUrl = key === 'href' || key === 'src'
      if (value === undefined || (isUrl && !isSafeUrl(value, key === 'src'))) return []
      return [` ${key}="${escapeAttribute(value)}"`]
    })
    .join('')

const isSafeUrl = (url: string, isPicture: boolean): boolean =>
  (isPicture ? /^https?:\/\//iu : /^(?:https?:\/\/|mailto:|tel:)/iu).test(url)
