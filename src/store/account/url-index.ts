import type { Thing } from '../store.ts'

/** The living things by their url. */
export interface UrlIndex {
  readonly add: (thing: Thing) => void
  readonly remove: (thing: Thing) => void
  /** Ids of the things with a url. */
  readonly find: (url: string) => Iterable<string>
}

/** An index without things. Things without a url are not in it. */
export const createUrlIndex = (): UrlIndex => {
  // Most urls have one thing: a Set for each would take more memory than the urls.
  const ids = new Map<string, string | Set<string>>()

  const add = ({ id, url }: Thing): void => {
    if (url === undefined) return
    const others = ids.get(url)
    if (others === undefined) ids.set(url, id)
    else if (typeof others === 'string') ids.set(url, new Set([others, id]))
    else others.add(id)
  }

  const remove = ({ id, url }: Thing): void => {
    if (url === undefined) return
    const others = ids.get(url)
    if (typeof others === 'object') others.delete(id)
    else ids.delete(url)
  }

  const find = (url: string): Iterable<string> => {
    const found = ids.get(url) ?? []
    return typeof found === 'string' ? [found] : found
  }

  return { add, remove, find }
}
