import { findNearestName } from './nearest-name.ts'
import { environmentNameOf, settingNames } from './settings-table.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** "is not known", and the one that was probably meant. */
export function unknownSentence(name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known)
  return nearest ? `is not known; did you mean ${nearest}?` : 'is not known'
}

const prefix = 'THINGSYNC_'
const knownVariables = ['config', ...settingNames].map(environmentNameOf)
const knownEnds = knownVariables.map((name) => name.slice(prefix.length))

/** The conformance suite and the lines of a first start have these, which are set in the same shell. */
const variablesOfOthers = new Set(['THINGSYNC_CLIENT_ID', 'THINGSYNC_CLIENT_SECRET', 'THINGSYNC_USER'])

const listUnknown = (environment: Environment): string[] =>
  Object.keys(environment).filter((name) => name.startsWith(prefix) && !knownVariables.includes(name))

const isMisspelt = (name: string): boolean => findNearestName(name.slice(prefix.length), knownEnds) !== undefined

/** What is said of variables that are nearly one of ours; they are refused. */
export const findMisspelt = (environment: Environment): string[] =>
  listUnknown(environment)
    .filter(isMisspelt)
    .map((name) => `${name}: ${unknownSentence(name, knownVariables)}`)

/** What is said of the others that begin like ours; the start may go on. */
export const findUnknown = (environment: Environment): string[] =>
  listUnknown(environment)
    .filter((name) => !isMisspelt(name) && !variablesOfOthers.has(name))
    .map((name) => `${name}: is not known and has no effect; "thingsync config" lists all`)
