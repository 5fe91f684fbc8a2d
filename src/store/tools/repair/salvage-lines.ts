/** What can still be read of a file that holds one JSON value a line. */
export interface Salvage {
  /** The members of the first line. */
  readonly head: Readonly<Record<string, unknown>>
  /** What stands in the other lines, in their order; what cannot be read is left out. */
  readonly items: readonly unknown[]
}

const parseLine = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Reads what `encodeSealed` wrote line by line, whatever has become of some of them. */
export const salvageLines = (text: string): Salvage => {
  const [first = '', ...rest] = text.split('\n').map((line) => line.replace(/,$/, ''))
  const head = parseLine(`${first}}`)
  const items = rest.filter((line) => line.startsWith('{')).map(parseLine)
  return {
    head: typeof head === 'object' && head !== null ? { ...head } : {},
    items: items.filter((item) => item !== undefined),
  }
}
