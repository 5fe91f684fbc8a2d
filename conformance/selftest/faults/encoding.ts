import type { Behaviour } from '../server/behaviour.ts'
import type { Fault } from './fault.ts'

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
  {
    id: 'utf8-as-latin1',
    title: 'reads UTF-8 as Latin-1',
    behaviour: texts((text) => Buffer.from(text, 'utf8').toString('latin1')),
  },
  {
    id: 'emoji-lost',
    title: 'replaces characters outside the basic plane',
    behaviour: texts((text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?')),
  },
  { id: 'nfc-normalised', title: 'normalises text', behaviour: texts((text) => text.normalize('NFC')) },
  { id: 'html-escaped', title: 'escapes HTML', behaviour: texts(escapeHtml) },
  {
    id: 'html-stripped',
    title: 'strips HTML of its elements',
    behaviour: texts((text) => text.replace(/<[^>]*>/g, ''), 'html'),
  },
  {
    id: 'newlines-normalised',
    title: 'makes one newline of CR LF',
    behaviour: texts((text) => text.replaceAll('\r\n', '\n')),
  },
  { id: 'text-trimmed', title: 'trims text', behaviour: texts((text) => text.trim()) },
  { id: 'percent-decoded-twice', title: 'decodes percent signs twice', behaviour: texts(decodePercent) },
  { id: 'plus-becomes-space', title: 'makes a space of a plus', behaviour: texts((text) => text.replaceAll('+', ' ')) },
  { id: 'backslashes-lost', title: 'loses backslashes', behaviour: texts((text) => text.replaceAll('\\', '')) },
  { id: 'title-cut-at-255', title: 'cuts titles at 255', behaviour: texts((text) => text.slice(0, 255), 'title') },
  { id: 'html-cut-at-64k', title: 'cuts html at 65,535', behaviour: texts((text) => text.slice(0, 65_535), 'html') },
  { id: 'tags-lowercased', title: 'lowers the case of tags', behaviour: texts((text) => text.toLowerCase(), 'tags') },
  {
    id: 'tags-commas',
    title: 'separates tags by commas',
    behaviour: texts((text) => text.replaceAll(' ', ','), 'tags'),
  },
  {
    id: 'date-negative-zeroed',
    title: 'keeps no date before 1970',
    behaviour: { keepDate: (date) => Math.max(0, date) },
  },
  {
    id: 'server-error-now-and-then',
    title: 'fails at each fifteenth request',
    behaviour: {
      delay: async ({ world: { memory } }) => {
        const count = Number(memory.get('requests') ?? 0) + 1
        memory.set('requests', count)
        if (count % 15 === 0) throw new Error('the database is locked')
      },
    },
  },
  {
    id: 'answer-cut-in-utf8',
    title: 'breaks characters of long answers',
    behaviour: { encode: decodeInPieces },
  },
]
