import { crc32 } from 'node:zlib'
import { runWhole } from '../../slices.ts'
import { encodeAccountKey, encodeChecksum, encodeLine, findSteps, readSteps } from './journal-line.ts'
import { NewerVersion } from './sealed-json.ts'
import { isObjectOf, isPosition, isText, type Shape } from './shape.ts'

/**
 * # The file of an account
 *
 * `accounts/…/<user id>.ndjson` holds lines as the journal does (`journal-line.ts`), all under the account's key:
 *
 * - a head: format, version, and the position that the base has;
 * - the base: lines with the steps that make the account of nothing, up to about 64 KiB in each;
 * - a seal;
 * - then any number of times: lines of the journal, byte by byte, and a seal behind them.
 *
 * A seal says up to which write the file holds everything, and has the checksum (crc32) of all lines since the seal
 * before, going on from that one's. What stands behind the last seal that fits was never finished, and counts for nothing.
 */
const format = 'thingsync account'
const version = 1

/** Bytes of steps in a line of a base. */
const lineLength = 64 * 1024

/** What the first line of an account's file says beside whose it is. */
export interface AccountHead {
  readonly position: number
  readonly write: number
}

/** The end of a part of an account's file that holds all of the account's writes up to one. */
export interface Seal {
  readonly write: number
  /** Of the lines since the seal before, going on from its checksum; the first one's from 0. */
  readonly checksum: number
  /** The byte at which these lines begin: 0 for the base. */
  readonly from: number
  /** The checksum of the seal before; 0 for the base. */
  readonly after: number
  /** Where the base ends: the bytes before the first seal. */
  readonly base: number
}

const encodeOwnLine = (userId: string, write: number, steps: string): Buffer =>
  Buffer.concat(runWhole(encodeLine({ write, batch: write, key: encodeAccountKey(userId) }, [Buffer.from(steps)])))

/** The line of a seal. */
export const encodeSeal = (userId: string, { write, checksum, from, after, base }: Seal): Buffer =>
  encodeOwnLine(
    userId,
    write,
    JSON.stringify({ sealed: encodeChecksum(checksum), from, after: encodeChecksum(after), base }),
  )

/** Makes the lines of a file out of steps, each as JSON. */
export interface BaseLines {
  /** Takes a step; gives a line when one is full. */
  readonly take: (step: string) => Buffer | undefined
  /** The last lines, and the seal. */
  readonly end: () => Buffer
}

/** Begins a file; its first line is given with the first one that is full. */
export const beginBase = (userId: string, { position, write }: AccountHead): BaseLines => {
  let checksum = 0
  let base = 0
  let steps = ''
  let isBegun = false

  const note = (bytes: Buffer): Buffer => {
    checksum = crc32(bytes, checksum)
    base += bytes.length
    return bytes
  }

  const flush = (): Buffer => {
    const head = isBegun ? [] : [encodeOwnLine(userId, write, JSON.stringify({ format, version, position }))]
    const lines = steps === '' ? [] : [encodeOwnLine(userId, write, `[${steps}]`)]
    isBegun = true
    steps = ''
    return note(Buffer.concat([...head, ...lines]))
  }

  return {
    take: (step) => {
      steps = steps === '' ? step : `${steps},${step}`
      return steps.length < lineLength ? undefined : flush()
    },
    end: () => {
      const last = flush()
      return Buffer.concat([last, encodeSeal(userId, { write, checksum, from: 0, after: 0, base })])
    },
  }
}

const isHead = isObjectOf({ format: isText, version: isPosition, position: isPosition })
const isHex: Shape = (value) => typeof value === 'string' && /^[0-9a-f]{8}$/.test(value)
const isSeal = isObjectOf({ sealed: isHex, from: isPosition, after: isHex, base: isPosition })
const fromHex = (text: string): number => Number.parseInt(text, 16)

/** What the first line of a file says; or in which way it is none. @throws NewerVersion */
export const readHead = (line: Buffer): number | { readonly damage: string } => {
  const value = readSteps(line)
  if (!isHead(value)) return { damage: 'it does not begin as the file of an account does' }
  const head = value as { readonly format: string; readonly version: number; readonly position: number }
  if (head.format !== format) return { damage: `its format is "${head.format}", not "${format}"` }
  const sentence = `its version is ${head.version}, this program reads version ${version}`
  if (head.version > version) throw new NewerVersion(sentence, undefined)
  return head.version === version ? head.position : { damage: sentence }
}

const sealOpening = Buffer.from('{"sealed":')

/** What a line that `readLine` has read says as a seal; undefined when it is none. */
export const readSeal = (line: Buffer): Omit<Seal, 'write'> | undefined => {
  const steps = findSteps(line)
  if (!steps.subarray(0, sealOpening.length).equals(sealOpening)) return undefined
  const value = readSteps(line)
  if (!isSeal(value)) return undefined
  const { sealed, from, after, base } = value as Readonly<Record<'sealed' | 'after', string>> &
    Pick<Seal, 'from' | 'base'>
  return { checksum: fromHex(sealed), from, after: fromHex(after), base }
}
