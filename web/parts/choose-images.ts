import { writePreference } from './preferences.ts'

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
