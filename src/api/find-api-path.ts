/**
 * The path of an operation (`/thing/add`) in the path of a request: what follows the whole base path, or `/v1/` for a
 * proxy that takes the prefix away. Undefined when it is below neither.
 */
export const findApiPath = (path: string, basePath: string): string | undefined => {
  for (const base of [basePath, '/v1/']) {
    if (path.startsWith(base)) return `/${path.slice(base.length)}`
  }
  return undefined
}
