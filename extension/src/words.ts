import type { Problem } from './platform.ts'
import { de } from './words-de.ts'
import { en, type Words } from './words-en.ts'

/** All languages of the extension. */
export const languages: readonly Words[] = [en, de]

/** Chooses the texts of the first supported language (language tags, BCP 47); English if none is supported. */
export const chooseWords = (preferred: readonly string[]): Words => {
  const codes = preferred.map((tag) => tag.toLowerCase().split('-')[0])
  const code = codes.find((one) => languages.some((words) => words.code === one))
  return languages.find((words) => words.code === code) ?? en
}

/** Describes a problem in a sentence. */
export const describeProblem = ({ code, reason = code }: Problem, { problems }: Words): string => {
  const text = Object.hasOwn(problems, code) ? problems[code as keyof Words['problems']] : problems.other
  return typeof text === 'string' ? text : text(reason)
}
