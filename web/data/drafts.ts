/** Where drafts are kept: `localStorage`, which writes before the next line runs, so that a tab may close at once. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** What is being typed in one place. */
export interface Draft {
  readonly read: () => string
  /** False when the storage takes no more: what is typed is on the screen only. */
  readonly write: (text: string) => boolean
}

const keysOf = (account: string): string => `thingsync draft/${account}/`

/** Removes all drafts of the account. */
export const forgetDrafts = (storage: DraftStorage | undefined, account: string): void => {
  const keys = Array.from({ length: storage?.length ?? 0 }, (_, place) => storage?.key(place) ?? '')
  for (const key of keys) if (key.startsWith(keysOf(account))) storage?.removeItem(key)
}

/** The draft of this name; `storage` is undefined where the browser forbids one. */
export const openDraft = (storage: DraftStorage | undefined, account: string, name: string): Draft => {
  const key = `${keysOf(account)}${name}`
  return {
    read: () => storage?.getItem(key) ?? '',
    write: (text) => {
      try {
        if (text === '') storage?.removeItem(key)
        else storage?.setItem(key, text)
        return storage !== undefined || text === ''
      } catch (problem) {
        if (isFull(problem)) return false
        throw problem
      }
    },
  }
}

const isFull = (problem: unknown): boolean =>
  problem instanceof DOMException && ['QuotaExceededError', 'NS_ERROR_DOM_QUOTA_REACHED'].includes(problem.name)
