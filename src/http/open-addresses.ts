import { describeMetadata, metadataPaths, type ServerPlace } from '../oauth/metadata.ts'
import type { Arrival } from '../pages/site.ts'
import { Refused } from '../refused.ts'
import { type Abilities, describeServer } from './describe-server.ts'
import type { PublicDocument } from './documents.ts'

/** What is handed out to anybody, at an address beside the API. */
export type OpenAddress = (arrival: Arrival) => Promise<PublicDocument>

/** What open addresses hand out. */
export interface OpenThings {
  readonly documents: ReadonlyMap<string, PublicDocument>
  readonly basePath: string
  readonly checkReady: () => Promise<void>
  readonly findPlace: (arrival: Arrival) => ServerPlace
  readonly abilities: Abilities
}

const json = 'application/json; charset=utf-8'

/**
 * Documents, health and metadata: `/openapi.yaml`, `/openapi.json`, `/healthz` (the process answers), `/readyz` (the store
 * could take a write) and `/.well-known/oauth-authorization-server` (RFC 8414), also below the path prefix of the base
 * address; and at the base address itself what the server can do. The function finds what is at a path.
 */
export const createOpenAddresses = ({
  documents,
  basePath,
  checkReady,
  findPlace,
  abilities,
}: OpenThings): ((path: string) => OpenAddress | undefined) => {
  const healthy: PublicDocument = { type: json, body: '{"status":"ok"}' }
  const showMetadata: OpenAddress = async (arrival) => ({
    type: json,
    body: JSON.stringify(describeMetadata(findPlace(arrival), abilities.switches)),
  })
  const showServer: OpenAddress = async (arrival) => ({
    type: json,
    body: JSON.stringify(describeServer(findPlace(arrival), abilities)),
  })
  const prefix = basePath.replace(/\/(v1\/)?$/, '')
  const addresses = new Map<string, OpenAddress>([
    [basePath, showServer],
    ['/v1/', showServer],
    ['/healthz', async () => healthy],
    ['/readyz', () => checkReady().then(() => healthy)],
    ...[...documents].map(([path, document]): [string, OpenAddress] => [path, async () => document]),
    ...metadataPaths(prefix).map((path): [string, OpenAddress] => [path, showMetadata]),
  ])
  return (path) =>
    addresses.get(path) ?? (path.startsWith(prefix) ? addresses.get(path.slice(prefix.length)) : undefined)
}

/** Refuses anything but reading. @throws Refused `methodWrong` */
export const refuseWriting = (method: string): void => {
  if (method !== 'GET' && method !== 'HEAD') throw new Refused('methodWrong', { allow: 'GET, HEAD' })
}
