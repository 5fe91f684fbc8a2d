import { Refused } from '../refused.ts'
import type { Session } from '../store/registry/registry.ts'
import type { Route } from './routes.ts'

/**
 * Refuses what a personal access token that may only read was sent with, if it changes anything: every POST does, but that
 * of a path which GET reads too, unless it holds an upload.
 * @throws Refused `tokenReadOnly`
 */
export const refuseReadOnly = (route: Route, session: Session | undefined, parameters: object): void => {
  if (session?.personal?.isReadOnly !== true || route.bodySchema === undefined) return
  const reads = route.isAlsoRead && ![...route.uploads].some((upload) => Object.hasOwn(parameters, upload))
  if (!reads) throw new Refused('tokenReadOnly')
}
