import { de } from './de.ts'
import { en, type Words } from './en.ts'

/** All languages of the app. */
export const languages: readonly Words[] = [en, de]

/** Chooses the texts of the first supported language (language tags, BCP 47); English if none is supported. */
export const chooseWords = (preferred: readonly string[]): Words => {
  const codes = preferred.map((tag) => tag.toLowerCase().split('-')[0])
  const code = codes.find((one) => languages.some((words) => words.code === one))
  return languages.find((words) => words.code === code) ?? en
}
