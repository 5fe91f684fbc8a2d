import { type Fault, fault, makeFaults, texts } from './fault.ts'

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}

function decodePercent(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** JSON whose bytes were decoded in pieces: characters across two pieces are lost. */
function decodeInPieces(body: unknown): string {
  const bytes = Buffer.from(JSON.stringify(body))
  const count = Math.ceil(bytes.length / 1001)
  return Array.from({ length: count }, (_none, index) => bytes.toString('utf8', index * 1001, (index + 1) * 1001)).join(
    '',
  )
}

/** Faults in keeping what was sent, character by character (interface 2.1). */
export const encodingFaults: readonly Fault[] = [
  ...makeFaults(
    texts,
    ['utf8-as-latin1', 'reads UTF-8 as Latin-1', (text) => Buffer.from(text, 'utf8').toString('latin1')],
    [
      'emoji-lost',
      'replaces characters outside the basic plane',
      (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?'),
    ],
    ['nfc-normalised', 'normalises text', (text) => text.normalize('NFC')],
    ['html-escaped', 'escapes HTML', escapeHtml],
    ['html-stripped', 'strips HTML of its elements', (text) => text.replace(/<[^>]*>/g, ''), 'html'],
    ['newlines-normalised', 'makes one newline of CR LF', (text) => text.replaceAll('\r\n', '\n')],
    ['text-trimmed', 'trims text', (text) => text.trim()],
    ['percent-decoded-twice', 'decodes percent signs twice', decodePercent],
    ['plus-becomes-space', 'makes a space of a plus', (text) => text.replaceAll('+', ' ')],
    ['backslashes-lost', 'loses backslashes', (text) => text.replaceAll('\\', '')],
    ['title-cut-at-255', 'cuts titles at 255', (text) => text.slice(0, 255), 'title'],
    ['html-cut-at-64k', 'cuts html at 65,535', (text) => text.slice(0, 65_535), 'html'],
    ['tags-lowercased', 'lowers the case of tags', (text) => text.toLowerCase(), 'tags'],
    ['tags-commas', 'separates tags by commas', (text) => text.replaceAll(' ', ','), 'tags'],
  ),
  fault('date-negative-zeroed', 'keeps no date before 1970', { keepDate: (date) => Math.max(0, date) }),
  fault('server-error-now-and-then', 'fails at each fifteenth request', {
    delay: async ({ world: { memory } }) => {
      const count = Number(memory.get('requests') ?? 0) + 1
      memory.set('requests', count)
      if (count % 15 === 0) throw new Error('the database is locked')
    },
  }),
  fault('answer-cut-in-utf8', 'breaks characters of long answers', { encode: decodeInPieces }),
]
