import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeVersion } from './platforms.ts'
import type { Source } from './source.ts'

const digest = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/**
 * Writes `provenance.json`, which says of what and how each file was made (in-toto statement with SLSA provenance 1.0), and
 * `SHA256SUMS` of all files. Neither is signed: who publishes signs `SHA256SUMS`.
 */
export const writeRecords = (
  output: string,
  { source, lockFile, platforms }: { source: Source; lockFile: string; platforms: string },
): void => {
  const names = readdirSync(output).sort()
  const subject = names.map((name) => ({ name, digest: { sha256: digest(join(output, name)) } }))
  writeFileSync(
    join(output, 'provenance.json'),
    `${JSON.stringify(describe(subject, source, lockFile, platforms), null, 2)}\n`,
  )
  const lines = [...names, 'provenance.json'].sort().map((name) => `${digest(join(output, name))}  ${name}\n`)
  writeFileSync(join(output, 'SHA256SUMS'), lines.join(''))
}

const describe = (subject: readonly unknown[], source: Source, lockFile: string, platforms: string) => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject,
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: 'npm run release',
      externalParameters: { platforms },
      internalParameters: { sourceDateEpoch: source.epoch, isCommitted: source.isCommitted },
      resolvedDependencies: [
        { name: 'thingsync', digest: { gitCommit: source.commit } },
        { name: 'package-lock.json', digest: { sha256: digest(lockFile) } },
        { name: 'node', annotations: { version: nodeVersion } },
      ],
    },
    runDetails: { builder: { id: 'scripts/release.ts' } },
  },
})
