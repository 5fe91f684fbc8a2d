const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/** Text for the content of an HTML element. */
export const escapeText = (text: string): string => text.replace(/[&<>\r]/gu, (sign) => escapes[sign] ?? sign)

/** Text for the value of an HTML attribute between double quotes. */
export const escapeAttribute = (text: string): string => text.replace(/[&<>"\r]/gu, (sign) => escapes[sign] ?? sign)

/** Plain text as the html of a thing: an empty line begins a paragraph. `''` for white space alone. */
export const toNoteHtml = (text: string): string => {
  const plain = text.replace(/\r\n?/gu, '\n').trimEnd().replace(/^\n+/u, '')
  if (plain === '') return ''
  const paragraphs = plain.split(/\n{2,}/u).map((part) => escapeText(part).replaceAll('\n', '<br>'))
  return paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('')
}
