/** A text, and when it was typed: the latest of several copies is the one that counts. */
export interface StampedText {
  /** Milliseconds since 1970, and always later than that of the text before. */
  readonly at: number
  /** Empty where a draft was removed, which an older copy must not undo. */
  readonly text: string
}

// No key types this character.
const mark = '\u0000'

/** The text with its stamp, as one text. */
export const writeStamped = ({ at, text }: StampedText): string => `${mark}${at}${mark}${text}`

/** Reads what `writeStamped` has written; undefined when it was something else that wrote it. */
export const readStamped = (written: string): StampedText | undefined => {
  const [before, at, ...rest] = written.split(mark)
  return before === '' && at !== undefined ? { at: Number(at), text: rest.join(mark) } : undefined
}

/** The later one of two copies. */
export const laterOf = (one: StampedText | undefined, other: StampedText | undefined): StampedText | undefined =>
  one === undefined || (other !== undefined && other.at > one.at) ? other : one
