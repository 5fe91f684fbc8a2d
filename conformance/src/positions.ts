import type { Pair } from './form.ts'

/**
 * Positions as numbers that JavaScript can hold exactly (interface 2.3 says "a number", and a server may count beyond 2^53
 * or with many decimals). One that can't be held stands for itself as its distance from the first such one; on the wire
 * it is written as the server wrote it, so that nothing is rounded.
 */
export interface Positions {
  /** The text of an answer in which each `pos` can be read exactly. */
  readonly readable: (text: string) => string
  /** Parameters as they go over the wire. */
  readonly written: (pairs: readonly Pair[]) => readonly Pair[]
  /** A JSON body as it goes over the wire. */
  readonly writtenJson: (body: string) => string
  /** The position that the others are told as distances from. */
  readonly base: () => string | undefined
}

/** Smaller ones are what a rule makes up: the beginning, or a position long ago. */
const least = 1000

/** Decimals that are kept; a difference with more of them would not fit either. */
const decimals = 6

/** Positions up to here are taken as numbers; a server that crosses 2^53 during a run is beyond it from the start. */
const largest = 2 ** 52

const scale = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(`${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`)
}

/** Makes a translation that knows no position yet. */
export const createPositions = (): Positions => {
  const texts = new Map<string, string>()
  let base: string | undefined

  const translate = (text: string): string => {
    const number = Number(text)
    if (Math.abs(number) <= largest) {
      // Rounded like all its neighbours, so that the order stays; on the wire it is written as it came.
      if (text.length > String(least).length) texts.set(String(number), text)
      return String(number)
    }
    base ??= text
    const distance = Number(scale(text) - scale(base)) / 10 ** decimals + least
    texts.set(String(distance), text)
    return String(distance)
  }
  const write = (value: string): string => {
    const known = texts.get(value)
    if (known !== undefined || base === undefined) return known ?? value
    // A later position than any that was given, which a rule makes up.
    const isMadeUp = /^\d+$/.test(value) && Number(value) > least
    return isMadeUp ? String(BigInt(base.split('.')[0] ?? '0') + BigInt(value) - BigInt(least)) : value
  }
  return {
    readable: (text) =>
      text.replace(
        /("pos"\s*:\s*)(\d+(?:\.\d+)?)(?=\s*[,}])/g,
        (_, name: string, value: string) => name + translate(value),
      ),
    written: (pairs) => pairs.map(([name, value]) => [name, name === 'from' ? write(value) : value]),
    writtenJson: (body) =>
      body.replace(/("from"\s*:\s*)(\d+(?:\.\d+)?)/g, (_, name: string, value: string) => name + write(value)),
    base: () => base,
  }
}
