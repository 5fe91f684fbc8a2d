import { asObject, isObject } from '../json.ts'

/** What a collection shows of an operation. */
export type Operation = {
  id: string
  method: string
  /** Without the first slash. */
  path: string
  summary: string
  description: string
  /** Whether it takes the access token. */
  isSignedIn: boolean
}

/** The operations of a document, by their ids. */
export function readOperations(document: unknown): Map<string, Operation> {
  const { paths, security = [] } = asObject(document, 'the document')
  const found = new Map<string, Operation>()
  for (const [path, item] of Object.entries(asObject(paths, 'its paths'))) {
    for (const [method, operation] of Object.entries(asObject(item, path))) {
      if (!isObject(operation) || typeof operation.operationId !== 'string') continue
      const needs = operation.security ?? security
      found.set(operation.operationId, {
        id: operation.operationId,
        method: method.toUpperCase(),
        path: path.slice(1),
        summary: String(operation.summary),
        description: String(operation.description ?? ''),
        isSignedIn: Array.isArray(needs) && needs.length > 0,
      })
    }
  }
  return found
}
