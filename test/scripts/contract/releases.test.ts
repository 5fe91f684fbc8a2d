import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  bundleDocument,
  type ContractSources,
  checkReleases,
  compareVersions,
  listReleases,
  makeRelease,
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

const makeOnce = (sources: ContractSources): ReadonlyMap<string, string> => makeRelease(sources, bundleOnce)

const documentOf = (version: string, title = 'Things'): string =>
  `openapi: 3.0.3\ninfo: { title: ${title}, version: ${version} }\npaths: {}\n`

/** A contract with the releases of some versions, whose document says the newest of them. */
const makeContract = (...versions: string[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'thingsync-contract-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const places = {
    source: join(folder, 'openapi.yaml'),
    sdkSource: join(folder, 'openapi.sdk.yaml'),
    releases: join(folder, 'releases'),
    changelog: join(folder, 'CHANGELOG.md'),
  }
  for (const version of versions) {
    writeFileSync(places.source, documentOf(version))
    writeFileSync(places.sdkSource, documentOf(version))
    mkdirSync(join(places.releases, version), { recursive: true })
    for (const [name, text] of makeOnce(places)) writeFileSync(join(places.releases, version, name), text)
  }
  writeFileSync(places.changelog, versions.map((version) => `\n## ${version}\n`).join(''))
  return places
}

test('releases as they were written are in order, also when the source is laid out in another way', () => {
  const places = makeContract('1.0.0', '1.1.0')

  writeFileSync(places.source, `# A comment\n${documentOf('1.1.0')}`)

  expect(checkReleases(places, makeOnce)).toEqual([])
})

test('a changed document needs a new version', () => {
  const places = makeContract('1.0.0')

  writeFileSync(places.source, documentOf('1.0.0', 'Other things'))

  expect(checkReleases(places, makeOnce)).toEqual([
    expect.stringContaining('differs from the released 1.0.0, whose documents never change; raise info.version'),
  ])
})

test('a changed document for generators needs a new version, too', () => {
  const places = makeContract('1.0.0')

  writeFileSync(places.sdkSource, documentOf('1.0.0', 'Other things'))

  expect(checkReleases(places, makeOnce)).toEqual([expect.stringContaining('differs from the released 1.0.0')])
})

test('a new version needs an entry in the changelog', () => {
  const places = makeContract('1.0.0')

  writeFileSync(places.source, documentOf('1.0.1', 'Other things'))

  expect(checkReleases(places, makeOnce)).toEqual([expect.stringContaining('has no entry for 1.0.1')])
})

test('a version does not go back', () => {
  const places = makeContract('1.0.0', '1.1.0')

  writeFileSync(places.source, documentOf('1.0.0'))

  expect(checkReleases(places, makeOnce)).toEqual([expect.stringContaining('but 1.1.0 is released already')])
})

test('a released document that was touched or lost is named', () => {
  const places = makeContract('1.0.0')

  writeFileSync(join(places.releases, '1.0.0', 'openapi.yaml'), documentOf('1.0.0', 'Touched'))
  rmSync(join(places.releases, '1.0.0', 'openapi.resolved.json'))

  expect(checkReleases(places, makeOnce)).toEqual([
    expect.stringContaining('1.0.0/openapi.yaml is not what was released'),
    expect.stringContaining('1.0.0/openapi.resolved.json is not what was released'),
  ])
})

test('versions are ordered as numbers', () => {
  expect(compareVersions('1.10.0', '1.9.9')).toBeGreaterThan(0)

  const { releases } = makeContract()
  for (const version of ['1.10.0', '1.9.0']) mkdirSync(join(releases, version), { recursive: true })

  expect(listReleases(releases)).toEqual(['1.9.0', '1.10.0'])
})
