import { Parser } from 'htmlparser2'

const breaking = new Set([
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
const unseen = new Set(['script', 'style', 'template', 'head', 'title'])

/** What a person reads of html, as plain text: paragraphs are set apart by an empty line. */
export const readPlainText = (html: string): string => {
  let text = ''
  let hidden = 0
  const breakLine = (name: string) => {
    if (name === 'br') text += '\n'
    else if (name === 'p') text = text === '' ? '' : `${text.replace(/\n+$/u, '')}\n\n`
    else if (breaking.has(name) && text !== '' && !text.endsWith('\n')) text += '\n'
  }
  const parser = new Parser({
    onopentagname: (name) => {
      if (unseen.has(name)) hidden++
      breakLine(name)
    },
    onclosetag: (name) => {
      if (unseen.has(name)) hidden--
      if (name !== 'br') breakLine(name)
    },
    ontext: (data) => {
      if (hidden === 0) text += data
    },
  })
  parser.end(html)
  return text.trim()
}
