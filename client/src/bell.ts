/** Tells one waiting piece of work that there is something to do; rings that nobody waits for are kept as one. */
export interface Bell {
  readonly ring: () => void
  /** Forgets a ring that nobody has heard. */
  readonly clear: () => void
  /** Resolves at the next ring, or at once if there was one; the last caller counts. */
  readonly wait: () => Promise<'rung'>
}

/** A bell that was not rung. */
export const createBell = (): Bell => {
  let isRung = false
  let answer: ((word: 'rung') => void) | undefined
  return {
    ring: () => {
      isRung = answer === undefined
      answer?.('rung')
      answer = undefined
    },
    clear: () => {
      isRung = false
    },
    wait: () =>
      new Promise((resolve) => {
        answer = isRung ? undefined : resolve
        if (isRung) resolve('rung')
        isRung = false
      }),
  }
}
