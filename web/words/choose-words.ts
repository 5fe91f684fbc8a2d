import { de } from './de.ts'
import { en, type Words } from './en.ts'

/** All languages of the app. */
export const languages: readonly Words[] = [en, de]

/** The first of these languages that the app speaks; English otherwise. */
export const chooseWords = (wanted: readonly string[]): Words => {
  const codes = wanted.map((tag) => tag.toLowerCase().split('-')[0])
  const code = codes.find((one) => languages.some((words) => words.code === one))
  return languages.find((words) => words.code === code) ?? en
}
