import { createHash } from 'node:crypto'
import { bundleDocument } from '../bundle-document.ts'

/** Name of the file that holds the checksums, in the form that `sha256sum --check` reads. */
export const sumsFile = 'SHA256SUMS'

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
export const findDamage = (sums: string, read: (name: string) => string | undefined): readonly string[] =>
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
