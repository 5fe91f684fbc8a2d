import { Refused } from '../refused.ts'
import type { PublicDocument } from './documents.ts'

/** What is handed out to anybody, at an address beside the API. */
export type OpenAddress = () => Promise<PublicDocument>

/**
 * Documents and health: `/openapi.yaml`, `/openapi.json`, `/healthz` (the process answers) and `/readyz` (the store
 * could take a write), also below the path prefix of the base address. The function finds what is at a path.
 */
export const createOpenAddresses = (
  documents: ReadonlyMap<string, PublicDocument>,
  { basePath, checkReady }: { readonly basePath: string; readonly checkReady: () => Promise<void> },
): ((path: string) => OpenAddress | undefined) => {
  const healthy: PublicDocument = { type: 'application/json; charset=utf-8', body: '{"status":"ok"}' }
  const addresses = new Map<string, OpenAddress>([
    ['/healthz', async () => healthy],
    ['/readyz', () => checkReady().then(() => healthy)],
    ...[...documents].map(([path, document]): [string, OpenAddress] => [path, async () => document]),
  ])
  const prefix = basePath.replace(/\/(v1\/)?$/, '')
  return (path) =>
    addresses.get(path) ?? (path.startsWith(prefix) ? addresses.get(path.slice(prefix.length)) : undefined)
}

/** Refuses anything but reading. @throws Refused `methodWrong` */
export const refuseWriting = (method: string): void => {
  if (method !== 'GET' && method !== 'HEAD') throw new Refused('methodWrong', { allow: 'GET, HEAD' })
}
