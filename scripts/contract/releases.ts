import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { bundleDocument } from '../bundle-document.ts'

/** Where the released documents are committed, one folder a version. */
export const releasesFolder = 'docs/contract/releases'

/** Whether a version comes before (negative), with (0) or after another one; `1.10.0` comes after `1.9.0`. */
export const compareVersions = (one: string, other: string): number => {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number))
  for (const index of [0, 1, 2]) {
    const difference = (a?.[index] ?? 0) - (b?.[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** The released versions, oldest first. */
export const listReleases = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /^\d+\.\d+\.\d+$/.test(name))
        .sort(compareVersions)
    : []

/** A document of a release, in one file with its references. */
export const releasedDocument = (
  folder: string,
  version: string,
  name: 'openapi.yaml' | 'openapi.sdk.yaml' = 'openapi.yaml',
): string => join(folder, version, name)

/** Name of the file that holds the checksums, in the form that `sha256sum --check` reads. */
const sumsFile = 'SHA256SUMS'

/** The documents of a contract: the wire and what is derived from it for SDK generators. */
export interface ContractSources {
  readonly source: string
  readonly sdkSource: string
}

/** The files of a release by name: each document in one file, the same without references, and their checksums. */
export const makeRelease = (
  { source, sdkSource }: ContractSources,
  bundle: typeof bundleDocument = bundleDocument,
): ReadonlyMap<string, string> => {
  const resolve = (path: string): string => `${JSON.stringify(JSON.parse(bundle(path, 'resolved.json')))}\n`
  const documents = [
    ['openapi.yaml', bundle(source, 'bundled.yaml')],
    ['openapi.resolved.json', resolve(source)],
    ['openapi.sdk.yaml', bundle(sdkSource, 'bundled.yaml')],
    ['openapi.sdk.resolved.json', resolve(sdkSource)],
  ] as const
  const sums = documents.map(([name, text]) => `${sha256(text)}  ${name}\n`)
  return new Map([...documents, [sumsFile, sums.join('')]])
}

/** The names of files that are missing or are not what the checksums say. */
const findDamage = (sums: string, read: (name: string) => string | undefined): readonly string[] =>
  sums
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('  '))
    .filter(([sum, name = '']) => {
      const text = read(name)
      return text === undefined || sha256(text) !== sum
    })
    .map(([, name = '']) => name)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Where a contract lies. */
interface ContractPlaces extends ContractSources {
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
  createFiles: (sources: ContractSources) => ReadonlyMap<string, string>,
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
  } else if (version === last && !hasSameDocuments(join(releases, version), createFiles(places))) {
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
