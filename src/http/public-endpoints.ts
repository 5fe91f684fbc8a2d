import { readFile } from 'node:fs/promises'
import { contractVersion } from '../../generated/routes.ts'
import type { Limits } from '../api/limits.ts'
import type { Routes } from '../api/routes.ts'
import { ApiError } from '../api-error.ts'
import { findPackageFile } from '../environment.ts'
import {
  buildIssuer,
  describeMetadata,
  metadataPaths,
  type ServerLocation,
  type ServerSwitches,
} from '../oauth/authorize-request.ts'
import type { Arrival } from '../pages/site.ts'
import { loadOnce } from '../scheduling.ts'

/** Serves a document to unauthenticated clients, at a path besides the API. */
type PublicEndpoint = (arrival: Arrival) => Promise<PublicDocument>

/** The options of `createPublicEndpoints`. */
interface PublicEndpointOptions {
  readonly documents: PublicDocuments
  readonly basePath: string
  readonly checkReady: () => Promise<void>
  readonly findLocation: (arrival: Arrival) => ServerLocation
  readonly features: ServerFeatures
}

const json = 'application/json; charset=utf-8'

/**
 * Creates the endpoints of documents, health and metadata; the returned function finds the endpoint of a path. The
 * paths are `/openapi.yaml`, `/openapi.json`, `/healthz` (the process responds), `/readyz` (the store can write) and
 * `/.well-known/oauth-authorization-server` (RFC 8414), also below the path prefix of the base URL. The base URL itself
 * describes the server.
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
  const endpoints = new Map<string, PublicEndpoint>([
    [basePath, showServer],
    ['/v1/', showServer],
    ['/healthz', async () => healthy],
    ['/readyz', () => checkReady().then(() => healthy)],
    ...[...documents],
    ...metadataPaths(prefix).map((path): [string, PublicEndpoint] => [path, showMetadata]),
  ])
  return (path) =>
    endpoints.get(path) ?? (path.startsWith(prefix) ? endpoints.get(path.slice(prefix.length)) : undefined)
}

/** Accepts GET and HEAD only. @throws ApiError `methodWrong` for any other method */
export const rejectWriteMethods = (method: string): void => {
  if (method !== 'GET' && method !== 'HEAD') throw new ApiError('methodWrong', { allow: 'GET, HEAD' })
}

/** A document that the server serves besides the API. */
export interface PublicDocument {
  readonly type: string
  readonly body: string
}

/** The loaders of the documents by path. Each loads its document at its first call. */
export type PublicDocuments = ReadonlyMap<string, () => Promise<PublicDocument>>

type InsertServerUrl = (text: string) => string

/** The server URL in `openapi.yaml`, without the version segment. */
const exampleBaseUrl = 'http://127.0.0.1:8484/'

const readYaml = async (name: string, insertServerUrl: InsertServerUrl): Promise<PublicDocument> => ({
  type: 'application/yaml; charset=utf-8',
  body: insertServerUrl(await readFile(findPackageFile(name), 'utf8')),
})

const readScript = async (name: string): Promise<PublicDocument> => ({
  type: 'text/javascript; charset=utf-8',
  body: await readFile(findPackageFile(`src/pages/script/${name}`), 'utf8'),
})

const showJson = (value: object, insertServerUrl: InsertServerUrl): PublicDocument => ({
  type: 'application/json; charset=utf-8',
  body: insertServerUrl(JSON.stringify(value)),
})

/**
 * Creates the loaders of the documents: `/openapi.yaml` (the source of the contract), `/openapi.sdk.yaml` (the same for
 * client generators), both as `.json` with all references resolved, and the scripts of pages. With `baseUrl`, the
 * documents name that server.
 */
export const createDocuments = (baseUrl?: string): PublicDocuments => {
  const serverUrl = baseUrl?.replace(/v1\/$/, '') ?? exampleBaseUrl
  const insertServerUrl: InsertServerUrl = (text) => text.replaceAll(exampleBaseUrl, () => serverUrl)
  return new Map([
    ['/openapi.yaml', loadOnce(() => readYaml('openapi.yaml', insertServerUrl))],
    ['/openapi.json', loadOnce(async () => showJson((await loadDocument()).document, insertServerUrl))],
    ['/openapi.sdk.yaml', loadOnce(() => readYaml('openapi.sdk.yaml', insertServerUrl))],
    ['/openapi.sdk.json', loadOnce(async () => showJson((await loadSdkDocument()).sdkDocument, insertServerUrl))],
    ['/docs/send-requests.js', loadOnce(() => readScript('send-requests.js'))],
    ['/copy.js', loadOnce(() => readScript('copy.js'))],
    ['/show-password.js', loadOnce(() => readScript('show-password.js'))],
  ])
}

const loadDocument = () => import('../../generated/document.ts')
const loadSdkDocument = () => import('../../generated/sdk-document.ts')

/** How long the result of a store check is reused. */
export const readyCacheMilliseconds = 5_000

/**
 * Creates a check whether the store can write. It calls the store at most once in 5 s, because the store's check writes
 * and syncs. Calls during a check, and until 5 s after its end, get the result of the same check. `now` is a monotonic
 * clock in milliseconds.
 */
export const createReadyCheck = (
  check: () => Promise<void>,
  now: () => number = () => performance.now(),
): (() => Promise<void>) => {
  let last: { readonly result: Promise<void>; endedAt: number | undefined } | undefined

  return () => {
    const isFresh = last !== undefined && (last.endedAt === undefined || now() - last.endedAt < readyCacheMilliseconds)
    if (last !== undefined && isFresh) return last.result
    const started: typeof last = { result: check(), endedAt: undefined }
    const noteEnd = (): void => {
      started.endedAt = now()
    }
    // Handles the rejection as well: a result that no caller awaits would be an unhandled rejection.
    started.result.then(noteEnd, noteEnd)
    last = started
    return started.result
  }
}

/** The features of a server that are the same for all clients. */
interface ServerFeatures {
  readonly routes: Routes
  readonly limits: Pick<Limits, 'maxBodyBytes'>
  readonly switches: ServerSwitches
}

/**
 * Describes the server at its base URL, for clients that have not signed in yet: the version of the contract, the
 * operations, the features that are on, and links to everything else. It holds no secret and no version of the program.
 */
const describeServer = (location: ServerLocation, { routes, limits, switches }: ServerFeatures): object => {
  const site = buildIssuer(location)
  return {
    name: 'thingsync',
    contract: contractVersion,
    base_url: location.baseUrl,
    operations: Object.fromEntries([...routes].map(([path, methods]) => [path.slice(1), [...methods.keys()]])),
    password_grant: switches.passwordGrant,
    query_token: switches.queryToken,
    link_preview: switches.linkPreview,
    max_body_bytes: limits.maxBodyBytes,
    links: {
      openapi: `${site}/openapi.json`,
      documentation: `${site}/docs`,
      oauth_metadata: `${site}/.well-known/oauth-authorization-server`,
      health: `${site}/healthz`,
    },
  }
}
