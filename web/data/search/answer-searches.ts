import type { SearchAnswer, SearchMessage } from './search.ts'
import { createSearchIndex, type SearchRun } from './search-index.ts'

// Of a key that is answered within a frame nobody sees that it took two.
const firstMilliseconds = 12
const nextMilliseconds = 16

/** Carries out messages on an index of its own; `answer` is told what searches find, `later` calls back in a while. */
export const createSearchAnswerer = (
  answer: (found: SearchAnswer) => void,
  later: (work: () => void) => void,
  now?: () => number,
): ((message: SearchMessage) => void) => {
  const index = createSearchIndex(now)
  let current: { readonly call: number; readonly run: SearchRun } | undefined
  let hasAnswered = false

  const goOn = (milliseconds: number) => {
    if (current === undefined) return
    const { call, run } = current
    const isWhole = run.look(milliseconds)
    const found = run.found()
    if (isWhole) current = undefined
    // What comes first is what is seen; all of the rest comes together.
    const isFirst = !hasAnswered && found.length > 0
    hasAnswered ||= isFirst
    if (isWhole || isFirst) answer({ call, found, isWhole, isLast: isWhole })
    if (!isWhole) later(() => current?.call === call && goOn(nextMilliseconds))
  }
  const end = () => {
    if (current !== undefined) answer({ call: current.call, found: current.run.found(), isWhole: false, isLast: true })
    current = undefined
  }
  return (message) => {
    if (message.kind === 'search') {
      end()
      hasAnswered = false
      current = { call: message.call, run: index.begin(message.query) }
      goOn(firstMilliseconds)
      return
    }
    // What is looked through may not change under a search.
    while (current !== undefined) goOn(nextMilliseconds)
    if (message.kind === 'put') index.put(message.things)
    else if (message.kind === 'putPart') index.putPart(message.numbers, message.part)
    else index.remove(message.numbers)
  }
}
