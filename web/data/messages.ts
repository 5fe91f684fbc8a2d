import { isClientError } from '../../client/src/index.ts'
import type { Words } from '../words/en.ts'
import type { AppState } from './open-account.ts'
import { describeUrl } from './urls.ts'

/**
 * Names an item in a list: by its title, or by its URL in words where it has no title of its own. Else the name says that
 * it has no title.
 */
export const nameThing = (
  { title, url }: { readonly title: string; readonly url?: string | null | undefined },
  words: Words,
): string => {
  if (title.trim() !== '' && title !== url) return title
  return url && url.trim() !== '' ? describeUrl(url) : words.row.noTitle
}

/** Describes in a sentence why an action failed. */
export const describeProblem = (problem: unknown, words: Words): string => {
  const texts = words.problem
  if (isClientError(problem) && problem.code in texts) {
    const sentence = texts[problem.code as keyof typeof texts]
    if (typeof sentence === 'string') return sentence
  }
  return texts.other(problem instanceof Error ? problem.message : String(problem))
}

/** Describes in a sentence why a sign-in failed. */
export const describeSignIn = (problem: unknown, words: Words): string => {
  if (isClientError(problem, 'rejected') && problem.error === 'access_denied') return words.front.denied
  if (isClientError(problem, 'network') || isClientError(problem, 'not_offered')) return describeProblem(problem, words)
  return words.front.signInFailed
}

/** Describes in a sentence why the app cannot open. */
export const describeOpening = (problem: unknown, words: Words): string => {
  if (isClientError(problem, 'store_full')) return words.state.full
  if (isClientError(problem, 'store_forbidden')) return words.state.forbidden
  return describeProblem(problem, words)
}

/** The sentence of the state line, its severity, and the action that its button offers. */
interface StateSentence {
  readonly text: string
  readonly tone: 'quiet' | 'heed' | 'bad'
  readonly offer?: 'signIn' | 'tryNow' | 'look'
}

/** Formats a duration in its largest unit: minutes, hours or days. */
const formatDuration = (milliseconds: number, language: string): string => {
  const minutes = milliseconds / 60_000
  const [value, unit] =
    minutes < 60 ? [minutes, 'minute'] : minutes < 2880 ? [minutes / 60, 'hour'] : [minutes / 1440, 'day']
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.round(value))
}

/** Describes in a sentence whether the user's items are safe; the most severe condition wins. */
export const describeState = (state: AppState, words: Words, formatTime: (at: number) => string): StateSentence => {
  const { status, pending, progress, rejected, lastError, nextTryAt } = state
  const texts = words.state
  if (state.storeProblem !== undefined) return { text: texts[state.storeProblem], tone: 'bad' }
  if (status === 'signed_out') {
    const text = pending === 0 ? texts.signedOut : texts.signedOutPending(pending)
    const isSignOutPending = state.isSignOutPending === true
    return { text: isSignOutPending ? `${text} ${texts.signOutPending}` : text, tone: 'heed', offer: 'signIn' }
  }
  if (rejected.length > 0) return { text: texts.rejected(rejected.length), tone: 'bad', offer: 'look' }
  if (status === 'offline') {
    return { text: pending === 0 ? texts.offline : texts.waiting(pending), tone: 'heed', offer: 'tryNow' }
  }
  if (isClientError(lastError) && lastError.code !== 'network') {
    const isBusy = lastError.retryAfterSeconds !== undefined && nextTryAt !== undefined
    const text = isBusy ? texts.busy(formatTime(nextTryAt)) : texts.troubled(lastError.description ?? '', pending)
    return { text, tone: 'heed', offer: 'tryNow' }
  }
  // Small responses arrive all the time. Only a long listing is worth a sentence.
  if (progress !== undefined && (progress.thingCount ?? progress.listed) > 200) {
    return { text: texts.listing(progress.listed, progress.thingCount), tone: 'quiet' }
  }
  if (pending > 0) return { text: texts.sending(pending), tone: 'quiet' }
  if (status === 'connecting' && state.syncedAt === undefined) return { text: texts.connecting, tone: 'quiet' }
  if (state.clockAhead !== undefined) {
    const { clockAhead } = state
    const by = formatDuration(Math.abs(clockAhead), words.code)
    return { text: clockAhead > 0 ? texts.clockAhead(by) : texts.clockBehind(by), tone: 'heed' }
  }
  return { text: texts.saved, tone: 'quiet' }
}
