/** Letters that have no accent that could be taken away, and that people type as others; Σ at the end of a word is ς. */
const alike: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i', ς: 'σ' }

/**
 * Text as it is compared in a search: without case, without the accents of Latin, Greek and Cyrillic letters, and without the
 * vowel signs of Hebrew and Arabic, which few people type.
 */
export const foldText = (text: string): string =>
  // Most text has no accents; the long way costs ten times as much.
  isPlain.test(text)
    ? text.toLowerCase()
    : text
        .toLowerCase()
        .normalize('NFKD')
        .replace(/[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]/gu, '')
        .replace(/[ßæœøłđıς]/gu, (letter) => alike[letter] ?? letter)

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const isPlain = /^[\u0000-\u007f]*$/u

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The words of a note, to be searched; never to be shown. */
export const readNoteText = (html: string): string =>
  html
    .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/giu, ' ')
    .replace(/<[^>]*>/gu, ' ')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/giu, (whole, decimal, hex, name) => {
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole
      return code > 0x10ffff ? whole : String.fromCodePoint(code)
    })
    .replace(/\s+/gu, ' ')
    .trim()
