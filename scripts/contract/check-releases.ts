import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { type ContractSources, findDamage, sumsFile } from './make-release.ts'
import { compareVersions, listReleases } from './releases.ts'

/** Where a contract lies. */
export interface ContractPlaces extends ContractSources {
  readonly releases: string
  readonly changelog: string
}

/**
 * What is wrong with the committed releases, one sentence each: a released file that was touched, a document that changed
 * without a new version, a version that goes back, a version without an entry in the changelog. `makeFiles` gives the
 * files of the release that the document would make.
 */
export const checkReleases = (
  places: ContractPlaces,
  makeFiles: (sources: ContractSources) => ReadonlyMap<string, string>,
): readonly string[] => {
  const { source, releases, changelog } = places
  const version: string = parse(readFileSync(source, 'utf8')).info.version
  const released = listReleases(releases)
  const last = released.at(-1)
  const damage = released.flatMap((one) =>
    findDamage(readOrEmpty(join(releases, one, sumsFile)) || `missing  ${sumsFile}`, (name) =>
      readIfThere(join(releases, one, name)),
    ).map((name) => `${join(releases, one, name)} is not what was released as ${one}; take it back from git`),
  )
  if (damage.length > 0) return damage

  const problems: string[] = []
  if (last !== undefined && compareVersions(version, last) < 0) {
    problems.push(`${source} says version ${version}, but ${last} is released already`)
  } else if (version === last && !hasSameDocuments(join(releases, version), makeFiles(places))) {
    problems.push(
      `${source} differs from the released ${version}, whose documents never change; raise info.version and say why in ${changelog}`,
    )
  }
  if (!readOrEmpty(changelog).includes(`\n## ${version}`)) problems.push(`${changelog} has no entry for ${version}`)
  return problems
}

/** Compares what the documents say; a newer Redocly may write the same in another way. */
const hasSameDocuments = (folder: string, files: ReadonlyMap<string, string>): boolean =>
  [...files]
    .filter(([name]) => name !== sumsFile)
    .every(([name, text]) => isDeepStrictEqual(parseDocument(readOrEmpty(join(folder, name))), parseDocument(text)))

const parseDocument = (text: string): unknown => (text.startsWith('{') ? JSON.parse(text) : parse(text))

const readIfThere = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)

const readOrEmpty = (path: string): string => readIfThere(path) ?? ''
