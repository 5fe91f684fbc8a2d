/** The parts of an absolute address, or undefined where it is none. */
export const parseUrl = (text: string): URL | undefined => {
  // Not URL.canParse: in Node 20 it takes ü for an error once it has been called some thousand times.
  try {
    return new URL(text)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
