import type { PageRoute } from './page.ts'

/** A route, and what stands where its path has a colon. */
export interface MatchedRoute {
  readonly route: PageRoute
  readonly params: Readonly<Record<string, string>>
}

/** Finds routes by path; what is named without a colon comes first. */
export const createFindRoute = (routes: readonly PageRoute[]): ((path: string) => MatchedRoute | undefined) => {
  const exact = new Map(routes.filter(({ path }) => !path.includes(':')).map((route) => [route.path, route]))
  const open = routes.filter(({ path }) => path.includes(':')).map((route) => ({ route, parts: route.path.split('/') }))
  return (path) => {
    const route = exact.get(path)
    if (route !== undefined) return { route, params: {} }
    const given = path.split('/')
    for (const { route, parts } of open) {
      if (parts.length !== given.length) continue
      const pairs = parts.map((part, at) => [part, given[at] ?? ''] as const)
      if (!pairs.every(([part, text]) => part === text || (part.startsWith(':') && /^[\w.~-]+$/.test(text)))) continue
      const named = pairs.filter(([part]) => part.startsWith(':')).map(([part, text]) => [part.slice(1), text])
      return { route, params: Object.fromEntries(named) }
    }
    return undefined
  }
}
