import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'

/** The form of a bundled document: with its references, or with all references resolved. */
export type BundleKind = 'bundled.yaml' | 'resolved.json'

/** Bundles the text of an OpenAPI document with Redocly. @throws Error when Redocly fails */
export const bundleText = (text: string, kind: BundleKind): string => {
  const folder = mkdtempSync(join(tmpdir(), 'thingsync-bundle-'))
  const source = join(folder, 'openapi.yaml')
  const output = join(folder, kind)
  try {
    writeFileSync(source, text)
    const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
    const flags = kind === 'resolved.json' ? ['--dereferenced'] : []
    execFileSync(process.execPath, [redocly, 'bundle', source, ...flags, '--output', output], { stdio: 'pipe' })
    return readFileSync(output, 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Bundles a document in a file, as `bundleText` does. */
export const bundleDocument = (source: string, kind: BundleKind): string =>
  bundleText(readFileSync(source, 'utf8'), kind)

/** Folder of the released documents, with one folder for each version. */
export const releasesFolder = 'docs/contract/releases'

/** Compares versions for sorting: negative when `one` is earlier, 0 when equal. `1.10.0` comes after `1.9.0`. */
export const compareVersions = (one: string, other: string): number => {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number))
  for (const index of [0, 1, 2]) {
    const difference = (a?.[index] ?? 0) - (b?.[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Lists the released versions, oldest first. */
export const listReleases = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /^\d+\.\d+\.\d+$/.test(name))
        .sort(compareVersions)
    : []

/** Returns the path of a document of a release. */
export const releasedDocument = (
  folder: string,
  version: string,
  name: 'openapi.yaml' | 'openapi.sdk.yaml' = 'openapi.yaml',
): string => join(folder, version, name)

/** Name of the file of checksums, in the format of `sha256sum --check`. */
const sumsFile = 'SHA256SUMS'

/** The documents of a contract: the wire document, and the SDK profile derived from it. */
export interface ContractSources {
  readonly source: string
  readonly sdkSource: string
}

/** Creates the files of a release by name: each document with and without references, and their checksums. */
export const createRelease = (
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

/** Returns the names of files that are missing or do not match their checksums. */
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

/** The paths of a contract. */
interface ContractPaths extends ContractSources {
  readonly releases: string
  readonly changelog: string
}

/**
 * Checks the committed releases and returns one sentence for each problem: a changed file of a release, a document that
 * changed without a new version, a version that goes back, a version without an entry in the changelog. `createFiles`
 * returns the files that a release of the current documents has.
 */
export const checkReleases = (
  paths: ContractPaths,
  createFiles: (sources: ContractSources) => ReadonlyMap<string, string>,
): readonly string[] => {
  const { source, releases, changelog } = paths
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
  } else if (version === last && !hasSameDocuments(join(releases, version), createFiles(paths))) {
    problems.push(
      `${source} differs from the released ${version}, whose documents never change; raise info.version and say why in ${changelog}`,
    )
  }
  if (!readOrEmpty(changelog).includes(`\n## ${version}`)) problems.push(`${changelog} has no entry for ${version}`)
  return problems
}

/** Compares the content of the documents, because a newer Redocly can format the same content differently. */
const hasSameDocuments = (folder: string, files: ReadonlyMap<string, string>): boolean =>
  [...files]
    .filter(([name]) => name !== sumsFile)
    .every(([name, text]) => isDeepStrictEqual(parseDocument(readOrEmpty(join(folder, name))), parseDocument(text)))

const parseDocument = (text: string): unknown => (text.startsWith('{') ? JSON.parse(text) : parse(text))

const readIfThere = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)

const readOrEmpty = (path: string): string => readIfThere(path) ?? ''
