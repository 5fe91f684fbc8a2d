import type { Behaviour } from '../server/behaviour.ts'
import { type Fault, fault } from './fault.ts'

type Field = 'title' | 'tags' | 'url' | 'html'

/** Text of some fields (all when none is named) kept in another way. */
function texts(edit: (text: string) => string, ...fields: readonly Field[]): Partial<Behaviour> {
  return { keepText: (text, field) => (fields.length === 0 || fields.includes(field) ? edit(text) : text) }
}

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
  fault(
    'utf8-as-latin1',
    'reads UTF-8 as Latin-1',
    texts((text) => Buffer.from(text, 'utf8').toString('latin1')),
  ),
  fault(
    'emoji-lost',
    'replaces characters outside the basic plane',
    texts((text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?')),
  ),
  fault(
    'nfc-normalised',
    'normalises text',
    texts((text) => text.normalize('NFC')),
  ),
  fault('html-escaped', 'escapes HTML', texts(escapeHtml)),
  fault(
    'html-stripped',
    'strips HTML of its elements',
    texts((text) => text.replace(/<[^>]*>/g, ''), 'html'),
  ),
  fault(
    'newlines-normalised',
    'makes one newline of CR LF',
    texts((text) => text.replaceAll('\r\n', '\n')),
  ),
  fault(
    'text-trimmed',
    'trims text',
    texts((text) => text.trim()),
  ),
  fault('percent-decoded-twice', 'decodes percent signs twice', texts(decodePercent)),
  fault(
    'plus-becomes-space',
    'makes a space of a plus',
    texts((text) => text.replaceAll('+', ' ')),
  ),
  fault(
    'backslashes-lost',
    'loses backslashes',
    texts((text) => text.replaceAll('\\', '')),
  ),
  fault(
    'title-cut-at-255',
    'cuts titles at 255',
    texts((text) => text.slice(0, 255), 'title'),
  ),
  fault(
    'html-cut-at-64k',
    'cuts html at 65,535',
    texts((text) => text.slice(0, 65_535), 'html'),
  ),
  fault(
    'tags-lowercased',
    'lowers the case of tags',
    texts((text) => text.toLowerCase(), 'tags'),
  ),
  fault(
    'tags-commas',
    'separates tags by commas',
    texts((text) => text.replaceAll(' ', ','), 'tags'),
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
