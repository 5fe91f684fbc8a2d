/** Where a feed has jumped over what other processes wrote: what the account was in between is not known here. */
export interface Jumps {
  /** Notes a jump; nobody asks for what is below `floor` any more. */
  readonly note: (from: number, to: number, floor: number) => void
  /** True when no jump goes over this position. */
  readonly isStop: (position: number) => boolean
}

interface Jump {
  readonly from: number
  readonly to: number
}

const mostJumps = 4096

/** No jumps. */
export const createJumps = (): Jumps => {
  let jumps: Jump[] = []
  // Of so many that the oldest were dropped nothing is known below the last of those.
  let knownFrom = 0

  return {
    note: (from, to, floor) => {
      if (to - from > 1) jumps.push({ from, to })
      if (jumps.length <= mostJumps) return
      jumps = jumps.filter((jump) => jump.to > floor).slice(-mostJumps / 2)
      knownFrom = jumps[0]?.from ?? to
    },
    isStop: (position) => position >= knownFrom && !jumps.some(({ from, to }) => position > from && position < to),
  }
}
