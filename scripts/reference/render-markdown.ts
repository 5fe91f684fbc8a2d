import { Marked, type Tokens } from 'marked'

/** A heading of a text, and the fragment by which it is found. */
export interface Heading {
  readonly id: string
  readonly title: string
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const toId = (title: string): string => `about-${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`

/**
 * HTML of a text of the document, and its headings. Tables stand in a box that scrolls by itself, also by the keyboard,
 * so that a narrow page does not.
 */
export const renderMarkdown = (text: string): { readonly html: string; readonly headings: readonly Heading[] } => {
  const headings: Heading[] = []
  const marked = new Marked({ async: false })
  marked.use({
    renderer: {
      code({ text: code }: Tokens.Code) {
        return `<pre tabindex="0">${escapeHtml(code)}</pre>\n`
      },
      heading({ depth, tokens, text: title }: Tokens.Heading) {
        const id = toId(title)
        headings.push({ id, title })
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      table({ header, rows }: Tokens.Table) {
        const row = (cells: readonly Tokens.TableCell[], name: string) =>
          `<tr>${cells.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`).join('')}</tr>`
        const title = headings.at(-1)?.title ?? 'Table'
        const head = `<thead>${row(header, 'th')}</thead>`
        const body = `<tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody>`
        return `<div class="wide" tabindex="0" role="region" aria-label="${title}"><table>${head}${body}</table></div>\n`
      },
    },
  })
  const html = marked.parse(text) as string
  return { html: html.trim(), headings }
}

/** HTML of a text without headings. */
export const renderText = (text: string | undefined): string => (text === undefined ? '' : renderMarkdown(text).html)
