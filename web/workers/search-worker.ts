import { createSearchHandler, type SearchMessage } from '../search/search.ts'

// The worker that searches, so that typing and scrolling never wait for it.
const { port1, port2 } = new MessageChannel()
const waiting: (() => void)[] = []
port1.onmessage = () => waiting.shift()?.()

const take = createSearchHandler(
  (answer) => postMessage(answer, { transfer: [answer.found.buffer] }),
  // Messages that came meanwhile go first, which a new key is.
  (work) => {
    waiting.push(work)
    port2.postMessage(undefined)
  },
)
addEventListener('message', ({ data }: MessageEvent<SearchMessage>) => take(data))
