/** Turns of everybody for whom answers are being sent, so that many of one do not keep the few of another waiting. */
export interface OwnerTurns {
  /** Resolves when the owner may work on one more answer. */
  readonly take: (owner: string) => Promise<void> | undefined
  /** Ends a turn; the owner's next answer in line has it. */
  readonly give: (owner: string) => void
}

/** How many answers of one owner are worked on between two turns of the event loop; the others stand in line. */
export const turnsOfOwner = 2

interface Line {
  atWork: number
  readonly waiting: (() => void)[]
}

/** Nobody is at work. */
export const createOwnerTurns = (most: number = turnsOfOwner): OwnerTurns => {
  const lines = new Map<string, Line>()

  return {
    take: (owner) => {
      const line = lines.get(owner) ?? { atWork: 0, waiting: [] }
      lines.set(owner, line)
      if (line.atWork >= most) return new Promise((start) => line.waiting.push(start))
      line.atWork += 1
      return undefined
    },
    give: (owner) => {
      const line = lines.get(owner)
      if (line === undefined) throw new Error('a turn was ended that nobody had')
      // The place goes to the next in line, so that nobody who comes now can take it.
      const next = line.waiting.shift()
      if (next !== undefined) return next()
      line.atWork -= 1
      if (line.atWork === 0) lines.delete(owner)
    },
  }
}
