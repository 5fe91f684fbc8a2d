/** Whether a client still waits for its answer, or for more of it. */
export interface Presence {
  readonly closed: boolean
  readonly once: (event: 'close', listener: () => void) => unknown
}

/** The client of a stream of events, as far as one is sent to it. */
export interface EventClient {
  /** Sends text; `onTaken` is called when the connection took it. */
  readonly write: (text: string, onTaken: () => void) => unknown
  /** Ends the answer. */
  readonly end: () => unknown
  /** Breaks the connection off. */
  readonly destroy: () => unknown
}

/** Server-sent events that go on for as long as their client stays. */
export interface EventStream {
  /** Sends the first event, and goes on by itself. */
  readonly begin: (client: EventClient) => void
}

/** An event as it is sent (HTML Living Standard, 9.2): the position is its id and its data. */
export const renderPositionEvent = (position: number): string => `id: ${position}\ndata: {"pos": ${position}}\n\n`

/** What is sent when there is nothing to tell, so that both sides, and what is between them, know that it still works. */
export const keepAliveComment = ':\n\n'
