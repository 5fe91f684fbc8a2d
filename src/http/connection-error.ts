const codes: ReadonlySet<unknown> = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
])

/** True for an error that says that a connection broke: the other side went away, or the network did. */
export const isConnectionError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && codes.has(error.code)
