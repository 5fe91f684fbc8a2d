const mostEdits = 2

/**
 * The known name that an unknown one was probably meant to be, or undefined. Names up to five letters long may differ
 * by one letter (added, missing, other, or two swapped), longer ones by two.
 */
export function findNearestName(unknown: string, known: readonly string[]): string | undefined {
  const near = known
    // Counting takes a step for each pair of letters, and an unknown name may be of any length.
    .filter((name) => Math.abs(name.length - unknown.length) <= mostEdits)
    .map((name) => ({ name, distance: countEdits(unknown, name) }))
    .filter(({ name, distance }) => distance <= (name.length <= 5 ? 1 : mostEdits))
  return near.sort((a, b) => a.distance - b.distance)[0]?.name
}

function countEdits(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      )
    }
    beforeLast = last
    last = current
  }
  return last[to.length] ?? 0
}
