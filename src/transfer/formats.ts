import { readCsv, readPocket, writeCsv } from './csv.ts'
import { readEnex } from './evernote.ts'
import { readJson, writeJson } from './json.ts'
import { readKarakeep, readLinkding, readPinboard, readWallabag } from './json-lists.ts'
import { readList } from './list.ts'
import { readMarkdown, writeMarkdown } from './markdown.ts'
import { readNetscape, writeNetscape } from './netscape.ts'
import type { ReadFormat, WriteFormat } from './transfer.ts'

/** Every format that can be read; of two that may fit a file the first is guessed. */
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

/** The format of a file, from its first characters (a few thousand) and its name; undefined when none fits. */
export const guessFormat = (head: string, fileName: string): ReadFormat | undefined =>
  readFormats.find(({ guess }) => guess(head.replace(/^\uFEFF/u, ''), fileName.toLowerCase()))

/** Every format that can be written. */
export const writeFormats: readonly WriteFormat[] = [writeJson, writeNetscape, writeCsv, writeMarkdown]
