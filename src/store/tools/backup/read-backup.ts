import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { isSystemError } from '../../disk/file-operations.ts'
import { type BackupEnd, type BackupHead, createTally, findKind, type ItemCounts } from '../../record/backup-lines.ts'
import { parseJson } from '../../record/parse-json.ts'
import { isObjectOf, isOneOf, isPosition, isText } from '../../record/shape.ts'
import { BackupRefused } from './backup-refused.ts'

const isHeadShape = isObjectOf({ format: isOneOf('thingsync backup'), version: isPosition, createdAt: isPosition })
const isHead = (value: unknown): value is Omit<BackupHead, 'version'> & { readonly version: number } =>
  isHeadShape(value)

const isEndShape = isObjectOf({ end: isObjectOf({}), sha256: isText })
const isEnd = (value: unknown): value is BackupEnd => isEndShape(value)

/** What a whole backup holds. */
export interface BackupSummary {
  /** Unix time in seconds. */
  readonly createdAt: number
  readonly counts: ItemCounts
}

const areSame = (a: ItemCounts, b: ItemCounts): boolean =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort())

/**
 * The items of a backup, as lines without line breaks. Whether the backup is whole is known when the last one was given:
 * read it once to its end before you use it.
 * @throws BackupRefused when it is no backup, of a later version, damaged or cut off
 */
export async function* readBackup(file: string): AsyncGenerator<string, BackupSummary, undefined> {
  const refuse = (reason: string): BackupRefused => new BackupRefused(`backup: ${file} ${reason}; nothing was restored`)
  const lines = readLines(file)
  try {
    const first = (await lines.next()).value ?? ''
    const head = parseJson(first)
    if (!isHead(head)) throw refuse('is no backup of thingsync')
    if (head.version !== 1 && head.version !== 2)
      throw refuse(`is of version ${head.version}, this program reads versions 1 and 2`)
    const tally = createTally(first)
    let end: unknown
    for await (const line of lines) {
      if (end !== undefined) throw refuse('goes on after its end')
      if (findKind(line) === 'end') {
        end = parseJson(line)
        continue
      }
      tally.add(line)
      yield line
    }
    if (end === undefined) throw refuse('is cut off before its end')
    if (!isEnd(end) || end.sha256 !== tally.sha256() || !areSame(end.end, tally.counts()))
      throw refuse('is damaged: its checksum does not fit its content')
    return { createdAt: head.createdAt, counts: end.end }
  } catch (error) {
    const code = isSystemError(error) ? error.code : undefined
    if (code === 'ENOENT') throw refuse('does not exist')
    if (code === 'EISDIR') throw refuse('is a folder')
    if (code === 'Z_BUF_ERROR') throw refuse('is cut off before its end')
    if (code?.startsWith('Z_') && !isHeaderProblem(error)) throw refuse('is damaged: gzip cannot read it')
    if (code?.startsWith('Z_')) throw refuse('is no gzip file')
    if (isSystemError(error)) throw refuse(`cannot be read: ${error.message}`)
    throw error
  }
}

/** Reads a backup to its end, and says what is in it. @throws BackupRefused when it is not whole */
export const sumUpBackup = async (file: string): Promise<BackupSummary> => {
  const lines = readBackup(file)
  while (true) {
    const { done, value } = await lines.next()
    if (done) return value
  }
}

const isHeaderProblem = (error: unknown): boolean => error instanceof Error && error.message.includes('header')

/** Splits at line breaks only: `node:readline` also splits at U+2028, which may stand in a JSON text. */
async function* readLines(file: string): AsyncGenerator<string, void, undefined> {
  const handle = await open(file, 'r')
  // What fails reaches whoever reads the last stream.
  const text = pipeline(handle.createReadStream(), createGunzip(), () => undefined).setEncoding('utf8')
  let begun: string[] = []
  for await (const chunk of text as AsyncIterable<string>) {
    const [first = '', ...rest] = chunk.split('\n')
    begun.push(first)
    const last = rest.pop()
    if (last === undefined) continue
    yield begun.join('')
    yield* rest
    begun = [last]
  }
  const last = begun.join('')
  if (last !== '') yield last
}
