import { type Connection, withDelays } from './connection.ts'
import { isRacing, type Plan } from './plan.ts'
import { type Failure, playOnce } from './play-once.ts'
import { precedesInPlan } from './precedence.ts'
import { shrinkPlan } from './shrink-plan.ts'

/** Longest time that is spent on making a failed history smaller. */
const shrinkMs = 8000

/** Longest delay before a request of a race that is played again: its script, with a program for each request, is no faster. */
const mostDelayMs = 12

/** Repetitions by which the smallest history is confirmed. */
export const confirmations = 5

/** The smallest history that goes wrong, and how many of its `confirmations` repetitions did. */
export interface Explanation {
  readonly smallest: Failure
  readonly again: number
}

/**
 * Plays a failed history again, makes it as small as it gets, and repeats the smallest. `mark` gives a fresh mark each
 * time, `random` the delays.
 */
export const explainFailure = async (
  first: Failure,
  connection: Connection,
  mark: () => string,
  random: () => number,
): Promise<Explanation> => {
  const deadline = performance.now() + shrinkMs
  const isOver = (): boolean => performance.now() > deadline
  let smallest = first
  const playAgain = (plan: Plan): Promise<Failure | undefined> =>
    playOnce(plan, isRacing(plan) ? withDelays(connection, mostDelayMs, random) : connection, mark(), precedesInPlan)

  const fails = async (plan: Plan): Promise<boolean> => {
    // A race is not won every time; one that is won too seldom is of no use to anybody.
    let missing = isRacing(plan) ? 2 : 1
    for (let tries = isRacing(plan) ? 3 : 2; tries >= missing && !isOver(); tries -= 1) {
      const failure = await playAgain(plan)
      if (failure !== undefined) missing -= 1
      if (failure === undefined || missing > 0) continue
      smallest = failure
      return true
    }
    return false
  }

  const upToAnomaly = first.plan.filter((planned) => planned.round <= first.anomaly.event.round)
  await shrinkPlan((await fails(upToAnomaly)) ? upToAnomaly : first.plan, fails, isOver)
  let again = 0
  for (let left = confirmations; left > 0; left -= 1) {
    if ((await playAgain(smallest.plan)) !== undefined) again += 1
  }
  return { smallest, again }
}
