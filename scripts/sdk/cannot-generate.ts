/** The clients cannot be generated on this machine; the message says what to do. */
export class CannotGenerate extends Error {
  override name = 'CannotGenerate'
}
