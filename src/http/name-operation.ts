const health: readonly string[] = ['/healthz', '/readyz']

/**
 * What an operation is called where requests are counted, so that clients invent no names: its path for those that there
 * are, with those that wait for changes apart.
 */
export const nameOperation = (path: string, query: string, routes: ReadonlyMap<string, unknown>): string => {
  if (!routes.has(path)) return 'unknown'
  return path === '/sync' && query.includes('wait=') ? 'sync/wait' : path.slice(1)
}

/** The same for what is handed out beside the API: `healthz`, `readyz` or `document`. */
export const nameOpenAddress = (path: string): string =>
  health.find((known) => path.endsWith(known))?.slice(1) ?? 'document'
