import { asObject, isObject } from './json.ts'

/** The operation ids of a document, in its order. */
export const listOperations = (document: unknown): string[] =>
  Object.values(asObject(asObject(document, 'the document').paths, 'its paths')).flatMap((path) =>
    Object.values(asObject(path, 'a path')).flatMap((operation) =>
      isObject(operation) && typeof operation.operationId === 'string' ? [operation.operationId] : [],
    ),
  )
