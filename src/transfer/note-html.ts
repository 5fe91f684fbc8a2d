const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/** Escapes text for the content of an HTML element. */
export const escapeText = (text: string): string => text.replace(/[&<>\r]/gu, (sign) => escapes[sign] ?? sign)

/** Escapes text for the value of an HTML attribute between double quotes. */
export const escapeAttribute = (text: string): string => text.replace(/[&<>"\r]/gu, (sign) => escapes[sign] ?? sign)

/** Converts plain text to the HTML of a note: an empty line starts a paragraph. Returns `''` for white space. */
export const toNoteHtml = (text: string): string => {
  const plain = text
    .replace(/\r\n?/gu, '\n')
    .trimEnd()
    .replace(/^(?:[^\S\n]*\n)+/u, '')
  if (plain === '') return ''
  const paragraphs = plain.split(/\n\s*\n/u).map((part) => escapeText(part).replaceAll('\n', '<br>'))
  return paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('')
}
