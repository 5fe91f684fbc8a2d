import { createSearchAnswerer } from './answer-searches.ts'
import type { SearchMessage } from './search.ts'

// The worker that searches, so that typing and scrolling never wait for it.
const answer = createSearchAnswerer()
addEventListener('message', ({ data }: MessageEvent<SearchMessage>) => {
  const found = answer(data)
  if (found !== undefined) postMessage(found, { transfer: [found.found.buffer] })
})
