import type { WriteFormat } from './transfer.ts'
import { writeCsv } from './write-csv.ts'
import { writeJson } from './write-json.ts'
import { writeMarkdown } from './write-markdown.ts'
import { writeNetscape } from './write-netscape.ts'

/** Every format that can be written. */
export const writeFormats: readonly WriteFormat[] = [writeJson, writeNetscape, writeCsv, writeMarkdown]
