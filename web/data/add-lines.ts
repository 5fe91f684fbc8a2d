/** The line in the field, and those that wait to be added, the oldest first. */
export interface AddLines {
  readonly line: string
  readonly waiting: readonly string[]
}

/** What is shared comes into the field as it is; what stood there is set aside. What is there already comes no second time. */
export const takeShared = ({ line, waiting }: AddLines, shared: string): AddLines => {
  const others = [...waiting, line].filter((other) => other.trim() !== '' && other !== shared)
  return { line: shared, waiting: [...new Set(others)] }
}

/** Takes the oldest line that waits into the field; what stood there waits in its place, behind the others. */
export const takeWaiting = ({ line, waiting }: AddLines): AddLines => {
  const [oldest, ...others] = waiting
  return oldest === undefined ? { line, waiting } : takeShared({ line, waiting: others }, oldest)
}

/** Removes the oldest line that waits, which the person does not want any more. */
export const dropWaiting = ({ line, waiting }: AddLines): AddLines => ({ line, waiting: waiting.slice(1) })

/** The lines that wait, as one draft; a line of a field has no line end in it. */
export const writeWaiting = (waiting: readonly string[]): string => waiting.join('\n')

/** Reads what `writeWaiting` has written. */
export const readWaiting = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '')
