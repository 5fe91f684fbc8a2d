import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { AccountHead } from '../../record/account-record.ts'
import type { Change } from '../../record/change.ts'
import { DamagedFile, showSeal } from '../../record/sealed-json.ts'
import { encodeStep, readChange } from '../../record/write-steps.ts'
import { readBytes, readFileLines } from '../file-lines.ts'
import { withHandle } from '../file-operations.ts'

/**
 * The file of an account as folders before version 5 have it: one JSON object, a head, lists with one item a line, and a
 * checksum of all before its own line, which a person may have taken out.
 */
export interface OldAccount extends AccountHead {
  readonly userId: string
  /**
   * What is in it, as steps of today; whoever reads the file that is made of them judges their order.
   * @throws DamagedFile, at the latest behind the last one
   */
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

const findItemName = (line: string): string => {
  const name = itemNames.get(/^"(\w+)": \[$/.exec(line)?.[1] ?? '')
  if (name === undefined) throw new DamagedFile('a list in it is not what was written')
  return name
}

const readHead = (line: string): Omit<OldAccount, 'readSteps'> => {
  const head = parse(`${line.replace(/,$/, '')}}`) as Partial<Readonly<Record<string, unknown>>>
  const { format, version, userId, position, write = 0 } = head
  if (format !== 'thingsync account' || version !== 1) throw new DamagedFile('it is no file of an account of version 1')
  if (typeof userId !== 'string' || !Number.isSafeInteger(position) || !Number.isSafeInteger(write))
    throw new DamagedFile('its first line is not complete')
  return { userId, position: Number(position), write: Number(write) }
}

/** Reads the first line of such a file. @throws DamagedFile, the system's error */
export const openOldAccount = (path: string): Promise<OldAccount> =>
  withHandle(open(path, 'r'), async (handle) => {
    const text = (await readBytes(handle, 0, headBytes)).toString()
    const head = readHead(text.slice(0, Math.max(0, text.indexOf('\n'))))
    return { ...head, readSteps: () => readOldSteps(path) }
  })

async function* readOldSteps(path: string): AsyncGenerator<string> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    const seal = (await readBytes(handle, Math.max(0, size - sealBytes), size)).toString('latin1')
    const isSealed = seal.startsWith(showSeal(0).slice(0, '\n"checksum": "'.length))
    let checksum = 0
    let name: string | undefined
    for await (const lines of readFileLines(handle, isSealed ? size - sealBytes : size))
      for (const { bytes, whole, start } of lines) {
        checksum = crc32(whole, checksum)
        const line = bytes.toString().replace(/,$/, '')
        if (start === 0 || line === '}' || line === ']}') continue
        if (line === ']') name = undefined
        else if (name !== undefined) yield encodeStep(toChange(name, line))
        else name = findItemName(line)
      }
    if (isSealed && seal !== showSeal(checksum)) throw new DamagedFile('its checksum does not fit its content')
  } finally {
    await handle.close()
  }
}
