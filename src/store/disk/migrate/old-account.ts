import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { createIdIndex } from '../../image/id-index.ts'
import type { AccountHead } from '../../record/account-record.ts'
import { type Change, findPosition } from '../../record/change.ts'
import { DamagedFile, showSeal } from '../../record/sealed-json.ts'
import { encodeStep, readChange } from '../../record/write-steps.ts'
import { cutAtLineBreak, readBytes, readPieces } from '../file-lines.ts'
import { withHandle } from '../file-operations.ts'

/**
 * The file of an account as folders before version 5 have it: one JSON object, a head, lists with one item a line, and a
 * checksum of all before its own line, which a person may have taken out.
 */
export interface OldAccount extends AccountHead {
  readonly userId: string
  /** What is in it, as steps of today. @throws DamagedFile, at the latest behind the last one */
  readonly readSteps: () => AsyncGenerator<string>
}

const itemNames = new Map([
  ['things', 'thing'],
  ['tombstones', 'tombstone'],
  ['tags', 'tag'],
  ['records', 'record'],
])

const sealBytes = showSeal(0).length
const headBytes = 64 * 1024

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new DamagedFile('a line in it is no JSON', { cause: error })
    throw error
  }
}

const toChange = (name: string, line: string): Change => {
  const item = parse(line)
  // In version 4 the items of things are steps as they are today.
  const change = readChange({ [name]: item }) ?? (name === 'thing' ? readChange(item) : undefined)
  if (change === undefined) throw new DamagedFile(`a ${name} in it is not complete`)
  return change
}

const readHead = (line: string): Omit<OldAccount, 'readSteps'> => {
  const head = parse(`${line.replace(/,$/, '')}}`) as Partial<Readonly<Record<string, unknown>>>
  const { format, version, userId, position, write = 0 } = head
  if (format !== 'thingsync account' || version !== 1) throw new DamagedFile('it is no file of an account of version 1')
  if (typeof userId !== 'string' || !Number.isSafeInteger(position) || !Number.isSafeInteger(write))
    throw new DamagedFile('its first line is not complete')
  return { userId, position: Number(position), write: Number(write) }
}

/** Reads the lists between head and checksum line by line. */
const createListReader = (last: number) => {
  const lists = new Set<string>()
  const ids = createIdIndex()
  let name: string | undefined
  let position = 0

  const take = (line: string): Change | undefined => {
    if (name === undefined) {
      const [, list = ''] = /^"(\w+)": \[$/.exec(line) ?? []
      name = itemNames.get(list)
      position = 0
      if (name === undefined || lists.has(list)) throw new DamagedFile('a list in it is not what was written')
      lists.add(list)
      return undefined
    }
    if (/^\],?$/.test(line)) {
      name = undefined
      return undefined
    }
    const change = toChange(name, line.replace(/,$/, ''))
    const next = findPosition(change) ?? position
    if (name !== 'record' && (next <= position || next > last)) throw new DamagedFile('its positions do not ascend')
    position = next
    noteId(change)
    return change
  }

  const noteId = (change: Change): void => {
    const id = 'thing' in change ? change.thing.id : 'tombstone' in change ? change.tombstone.id : undefined
    if (id === undefined) return
    const known = ids.size()
    if (ids.take(id) < known) throw new DamagedFile('it holds an id twice')
  }

  return { take, isComplete: () => name === undefined && lists.size === itemNames.size }
}

/** Reads the first line of such a file. @throws DamagedFile, the system's error */
export const openOldAccount = (path: string): Promise<OldAccount> =>
  withHandle(open(path, 'r'), async (handle) => {
    const text = (await readBytes(handle, 0, headBytes)).toString()
    const head = readHead(text.slice(0, Math.max(0, text.indexOf('\n'))))
    return { ...head, readSteps: () => readOldSteps(path, head.position) }
  })

async function* readOldSteps(path: string, last: number): AsyncGenerator<string> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    const seal = (await readBytes(handle, Math.max(0, size - sealBytes), size)).toString('latin1')
    const isSealed = seal.startsWith(showSeal(0).slice(0, '\n"checksum": "'.length))
    const end = isSealed ? size - sealBytes : size
    const lists = createListReader(last)
    let checksum = 0
    let isHead = true
    for await (const piece of readPieces(handle, { start: 0, end }, cutAtLineBreak)) {
      checksum = crc32(piece, checksum)
      for (let at = 0; at < piece.length; ) {
        const found = piece.indexOf('\n', at)
        const lineEnd = found === -1 ? piece.length : found
        const line = piece.toString('utf8', at, lineEnd)
        at = lineEnd + 1
        const change = isHead || line === '}' || line === ']}' ? undefined : lists.take(line)
        isHead = false
        if (change !== undefined) yield encodeStep(change)
      }
    }
    if (isSealed && seal !== showSeal(checksum)) throw new DamagedFile('its checksum does not fit its content')
    if (isSealed && !lists.isComplete()) throw new DamagedFile('a list is missing in it')
  } finally {
    await handle.close()
  }
}
