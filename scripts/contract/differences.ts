import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** One difference between two documents, as oasdiff reports it. */
interface Finding {
  readonly id: string
  readonly text: string
  /** 1: harmless; 2: can break clients; 3: breaks clients. */
  readonly level: number
  readonly operation?: string
  readonly operationId?: string
  readonly path?: string
}

/** Equal findings about several operations and statuses. */
interface Difference {
  readonly id: string
  readonly text: string
  readonly isBreaking: boolean
  /** As in `POST /sync (postSync)`; empty for a difference of the whole document. */
  readonly operations: readonly string[]
}

/** Groups findings that differ only in operation, status and media type. Breaking differences come first. */
export const groupFindings = (findings: readonly Finding[]): readonly Difference[] => {
  const groups = new Map<string, { finding: Finding; operations: Set<string> }>()
  for (const finding of findings) {
    const key = `${finding.id} ${removeStatusAndType(finding.text)}`
    const group = groups.get(key) ?? { finding, operations: new Set<string>() }
    groups.set(key, group)
    if (finding.path !== undefined) {
      const name = finding.operationId === undefined ? '' : ` (${finding.operationId})`
      group.operations.add(`${finding.operation} ${finding.path}${name}`)
    }
  }
  return [...groups.values()]
    .map(({ finding, operations }) => ({
      id: finding.id,
      text: removeStatusAndType(finding.text),
      isBreaking: finding.level > 1,
      operations: [...operations],
    }))
    .sort((one, other) => Number(other.isBreaking) - Number(one.isBreaking))
}

const removeStatusAndType = (text: string): string =>
  text.replace(/ (for|from|to) the (response )?(with the )?(status )?`\d{3}`( status)?| \(media type: [^)]*\)/g, '')

const severities = fileURLToPath(new URL('severity-levels.txt', import.meta.url))

/**
 * Finds all differences between two documents that a client could notice, breaking differences first. `oasdiff` is the
 * path of the program.
 * @throws Error when oasdiff cannot run or cannot read a document
 */
export const findDifferences = (oasdiff: string, before: string, after: string): readonly Difference[] => {
  const args = ['changelog', '--flatten-allof', '--format', 'json', '--severity-levels', severities, before, after]
  const { error, status, stdout, stderr } = spawnSync(oasdiff, args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`oasdiff could not compare ${before} with ${after}: ${stderr.trim()}`)
  const findings: Finding[] = JSON.parse(stdout || '[]')
  return groupFindings(findings.filter(({ id }) => id !== 'api-version-not-bumped'))
}

// The first match wins; `oasdiff checks changelog` lists the ids.
const sentences: readonly (readonly [RegExp, (where: string) => string])[] = [
  [/^api-(operation-id|schema|tag)-/, () => 'Code breaks that was written on generated SDKs or on thingsync/types'],
  [/security/, (where) => `Clients break that give their access token to ${where} in this way`],
  [/^api-.*removed/, (where) => `Clients break that call ${where}: they will get 404 or 405`],
  [/response/, (where) => `Clients break that read the response of ${where}`],
  [/request/, (where) => `Clients break that send to ${where} what they were allowed to send`],
  [/^/, (where) => `Clients break that use ${where}`],
]

/** Returns a sentence that names the clients that break, and the reason. */
export const describeBreak = ({ id, text, operations }: Difference): string => {
  const sentence = sentences.find(([pattern]) => pattern.test(id))?.[1](nameOperations(operations))
  return `${sentence}: ${text}.`
}

const nameOperations = (operations: readonly string[]): string => {
  if (operations.length === 0) return 'the interface'
  const named = operations.slice(0, 3).join(', ')
  return operations.length > 3 ? `${named} and ${operations.length - 3} other operations` : named
}
