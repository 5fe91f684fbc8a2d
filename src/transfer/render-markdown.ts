import { Marked } from 'marked'
import { sanitiseHtml } from './sanitise-html.ts'

const marked = new Marked({ async: false, gfm: true })

/** Markdown as the html of a thing. */
export const renderMarkdown = (text: string): string => {
  const html = marked.parse(text) as string
  // Between blocks line ends say nothing.
  return sanitiseHtml(html).replace(/>\n+</gu, '><')
}
