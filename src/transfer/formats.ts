import { readCsv } from './csv-format.ts'
import { readEnex } from './read-enex.ts'
import { readJson } from './read-json.ts'
import { readKarakeep } from './read-karakeep.ts'
import { readLinkding } from './read-linkding.ts'
import { readList } from './read-list.ts'
import { readMarkdown } from './read-markdown.ts'
import { readNetscape } from './read-netscape.ts'
import { readPinboard } from './read-pinboard.ts'
import { readPocket } from './read-pocket.ts'
import { readWallabag } from './read-wallabag.ts'
import type { ReadFormat } from './transfer.ts'

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
