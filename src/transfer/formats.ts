import { readCsv, readPocket, writeCsv } from './csv.ts'
import { readEnex } from './evernote.ts'
import { readJson, writeJson } from './json.ts'
import { readKarakeep, readLinkding, readPinboard, readWallabag } from './json-lists.ts'
import { readList } from './list.ts'
import { readMarkdown, writeMarkdown } from './markdown.ts'
import { readNetscape, writeNetscape } from './netscape.ts'
import type { ReadFormat, WriteFormat } from './transfer.ts'

/** All formats that can be read. If several may fit a file, the first one is guessed. */
export const readFormats: readonly ReadFormat[] = [
  readJson,
  readNetscape,
  readEnex,
  readPocket,
  readLinkding,
  readWallabag,
  readPinboard,
  readKarakeep,
  readMarkdown,
  readCsv,
  readList,
]

/** Guesses the format of a file from its first few thousand characters and its name. Undefined if none fits. */
export const guessFormat = (head: string, fileName: string): ReadFormat | undefined =>
  readFormats.find(({ guess }) => guess(head.replace(/^\uFEFF/u, ''), fileName.toLowerCase()))

/** All formats that can be written. */
export const writeFormats: readonly WriteFormat[] = [writeJson, writeNetscape, writeCsv, writeMarkdown]
