const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const unescapes: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' }

/** A note of plain text as HTML: an empty line begins a paragraph. */
export const toNoteHtml = (text: string): string => {
  const plain = text.replace(/\r\n?/gu, '\n').replace(/^\n+|\s+$/gu, '')
  if (plain === '') return ''
  return plain
    .split(/\n{2,}/u)
    .map((paragraph) => paragraph.replace(/[&<>]/gu, (sign) => escapes[sign] ?? sign).replaceAll('\n', '<br>'))
    .map((paragraph) => `<p>${paragraph}</p>`)
    .join('')
}

/** The text of which `toNoteHtml` makes exactly this note; undefined when the note says more than plain text can. */
export const toNoteText = (html: string): string | undefined => {
  const text = html
    .replace(/^<p>|<\/p>$/gu, '')
    .replaceAll('</p><p>', '\n\n')
    .replaceAll('<br>', '\n')
    .replace(/&(amp|lt|gt);/gu, (whole, name: string) => unescapes[name] ?? whole)
  return toNoteHtml(text) === html ? text : undefined
}
