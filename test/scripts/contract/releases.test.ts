import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  bundleDocument,
  type ContractSources,
  checkReleases,
  compareVersions,
  createRelease,
  listReleases,
} from '../../../scripts/contract/releases.ts'

// Redocly is a process of its own for each document.
vi.setConfig({ testTimeout: 120_000 })

const bundled = new Map<string, string>()

/** The same text is bundled once. */
const bundleOnce: typeof bundleDocument = (path, name) => {
  const key = `${name} ${readFileSync(path, 'utf8')}`
  const text = bundled.get(key) ?? bundleDocument(path, name)
  bundled.set(key, text)
  return text
}

const createOnce = (sources: ContractSources): ReadonlyMap<string, string> => createRelease(sources, bundleOnce)

const documentOf = (version: string, title = 'Things'): string =>
  `openapi: 3.0.3\ninfo: { title: ${title}, version: ${version} }\npaths: {}\n`

/** A contract with the releases of some versions, whose document says the newest of them. */
const createContract = (...versions: string[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'thingsync-contract-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const paths = {
    source: join(folder, 'openapi.yaml'),
    sdkSource: join(folder, 'openapi.sdk.yaml'),
    releases: join(folder, 'releases'),
    changelog: join(folder, 'CHANGELOG.md'),
  }
  for (const version of versions) {
    writeFileSync(paths.source, documentOf(version))
    writeFileSync(paths.sdkSource, documentOf(version))
    mkdirSync(join(paths.releases, version), { recursive: true })
    for (const [name, text] of createOnce(paths)) writeFileSync(join(paths.releases, version, name), text)
  }
  writeFileSync(paths.changelog, versions.map((version) => `\n## ${version}\n`).join(''))
  return paths
}

test('releases as they were written are in order, also when the source is laid out in another way', () => {
  const paths = createContract('1.0.0', '1.1.0')

  writeFileSync(paths.source, `# A comment\n${documentOf('1.1.0')}`)

  expect(checkReleases(paths, createOnce)).toEqual([])
})

test('a changed document needs a new version', () => {
  const paths = createContract('1.0.0')

  writeFileSync(paths.source, documentOf('1.0.0', 'Other things'))

  expect(checkReleases(paths, createOnce)).toEqual([
    expect.stringContaining('differs from the released 1.0.0, whose documents never change; raise info.version'),
  ])
})

test('a changed document for generators needs a new version, too', () => {
  const paths = createContract('1.0.0')

  writeFileSync(paths.sdkSource, documentOf('1.0.0', 'Other things'))

  expect(checkReleases(paths, createOnce)).toEqual([expect.stringContaining('differs from the released 1.0.0')])
})

test('a new version needs an entry in the changelog', () => {
  const paths = createContract('1.0.0')

  writeFileSync(paths.source, documentOf('1.0.1', 'Other things'))

  expect(checkReleases(paths, createOnce)).toEqual([expect.stringContaining('has no entry for 1.0.1')])
})

test('a version does not go back', () => {
  const paths = createContract('1.0.0', '1.1.0')

  writeFileSync(paths.source, documentOf('1.0.0'))

  expect(checkReleases(paths, createOnce)).toEqual([expect.stringContaining('but 1.1.0 is released already')])
})

test('a released document that was touched or lost is named', () => {
  const paths = createContract('1.0.0')

  writeFileSync(join(paths.releases, '1.0.0', 'openapi.yaml'), documentOf('1.0.0', 'Touched'))
  rmSync(join(paths.releases, '1.0.0', 'openapi.resolved.json'))

  expect(checkReleases(paths, createOnce)).toEqual([
    expect.stringContaining('1.0.0/openapi.yaml is not what was released'),
    expect.stringContaining('1.0.0/openapi.resolved.json is not what was released'),
  ])
})

test('versions are ordered as numbers', () => {
  expect(compareVersions('1.10.0', '1.9.9')).toBeGreaterThan(0)

  const { releases } = createContract()
  for (const version of ['1.10.0', '1.9.0']) mkdirSync(join(releases, version), { recursive: true })

  expect(listReleases(releases)).toEqual(['1.9.0', '1.10.0'])
})
