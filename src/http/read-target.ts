/** What a request asks for. */
export interface Target {
  readonly path: string
  /** Without the `?`. */
  readonly query: string
  /** The authority of an absolute form, which counts in the place of the Host header (RFC 9112, 3.2.2). */
  readonly host?: string
}

// With an authority and a path: the forms that a client sends to a proxy, and servers have to take (RFC 9112, 3.2.2).
const absoluteForm = /^https?:\/\/[^/?#]+(?=\/)/i

/**
 * Path and query of a request target in origin form (`/v1/sync?from=1`) or in absolute form; undefined for any other
 * (RFC 9112, 3.2), among them an absolute form without a path, from which Koa and Node's own parser read null or throw,
 * and anything with a fragment, which no client sends and which a proxy in front may take for a part of the path.
 */
export const readTarget = (target: string): Target | undefined => {
  const start = target.startsWith('/') ? 0 : (absoluteForm.exec(target)?.[0].length ?? -1)
  if (start < 0 || target.includes('#')) return undefined
  const host = start === 0 ? {} : { host: target.slice(target.indexOf('//') + 2, start) }
  const mark = target.indexOf('?', start)
  if (mark < 0) return { path: target.slice(start), query: '', ...host }
  return { path: target.slice(start, mark), query: target.slice(mark + 1), ...host }
}
