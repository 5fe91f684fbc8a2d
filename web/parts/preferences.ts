import type { DraftStorage } from '../data/drafts.ts'

/** The storage of this browser; undefined where it forbids one, which it does by an error. */
export const findStorage = (): DraftStorage | undefined => {
  try {
    return localStorage
  } catch (problem) {
    if (problem instanceof DOMException && problem.name === 'SecurityError') return undefined
    throw problem
  }
}

/** What was chosen in this browser under this name. */
export const readPreference = (name: string): string | undefined =>
  findStorage()?.getItem(`thingsync choice/${name}`) ?? undefined

/** Keeps a choice; where the storage is full it holds until the page is closed. */
export const writePreference = (name: string, value: string): void => {
  try {
    findStorage()?.setItem(`thingsync choice/${name}`, value)
  } catch (problem) {
    if (!(problem instanceof DOMException) || problem.name !== 'QuotaExceededError') throw problem
  }
}
