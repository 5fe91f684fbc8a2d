/**
 * Compares `openapi.yaml` and `openapi.sdk.yaml` with the last release, or one document with another. Exits 1 when a
 * difference breaks clients of the earlier document. `npm run contract:breaks [-- DOCUMENT [EARLIER]]`.
 */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { installOasdiff, ToolMissing } from '../outside-tools/install-tools.ts'
import { describeBreak, findDifferences } from './differences.ts'
import { listReleases, releasedDocument, releasesFolder } from './releases.ts'

const major = (version: string): number => Number(version.split('.')[0])

type DocumentName = Parameters<typeof releasedDocument>[2]

/** Finds the earlier document, and its name for messages; undefined before the first release. */
const findEarlier = (name: DocumentName, given: string | undefined) => {
  if (given !== undefined) return { path: given, title: given }
  const last = listReleases(releasesFolder).at(-1)
  return last === undefined
    ? undefined
    : { path: releasedDocument(releasesFolder, last, name), title: `release ${last}` }
}

const readVersion = (path: string): string => parse(readFileSync(path, 'utf8')).info.version

const checkBreaks = (source: string, name: DocumentName, given?: string): number => {
  const earlier = findEarlier(name, given)
  if (earlier === undefined) {
    console.log(`${source}: nothing is released yet, so no change can break a client`)
    return 0
  }
  const [version, last] = [readVersion(source), readVersion(earlier.path)]
  const differences = findDifferences(installOasdiff(), earlier.path, source)
  const breaks = differences.filter(({ isBreaking }) => isBreaking)
  const additions = differences.filter(({ isBreaking }) => !isBreaking)

  for (const difference of breaks) console.error(describeBreak(difference))
  for (const { text, operations } of additions) console.log(`since ${earlier.title}: ${text}${nameFirst(operations)}`)
  if (breaks.length === 0) {
    console.log(
      `nothing in ${source} breaks a client that relies on ${earlier.title}; ${additions.length} harmless differences`,
    )
    return 0
  }
  if (major(version) > major(last)) {
    console.log(`${version} is a new major version, so breaking differences are permitted`)
    return 0
  }
  console.error(
    `${breaks.length} breaking ${breaks.length === 1 ? 'difference' : 'differences'} from ${earlier.title}. Take them back, make them additions, or give ` +
      `info.version the next major version, which gets a version segment of its own (protocol 9).`,
  )
  return 1
}

const nameFirst = ([first, ...others]: readonly string[]): string =>
  first === undefined ? '' : `, ${first}${others.length > 0 ? ` and ${others.length} others` : ''}`

try {
  const [, , document, given] = process.argv
  const sources: readonly [string, DocumentName][] =
    document === undefined
      ? [
          ['openapi.yaml', 'openapi.yaml'],
          ['openapi.sdk.yaml', 'openapi.sdk.yaml'],
        ]
      : [[document, 'openapi.yaml']]
  process.exitCode = Math.max(...sources.map(([source, name]) => checkBreaks(source, name, given)))
} catch (error) {
  if (!(error instanceof ToolMissing)) throw error
  console.error(error.message)
  process.exitCode = 1
}
