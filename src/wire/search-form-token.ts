import { Refused } from '../refused.ts'
import { decodeTexts } from './decode-form.ts'

/** Looks for the access token in a form whose sender is not known, while it arrives. */
export interface TokenSearch {
  /** Looks through the next bytes; gives the first token that is not empty as soon as all of it was there. */
  readonly add: (chunk: Buffer) => string | undefined
  /** The token that the end of the form completes. */
  readonly end: () => string | undefined
}

const name = Buffer.from('access_token')
const ampersand = 0x26
const equals = 0x3d
const percent = 0x25

/** Bytes of a token as it is written; a longer one is none of this server's. */
const maxTokenBytes = 1024

/** Stands for what cannot be a valid token. */
const noToken = ' '

/**
 * A search that goes byte by byte, decodes nothing but a token and the escapes of a name that may be `access_token`, and
 * keeps nothing but a token. Broken escapes elsewhere are no business of its.
 */
export const createTokenSearch = (): TokenSearch => {
  let place: 'name' | 'value' | 'rest' = 'name'
  let matched = 0
  // Those that follow a % in a name, as far as they arrived.
  let digits: string | undefined
  let value: number[] = []

  const beginField = (): void => {
    place = 'name'
    matched = 0
    digits = undefined
    value = []
  }

  const matchByte = (byte: number): void => {
    if (byte === name[matched]) matched++
    else place = 'rest'
  }

  const readNameByte = (byte: number): void => {
    if (digits !== undefined) {
      digits += String.fromCharCode(byte)
      if (digits.length < 2) return
      matchByte(/^[\da-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : -1)
      digits = undefined
    } else if (byte === percent) digits = ''
    else if (byte === equals) place = matched === name.length ? 'value' : 'rest'
    else matchByte(byte)
  }

  const readToken = (): string | undefined => {
    if (place !== 'value' || value.length === 0) return undefined
    return value.length > maxTokenBytes ? noToken : decodeToken(Buffer.from(value))
  }

  return {
    add: (chunk) => {
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at] as number
        if (byte === ampersand) {
          const token = readToken()
          beginField()
          if (token !== undefined) return token
        } else if (place === 'name') readNameByte(byte)
        else if (place === 'value' && value.length <= maxTokenBytes) value.push(byte)
      }
      return undefined
    },
    end: readToken,
  }
}

const decodeToken = (written: Buffer): string => {
  try {
    const [field] = decodeTexts(Buffer.concat([Buffer.from('='), written]), Number.POSITIVE_INFINITY)
    return field?.[1] ?? noToken
  } catch (error) {
    if (error instanceof Refused) return noToken
    throw error
  }
}
