/**
 * Thrown when another process writes the data folder, or may do so. What was just written may be found there or not;
 * nothing more may be written by this process.
 */
export class FolderLost extends Error {
  override readonly name = 'FolderLost'

  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause })
  }
}
