import type { Difference } from './finding.ts'

// First match wins; the ids are those of `oasdiff checks changelog`.
const whom: readonly (readonly [RegExp, (where: string) => string])[] = [
  [/^api-(operation-id|schema|tag)-/, () => 'Code breaks that was written on generated SDKs or on thingsync/types'],
  [/security/, (where) => `Clients break that give their access token to ${where} in this way`],
  [/^api-.*removed/, (where) => `Clients break that call ${where}: they will get 404 or 405`],
  [/response/, (where) => `Clients break that read the answer of ${where}`],
  [/request/, (where) => `Clients break that send to ${where} what they were allowed to send`],
  [/^/, (where) => `Clients break that use ${where}`],
]

/** A sentence that says what breaks for whom. */
export const describeBreak = ({ id, text, operations }: Difference): string => {
  const sentence = whom.find(([pattern]) => pattern.test(id))?.[1](nameOperations(operations))
  return `${sentence}: ${text}.`
}

const nameOperations = (operations: readonly string[]): string => {
  if (operations.length === 0) return 'the interface'
  const named = operations.slice(0, 3).join(', ')
  return operations.length > 3 ? `${named} and ${operations.length - 3} other operations` : named
}
