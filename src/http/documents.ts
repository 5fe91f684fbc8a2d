import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { document } from '../../generated/document.ts'

/** A document that the server hands out beside the API. */
export interface PublicDocument {
  readonly type: string
  readonly body: string
}

/** `/openapi.yaml`, the source of the contract, and `/openapi.json`, the same with all references resolved. */
export const readDocuments = async (): Promise<ReadonlyMap<string, PublicDocument>> => {
  const source = createRequire(import.meta.url).resolve('thingsync/openapi.yaml')
  return new Map([
    ['/openapi.yaml', { type: 'application/yaml; charset=utf-8', body: await readFile(source, 'utf8') }],
    ['/openapi.json', { type: 'application/json; charset=utf-8', body: JSON.stringify(document) }],
  ])
}
