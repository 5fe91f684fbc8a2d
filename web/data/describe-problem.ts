import { isClientError } from '../../client/src/index.ts'
import type { Words } from '../words/en.ts'

/** Says in a sentence why something could not be done. */
export const describeProblem = (problem: unknown, words: Words): string => {
  const say = words.problem
  if (isClientError(problem) && problem.code in say) {
    const sentence = say[problem.code as keyof typeof say]
    if (typeof sentence === 'string') return sentence
  }
  return say.other(problem instanceof Error ? problem.message : String(problem))
}

/** Says in a sentence why nobody is signed in after a try. */
export const describeSignIn = (problem: unknown, words: Words): string => {
  if (isClientError(problem, 'refused') && problem.error === 'access_denied') return words.front.denied
  if (isClientError(problem, 'network') || isClientError(problem, 'not_offered')) return describeProblem(problem, words)
  return words.front.signInFailed
}

/** Says in a sentence why nothing can be shown. */
export const describeOpening = (problem: unknown, words: Words): string => {
  if (isClientError(problem, 'store_full')) return words.state.full
  if (isClientError(problem, 'store_forbidden')) return words.state.forbidden
  return describeProblem(problem, words)
}
