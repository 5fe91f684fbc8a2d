/** Tells whether a client still waits for its response, or for more of it. */
export interface Presence {
  readonly closed: boolean
  readonly once: (event: 'close', listener: () => void) => unknown
}

/** The client of an event stream. */
export interface EventClient {
  /** Sends text; `onTaken` is called when the connection has accepted it. */
  readonly write: (text: string, onTaken: () => void) => unknown
  /** Ends the response. */
  readonly end: () => unknown
  /** Closes the connection without ending the response. */
  readonly destroy: () => unknown
}

/** A stream of server-sent events (SSE), which lasts as long as its client. */
export interface EventStream {
  /** Sends the first event, and later ones as they happen. */
  readonly begin: (client: EventClient) => void
}

/** Renders an event (HTML Living Standard, 9.2): the position is its id and its data. */
export const renderPositionEvent = (position: number): string => `id: ${position}\ndata: {"pos": ${position}}\n\n`

/** The comment that a silent stream sends, so that client, server and proxies see that the connection still works. */
export const keepAliveComment = ':\n\n'
