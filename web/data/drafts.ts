/** Where drafts are kept: `localStorage`, which writes before the next line runs, so that a tab may close at once. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** What is being typed in one place. */
export interface Draft {
  readonly read: () => string
  /** False when the storage takes no more: what is typed is on the screen only. */
  readonly write: (text: string) => boolean
}

/** The draft of this name; `storage` is undefined where the browser forbids one. */
export const openDraft = (storage: DraftStorage | undefined, account: string, name: string): Draft => {
  const key = `thingsync draft/${account}/${name}`
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
