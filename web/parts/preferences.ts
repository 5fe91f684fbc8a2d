import type { DraftStorage } from '../data/drafts.ts'
import { de } from '../words/de.ts'
import { en, type Words } from '../words/en.ts'

/** Returns `localStorage`; undefined if the browser forbids it, which it does by an error. */
export const findStorage = (): DraftStorage | undefined => {
  try {
    return localStorage
  } catch (problem) {
    if (problem instanceof DOMException && problem.name === 'SecurityError') return undefined
    throw problem
  }
}

/** Reads the setting of this browser with this name. */
export const readPreference = (name: string): string | undefined =>
  findStorage()?.getItem(`thingsync choice/${name}`) ?? undefined

/** Stores a setting of this browser. With full storage, the setting lasts only until the page is closed. */
export const writePreference = (name: string, value: string): void => {
  try {
    findStorage()?.setItem(`thingsync choice/${name}`, value)
  } catch (problem) {
    if (!(problem instanceof DOMException) || problem.name !== 'QuotaExceededError') throw problem
  }
}

/**
 * Stores whether images in notes are loaded, from the next loading of the page on. The service worker must know it,
 * because it responds with the page, whose content security policy otherwise blocks the images.
 * False while there is no service worker.
 */
export const chooseImages = async (shows: boolean): Promise<boolean> => {
  const worker = (await navigator.serviceWorker.getRegistration())?.active
  if (worker === null || worker === undefined) return false
  const { port1, port2 } = new MessageChannel()
  const stored = new Promise((resolve) => {
    port1.onmessage = resolve
  })
  worker.postMessage(shows ? 'show images' : 'hide images', [port2])
  await stored
  writePreference('images', shows ? 'yes' : 'no')
  return true
}

/** The themes that a user can choose; `system` follows the device. */
export const themes = ['system', 'light', 'dark'] as const

/** The theme of this browser. */
export type Theme = (typeof themes)[number]

/** Reads the theme of this browser. */
export const readTheme = (): Theme => themes.find((theme) => theme === readPreference('theme')) ?? 'system'

/** The color of the bars around the page: the same as the header. */
const barColors = { light: '#ffffff', dark: '#1e2125' } as const

/** Shows the page in a theme. At the start of a page, `public/theme.js` has set the same attribute already. */
export const applyTheme = (theme: Theme): void => {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    meta.content = barColors[theme === 'system' ? (meta.media.includes('dark') ? 'dark' : 'light') : theme]
  }
}

/** All languages of the app. */
export const languages: readonly Words[] = [en, de]

/** Chooses the texts of the first supported language (language tags, BCP 47); English if none is supported. */
export const chooseWords = (preferred: readonly string[]): Words => {
  const codes = preferred.map((tag) => tag.toLowerCase().split('-')[0])
  const code = codes.find((one) => languages.some((words) => words.code === one))
  return languages.find((words) => words.code === code) ?? en
}
