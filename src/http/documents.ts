import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { document } from '../../generated/document.ts'
import { sdkDocument } from '../../generated/sdk-document.ts'

/** A document that the server hands out beside the API. */
export interface PublicDocument {
  readonly type: string
  readonly body: string
}

const { resolve } = createRequire(import.meta.url)

const readYaml = async (name: string): Promise<PublicDocument> => ({
  type: 'application/yaml; charset=utf-8',
  body: await readFile(resolve(`thingsync/${name}`), 'utf8'),
})

const readScript = async (name: string): Promise<PublicDocument> => ({
  type: 'text/javascript; charset=utf-8',
  body: await readFile(join(dirname(resolve('thingsync/package.json')), 'web', 'script', name), 'utf8'),
})

const showJson = (value: object): PublicDocument => ({
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
})

/**
 * `/openapi.yaml`, the source of the contract, `/openapi.sdk.yaml`, the same for generators of clients, and both as `.json`
 * with all references resolved; and the script of `/docs`.
 */
export const readDocuments = async (): Promise<ReadonlyMap<string, PublicDocument>> =>
  new Map([
    ['/openapi.yaml', await readYaml('openapi.yaml')],
    ['/openapi.json', showJson(document)],
    ['/openapi.sdk.yaml', await readYaml('openapi.sdk.yaml')],
    ['/openapi.sdk.json', showJson(sdkDocument)],
    ['/docs/send-requests.js', await readScript('send-requests.js')],
  ])
