import { createSearchHandler, type SearchMessage } from '../search/search.ts'

// The search worker, so that typing and scrolling never wait for a search.
const { port1, port2 } = new MessageChannel()
const waiting: (() => void)[] = []
port1.onmessage = () => waiting.shift()?.()

const handle = createSearchHandler(
  (response) => postMessage(response, { transfer: [response.found.buffer] }),
  // Messages that arrived meanwhile, such as a new keystroke, go first.
  (work) => {
    waiting.push(work)
    port2.postMessage(undefined)
  },
)
addEventListener('message', ({ data }: MessageEvent<SearchMessage>) => handle(data))
