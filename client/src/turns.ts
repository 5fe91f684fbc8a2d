/** Runs one piece of work after the other, in the order in which they were given; a failed one fails its caller only. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Turns of their own. */
export const createTurns = (): InTurn => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next
    return next
  }
}
