import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

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
