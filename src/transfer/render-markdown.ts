import { Marked } from 'marked'
import { sanitiseHtml } from './sanitise-html.ts'

const marked = new Marked({ async: false, gfm: true })

/** Markdown as the html of a thing. */
export const renderMarkdown = (text: string): string => {
  const html = marked.parse(text) as string
  const clean = sanitiseHtml(html, (name, { type, checked }) =>
    name === 'input' && type === 'checkbox' ? (checked === undefined ? '☐' : '☑') : undefined,
  )
  // Between blocks line ends say nothing.
  return clean.replace(/>\n+</gu, '><')
}
