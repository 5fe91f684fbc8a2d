import { readJson } from './read-json.ts'
import { readNetscape } from './read-netscape.ts'
import type { ReadFormat, WriteFormat } from './transfer.ts'
import { writeJson } from './write-json.ts'
import { writeNetscape } from './write-netscape.ts'

/** Every format that can be read; of two that may fit a file the first is guessed. */
export const readFormats: readonly ReadFormat[] = [readJson, readNetscape]

/** Every format that can be written. */
export const writeFormats: readonly WriteFormat[] = [writeJson, writeNetscape]

/** The format of a file, from its first characters (a few thousand) and its name; undefined when none fits. */
export const guessFormat = (head: string, fileName: string): ReadFormat | undefined =>
  readFormats.find(({ guess }) => guess(head.replace(/^\uFEFF/u, ''), fileName.toLowerCase()))
