import { createElementParser } from './element-parser.ts'

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
  // Line ends behind the text, which are not in it yet: to look at its end again and again takes as long as it is.
  let breaks = 0
  let hidden = 0
  const isBegun = () => text !== '' || breaks > 0
  const breakLine = (name: string) => {
    if (name === 'br') breaks++
    else if (name === 'p') breaks = isBegun() ? 2 : 0
    else if (breaking.has(name) && isBegun() && breaks === 0) breaks = 1
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
      if (unseen.has(name)) hidden++
      breakLine(name)
    },
    onclosetag: (name: string) => {
      if (unseen.has(name)) hidden--
      if (name !== 'br') breakLine(name)
    },
    ontext: (data: string) => {
      if (hidden === 0) write(data)
    },
  }
  createElementParser(handler, {}).end(html)
  return text.trim()
}
