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

/**
 * Keeps whether images of notes are loaded. The service worker has to know, too: it answers with the page, whose policy
 * lets no image in otherwise, from when the page is loaded next. False while there is no service worker.
 */
export const chooseImages = async (shows: boolean): Promise<boolean> => {
  const worker = (await navigator.serviceWorker.getRegistration())?.active
  if (worker === null || worker === undefined) return false
  const { port1, port2 } = new MessageChannel()
  const kept = new Promise((resolve) => {
    port1.onmessage = resolve
  })
  worker.postMessage(shows ? 'show images' : 'hide images', [port2])
  await kept
  writePreference('images', shows ? 'yes' : 'no')
  return true
}
