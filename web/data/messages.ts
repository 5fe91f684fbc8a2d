import { isClientError } from '../../client/src/index.ts'
import type { Words } from '../words/en.ts'
import type { AppState } from './open-account.ts'

/** What stands for a thing in a list: its title, else its address, else words that say that it has none. */
export const nameThing = (
  { title, url }: { readonly title: string; readonly url?: string | null | undefined },
  words: Words,
): string => [title, url ?? ''].find((name) => name.trim() !== '') ?? words.row.noTitle

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

/** What the state line says, and what can be done about it. */
interface StateSentence {
  readonly text: string
  readonly tone: 'quiet' | 'heed' | 'bad'
  readonly offer?: 'signIn' | 'tryNow' | 'look'
}

/** A length of time in its largest unit. */
const formatDuration = (milliseconds: number, language: string): string => {
  const minutes = milliseconds / 60_000
  const [value, unit] =
    minutes < 60 ? [minutes, 'minute'] : minutes < 2880 ? [minutes / 60, 'hour'] : [minutes / 1440, 'day']
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.round(value))
}

/** Says in a sentence whether a person's things are safe; the gravest first. */
export const describeState = (state: AppState, words: Words, formatTime: (at: number) => string): StateSentence => {
  const { status, pending, progress, refused, lastError, nextTryAt } = state
  const say = words.state
  if (state.storeProblem !== undefined) return { text: say[state.storeProblem], tone: 'bad' }
  if (state.isElsewhere === true) return { text: say.elsewhere, tone: 'heed' }
  if (status === 'signed_out') {
    const text = pending === 0 ? say.signedOut : say.signedOutPending(pending)
    return { text: state.isLeaving === true ? `${text} ${say.leaving}` : text, tone: 'heed', offer: 'signIn' }
  }
  if (refused.length > 0) return { text: say.refused(refused.length), tone: 'bad', offer: 'look' }
  if (status === 'offline') {
    return { text: pending === 0 ? say.offline : say.waiting(pending), tone: 'heed', offer: 'tryNow' }
  }
  if (isClientError(lastError) && lastError.code !== 'network') {
    const isBusy = lastError.retryAfterSeconds !== undefined && nextTryAt !== undefined
    const text = isBusy ? say.busy(formatTime(nextTryAt)) : say.troubled(lastError.description ?? '', pending)
    return { text, tone: 'heed', offer: 'tryNow' }
  }
  // Small answers come all the time; only a listing that takes a while is worth a sentence.
  if (progress !== undefined && (progress.thingCount ?? progress.listed) > 200) {
    return { text: say.listing(progress.listed, progress.thingCount), tone: 'quiet' }
  }
  if (pending > 0) return { text: say.sending(pending), tone: 'quiet' }
  if (status === 'connecting' && state.syncedAt === undefined) return { text: say.connecting, tone: 'quiet' }
  if (state.clockAhead !== undefined) {
    const { clockAhead } = state
    const by = formatDuration(Math.abs(clockAhead), words.code)
    return { text: clockAhead > 0 ? say.clockAhead(by) : say.clockBehind(by), tone: 'heed' }
  }
  return { text: say.saved, tone: 'quiet' }
}
