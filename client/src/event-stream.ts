import { ClientError } from './client-error.ts'
import { readChunks } from './read-chunks.ts'

/** An event of a stream, or only a sign that the server is there (a comment). */
export type StreamedEvent =
  | { readonly kind: 'event'; readonly type: string; readonly id: string; readonly data: string }
  | { readonly kind: 'comment' }

/** No event of any operation comes near this; what does is no stream of events. */
const mostHeldCharacters = 1_000_000

/** Cuts `text/event-stream` (WHATWG HTML, 9.2), which arrives cut anywhere, into events. */
export const createEventSplitter = () => {
  /** The line that has no end yet, as it came: it is not looked through again with each bit. */
  let rest: string[] = []
  let restCharacters = 0
  let dataCharacters = 0
  let isFirst = true
  let endedWithReturn = false
  let type = ''
  let id = ''
  let data: string[] = []

  const takeLine = (line: string): StreamedEvent | undefined => {
    if (line === '') {
      const event = { kind: 'event', type: type || 'message', id, data: data.join('\n') } as const
      const isEmpty = data.length === 0
      type = ''
      data = []
      dataCharacters = 0
      return isEmpty ? undefined : event
    }
    if (line.startsWith(':')) return { kind: 'comment' }
    const [, name = line, value = ''] = /^([^:]*): ?(.*)$/s.exec(line) ?? []
    if (name === 'event') type = value
    else if (name === 'data') {
      data.push(value)
      dataCharacters += value.length + 1
      if (dataCharacters > mostHeldCharacters) throw new ClientError('unexpected_answer', 'an event has no end')
    } else if (name === 'id' && !value.includes('\0')) id = value
    return undefined
  }
  const clean = (text: string): string => {
    const begun = isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text
    // The other half of a line end.
    const cleaned = endedWithReturn && begun.startsWith('\n') ? begun.slice(1) : begun
    isFirst = isFirst && text === ''
    if (text !== '') endedWithReturn = text.endsWith('\r')
    return cleaned
  }
  /** Takes the next bit and gives what it completes; an event that no empty line ends never counts. */
  return (text: string): StreamedEvent[] => {
    const lines = clean(text).split(/\r\n|\n|\r/)
    const last = lines.pop() ?? ''
    if (lines[0] !== undefined) {
      lines[0] = rest.join('') + lines[0]
      rest = []
      restCharacters = 0
    }
    if (last !== '') rest.push(last)
    restCharacters += last.length
    if (restCharacters > mostHeldCharacters)
      throw new ClientError('unexpected_answer', 'a line of the stream has no end')
    return lines.map(takeLine).filter((event) => event !== undefined)
  }
}

/**
 * Reads a stream of events until it ends; an abort ends the connection, and so does breaking off the iteration.
 * @throws ClientError `network` when the connection breaks, and the reason of the signal
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<StreamedEvent, void> {
  const split = createEventSplitter()
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  for await (const chunk of readChunks(body, signal)) yield* split(decoder.decode(chunk, { stream: true }))
}
