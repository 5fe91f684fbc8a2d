import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { document } from '../../generated/document.ts'
import { sdkDocument } from '../../generated/sdk-document.ts'

/** A document that the server hands out beside the API. */
export interface PublicDocument {
  readonly type: string
  readonly body: string
}

type NameServer = (text: string) => string

const { resolve } = createRequire(import.meta.url)

/** The server that `openapi.yaml` names, without the version segment. */
const exampleAddress = 'http://127.0.0.1:8484/'

const readYaml = async (name: string, nameServer: NameServer): Promise<PublicDocument> => ({
  type: 'application/yaml; charset=utf-8',
  body: nameServer(await readFile(resolve(`thingsync/${name}`), 'utf8')),
})

const readScript = async (name: string): Promise<PublicDocument> => ({
  type: 'text/javascript; charset=utf-8',
  body: await readFile(join(import.meta.dirname, '../pages/script', name), 'utf8'),
})

const showJson = (value: object, nameServer: NameServer): PublicDocument => ({
  type: 'application/json; charset=utf-8',
  body: nameServer(JSON.stringify(value)),
})

/**
 * `/openapi.yaml`, the source of the contract, `/openapi.sdk.yaml`, the same for generators of clients, and both as `.json`
 * with all references resolved; and the script of `/docs`. With a base address, that is the server which they name.
 */
export const readDocuments = async (baseUrl?: string): Promise<ReadonlyMap<string, PublicDocument>> => {
  const address = baseUrl?.replace(/v1\/$/, '') ?? exampleAddress
  const nameServer: NameServer = (text) => text.replaceAll(exampleAddress, () => address)
  return new Map([
    ['/openapi.yaml', await readYaml('openapi.yaml', nameServer)],
    ['/openapi.json', showJson(document, nameServer)],
    ['/openapi.sdk.yaml', await readYaml('openapi.sdk.yaml', nameServer)],
    ['/openapi.sdk.json', showJson(sdkDocument, nameServer)],
    ['/docs/send-requests.js', await readScript('send-requests.js')],
  ])
}
