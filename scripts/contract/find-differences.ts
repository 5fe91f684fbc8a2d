import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Difference, type Finding, groupFindings } from './finding.ts'

const severities = fileURLToPath(new URL('severity-levels.txt', import.meta.url))

/**
 * All that a client could notice between two documents, breaking differences first. `oasdiff` is the path of the program.
 * @throws when one of the documents cannot be read
 */
export const findDifferences = (oasdiff: string, before: string, after: string): readonly Difference[] => {
  const args = ['changelog', '--flatten-allof', '--format', 'json', '--severity-levels', severities, before, after]
  const { error, status, stdout, stderr } = spawnSync(oasdiff, args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`oasdiff could not compare ${before} with ${after}: ${stderr.trim()}`)
  const findings: Finding[] = JSON.parse(stdout || '[]')
  return groupFindings(findings.filter(({ id }) => id !== 'api-version-not-bumped'))
}
