/** Rounds that a median needs, however long one takes. */
const leastRounds = 3

/** How long the rounds of one row may go on beyond those, in seconds: a whole run is to end within 12 minutes. */
const mostSeconds = 20

/** Whether a row that was measured so often, in so long a time, is to be measured once more. */
export const needsRound = (measured: number, wanted: number, elapsedSeconds: number): boolean =>
  measured < wanted && (measured < leastRounds || elapsedSeconds < mostSeconds)
