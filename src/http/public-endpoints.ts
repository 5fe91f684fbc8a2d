import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { document } from '../../generated/document.ts'
import { sdkDocument } from '../../generated/sdk-document.ts'
import type { Limits } from '../api/limits.ts'
import type { Routes } from '../api/routes.ts'
import { ApiError } from '../api-error.ts'
import {
  describeMetadata,
  issuerOf,
  metadataPaths,
  type ServerLocation,
  type ServerSwitches,
} from '../oauth/authorize-request.ts'
import type { Arrival } from '../pages/site.ts'

/** What is handed out to anybody, at an address beside the API. */
type PublicEndpoint = (arrival: Arrival) => Promise<PublicDocument>

/** What open addresses hand out. */
interface PublicEndpointOptions {
  readonly documents: ReadonlyMap<string, PublicDocument>
  readonly basePath: string
  readonly checkReady: () => Promise<void>
  readonly findLocation: (arrival: Arrival) => ServerLocation
  readonly features: ServerFeatures
}

const json = 'application/json; charset=utf-8'

/**
 * Documents, health and metadata: `/openapi.yaml`, `/openapi.json`, `/healthz` (the process answers), `/readyz` (the store
 * could take a write) and `/.well-known/oauth-authorization-server` (RFC 8414), also below the path prefix of the base
 * address; and at the base address itself what the server can do. The function finds what is at a path.
 */
export const createPublicEndpoints = ({
  documents,
  basePath,
  checkReady,
  findLocation,
  features,
}: PublicEndpointOptions): ((path: string) => PublicEndpoint | undefined) => {
  const healthy: PublicDocument = { type: json, body: '{"status":"ok"}' }
  const showMetadata: PublicEndpoint = async (arrival) => ({
    type: json,
    body: JSON.stringify(describeMetadata(findLocation(arrival), features.switches)),
  })
  const showServer: PublicEndpoint = async (arrival) => ({
    type: json,
    body: JSON.stringify(describeServer(findLocation(arrival), features)),
  })
  const prefix = basePath.replace(/\/(v1\/)?$/, '')
  const addresses = new Map<string, PublicEndpoint>([
    [basePath, showServer],
    ['/v1/', showServer],
    ['/healthz', async () => healthy],
    ['/readyz', () => checkReady().then(() => healthy)],
    ...[...documents].map(([path, document]): [string, PublicEndpoint] => [path, async () => document]),
    ...metadataPaths(prefix).map((path): [string, PublicEndpoint] => [path, showMetadata]),
  ])
  return (path) =>
    addresses.get(path) ?? (path.startsWith(prefix) ? addresses.get(path.slice(prefix.length)) : undefined)
}

/** Refuses anything but reading. @throws ApiError `methodWrong` */
export const rejectWriteMethods = (method: string): void => {
  if (method !== 'GET' && method !== 'HEAD') throw new ApiError('methodWrong', { allow: 'GET, HEAD' })
}

/** A document that the server hands out beside the API. */
export interface PublicDocument {
  readonly type: string
  readonly body: string
}

type NameServer = (text: string) => string

const { resolve } = createRequire(import.meta.url)

/** The server that `openapi.yaml` names, without the version segment. */
const exampleBaseUrl = 'http://127.0.0.1:8484/'

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
  const address = baseUrl?.replace(/v1\/$/, '') ?? exampleBaseUrl
  const nameServer: NameServer = (text) => text.replaceAll(exampleBaseUrl, () => address)
  return new Map([
    ['/openapi.yaml', await readYaml('openapi.yaml', nameServer)],
    ['/openapi.json', showJson(document, nameServer)],
    ['/openapi.sdk.yaml', await readYaml('openapi.sdk.yaml', nameServer)],
    ['/openapi.sdk.json', showJson(sdkDocument, nameServer)],
    ['/docs/send-requests.js', await readScript('send-requests.js')],
  ])
}

/** For how long a verdict of the store is given to all who ask. */
export const readyCacheMilliseconds = 5_000

/**
 * Asks the store whether it could take a write, for anybody who asks and at most once in 5 s: the store's check writes
 * and syncs. All who ask meanwhile, and until 5 s after it ended, get the verdict of the same check. `now` is a clock
 * that is never set back, in milliseconds.
 */
export const createReadyCheck = (
  check: () => Promise<void>,
  now: () => number = () => performance.now(),
): (() => Promise<void>) => {
  let last: { readonly verdict: Promise<void>; endedAt: number | undefined } | undefined

  return () => {
    const isFresh = last !== undefined && (last.endedAt === undefined || now() - last.endedAt < readyCacheMilliseconds)
    if (last !== undefined && isFresh) return last.verdict
    const asked: typeof last = { verdict: check(), endedAt: undefined }
    const noteEnd = (): void => {
      asked.endedAt = now()
    }
    // Both ways, so that a verdict that nobody awaits any more is no unhandled rejection.
    asked.verdict.then(noteEnd, noteEnd)
    last = asked
    return asked.verdict
  }
}

/** What a server can do, as far as it is the same for everybody. */
interface ServerFeatures {
  readonly routes: Routes
  readonly limits: Pick<Limits, 'maxBodyBytes'>
  readonly switches: ServerSwitches
}

/**
 * What stands at the base address itself, for a client that wants to know before it signs in: which contract is kept, which
 * operations there are, what is switched off, and where everything else is told. Nothing of it is secret, and the version
 * of the program is not in it.
 */
const describeServer = (place: ServerLocation, { routes, limits, switches }: ServerFeatures): object => {
  const site = issuerOf(place)
  return {
    name: 'thingsync',
    contract: document.info.version,
    base_url: place.baseUrl,
    operations: Object.fromEntries([...routes].map(([path, methods]) => [path.slice(1), [...methods.keys()]])),
    password_grant: switches.passwordGrant,
    query_token: switches.queryToken,
    max_body_bytes: limits.maxBodyBytes,
    links: {
      openapi: `${site}/openapi.json`,
      documentation: `${site}/docs`,
      oauth_metadata: `${site}/.well-known/oauth-authorization-server`,
      health: `${site}/healthz`,
    },
  }
}
