import type { DraftStorage } from '../data/drafts.ts'
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

/** A language of the app. */
interface Language {
  /** The language tag (BCP 47). */
  readonly code: string
  /** The name of the language in itself. */
  readonly name: string
  readonly load: () => Promise<Words>
}

/** All languages of the app. English is a part of the first load, and each other one a file of its own. */
export const languages: readonly Language[] = [
  { code: 'en', name: en.language, load: async () => en },
  { code: 'de', name: 'Deutsch', load: async () => (await import('../words/de.ts')).de },
]

const loaded = new Map<string, Words>([[en.code, en]])

/** Finds the first supported language; English if none is supported. */
const findLanguage = (preferred: readonly string[]): Language | undefined => {
  const codes = preferred.map((tag) => tag.toLowerCase().split('-')[0])
  const code = codes.find((one) => languages.some((language) => language.code === one))
  return languages.find((language) => language.code === code)
}

/** Loads the texts that `chooseWords` returns for these language tags (BCP 47). */
export const loadWords = async (preferred: readonly string[]): Promise<void> => {
  const language = findLanguage(preferred)
  if (language === undefined || loaded.has(language.code)) return
  try {
    loaded.set(language.code, await language.load())
  } catch (error) {
    // The file belongs to an older build, or there is no connection.
    console.info('the texts of the language could not be loaded', error)
  }
}

/** Chooses the texts of the first supported language, or English texts before `loadWords` has loaded them. */
export const chooseWords = (preferred: readonly string[]): Words =>
  loaded.get(findLanguage(preferred)?.code ?? en.code) ?? en

/** The languages that the user prefers: the one chosen in the app, then those of the browser. */
export const readLanguages = (): readonly string[] => [readPreference('language') ?? '', ...navigator.languages]
