/** Up to three of `known` that a person who typed `word` may have meant, nearest first; none when nothing is close. */
export function findNearMatches(word: string, known: readonly string[]): string[] {
  const wanted = word.toUpperCase()
  const scored = known.map((candidate) => ({ candidate, distance: score(wanted, candidate.toUpperCase()) }))
  return scored
    .filter(({ distance }) => distance <= Math.max(2, Math.ceil(wanted.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

/** The sentence part that offers near matches, or nothing. */
export function offerNearMatches(word: string, known: readonly string[]): string {
  const near = findNearMatches(word, known)
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`
}

function score(wanted: string, candidate: string): number {
  if (wanted.length > 2 && candidate.includes(wanted)) return 0
  return editDistance(wanted, candidate)
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
