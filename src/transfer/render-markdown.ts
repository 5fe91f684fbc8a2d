import { Marked, Tokenizer } from 'marked'
import { FieldWrong } from './fields.ts'
import { sanitiseHtml } from './sanitise-html.ts'

// As GitHub has it: every row gets as many cells as the head, so that a few kilobytes could say gigabytes.
const mostCells = 0x80000
// Each list is read again for those inside it.
const deepestList = 100

let listDepth = 0

const marked = new Marked({
  async: false,
  gfm: true,
  tokenizer: {
    list(source) {
      if (listDepth === deepestList) throw new RangeError('lists inside one another')
      listDepth += 1
      try {
        return Tokenizer.prototype.list.call(this, source)
      } finally {
        listDepth -= 1
      }
    },
    table(source) {
      const [, , marks = '', rows = ''] = this.rules.block.table.exec(source) ?? []
      return marks.split('|').length * rows.split('\n').length > mostCells ? undefined : false
    },
  },
})

const parse = (text: string): string => {
  try {
    return marked.parse(text) as string
  } catch (error) {
    if (error instanceof RangeError) throw new FieldWrong('the note has too many quotes or lists inside one another')
    throw error
  }
}

/** Markdown as the html of a thing. @throws FieldWrong */
export const renderMarkdown = (text: string): string => {
  const html = parse(text)
  const clean = sanitiseHtml(html, (name, { type, checked }) =>
    name === 'input' && type === 'checkbox' ? (checked === undefined ? '☐' : '☑') : undefined,
  )
  // Between blocks line ends say nothing.
  return clean.replace(/>\n+</gu, '><')
}
