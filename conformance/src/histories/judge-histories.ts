import { Finding, Inapplicable } from '../finding.ts'
import type { Lab } from '../lab.ts'
import { createRandom } from '../random.ts'
import { createChoices } from './choices.ts'
import { confirmations, explainFailure } from './explain-failure.ts'
import { openLabConnection } from './lab-connection.ts'
import { makePlan } from './make-plan.ts'
import type { Mix } from './mix.ts'
import { playOnce } from './play-once.ts'
import { tellStory } from './tell-story.ts'
import { writeScript } from './write-script.ts'

/** Part of the time that is left that one rule's histories may take; there are four or five of them. */
const shareOfBudget = 0.25

/**
 * Plays `count` random histories of the mix, the same ones for the same seed and name. Throws a Finding with the story of the
 * smallest history that goes wrong, and with a shell script that shows it again; an Inapplicable when none is asked for.
 */
export const judgeHistories = async (lab: Lab, name: string, mix: Mix, count: number): Promise<void> => {
  if (count === 0) throw new Inapplicable('no histories were asked for')
  const connection = openLabConnection(lab)
  const { seed } = lab.options
  const started = performance.now()
  const mostMs = lab.options.remainingMs() * shareOfBudget
  for (let index = 0; index < count; index += 1) {
    // A slow server is judged by fewer histories, never by none.
    if (index > 0 && ((performance.now() - started) / index) * (index + 1) > mostMs) return
    const choices = createChoices(createRandom(`${seed} ${name} ${index}`))
    const failure = await playOnce(makePlan(mix, choices), connection, lab.unique())
    if (failure === undefined) continue
    const { smallest, again } = await explainFailure(failure, connection, lab.unique, lab.random)
    const { kind, event, expected, actual } = smallest.anomaly
    const repeated = `history ${index + 1} of seed ${seed}; of ${confirmations} repetitions ${again} went wrong`
    const story = [...tellStory(smallest.trace), `line ${event.number}: ${kind}`, repeated].join('\n')
    throw new Finding(expected, `${actual}\n${story}`, event.exchange, writeScript(smallest))
  }
}
